// Invariants of a machine at rest (between events). A broken one is a bug of ours, never of the document.

import { assert } from '../base/assert.ts';
import type { CfsRq } from './entity.ts';
import { checkLocks } from './locking/check_locks.ts';
import type { Machine } from './machine.ts';
import type { Rq } from './rq.ts';
import { ClassId, TaskState } from './task.ts';

/** Asserts what must hold of every CPU and task. O(tasks + CPUs). */
export function checkInvariants(m: Machine): void {
  for (const rq of m.rqs) {
    const curr = rq.curr;
    if (curr !== undefined) {
      assert(curr.onCpu && curr.cpu === rq.cpu, `the current task of CPU ${rq.cpu} is on it`);
      assert(
        curr.allowed[rq.cpu] === 1 || curr.mustMoveTo >= 0 || rq.needResched,
        `${curr.name} runs on an allowed CPU`,
      );
    }
    for (let i = 1; i < rq.rt.queue.length; i++) {
      assert(rq.rt.queue[i - 1]!.prio <= rq.rt.queue[i]!.prio, `the RT queue of CPU ${rq.cpu} is sorted`);
    }
    for (let i = 1; i < rq.dl.queue.length; i++) {
      const inOrder = rq.dl.queue[i - 1]!.dl.deadlineNs <= rq.dl.queue[i]!.dl.deadlineNs;
      assert(inOrder, `the deadline queue of CPU ${rq.cpu} is sorted`);
    }
    for (const p of rq.dl.queue) assert(!p.dl.throttled, `${p.name}, throttled, is not queued`);
    checkFairQueue(rq.cfs);
  }
  for (const group of m.groups) for (const cfs of group.cfsRqs) checkFairQueue(cfs);
  for (const p of m.tasks) {
    if (p.state === TaskState.running) assert(p.onRq, `${p.name}, runnable, is queued`);
    if (p.state === TaskState.dead) assert(!p.onCpu || m.rqs[p.cpu]!.needResched, `${p.name}, dead, is on no CPU`);
    if (p.onCpu) assert(m.rqs[p.cpu]!.curr === p, `${p.name} is current where it runs`);
  }
  checkLocks(m);
  checkHighestClass(m);
  checkNobodyForgotten(m);
}

/** The counts of a queue of the fair class are those of what is on it. */
function checkFairQueue(cfs: CfsRq): void {
  const name = `the fair queue ${cfs.group} of CPU ${cfs.cpu}`;
  const queued = cfs.curr?.onRq === true ? [cfs.curr, ...cfs.queue] : cfs.queue;
  assert(queued.length === cfs.nrRunning, `nrRunning of ${name} counts its entities`);
  let weight = 0;
  let tasks = 0;
  let delayed = 0;
  let idle = 0;
  for (const se of queued) {
    assert(se.cfsRq === cfs && se.onRq, `what stands in ${name} knows that`);
    weight += se.weight;
    if (se.idle) idle++;
    tasks += se.groupQueue === undefined ? 1 : se.groupQueue.hNrQueued;
    delayed += se.groupQueue === undefined ? (se.schedDelayed ? 1 : 0) : se.groupQueue.hNrDelayed;
  }
  assert(weight === cfs.loadWeight, `loadWeight of ${name} is the sum of weights`);
  assert(idle === cfs.nrIdle, `nrIdle of ${name} counts its idle entities`);
  assert(tasks === cfs.hNrQueued, `hNrQueued of ${name} counts the tasks below it`);
  assert(delayed === cfs.hNrDelayed, `hNrDelayed of ${name} counts the delayed tasks below it`);
}

/** No CPU at rest runs, or idles, while a stronger deadline or real-time task waits there and may run. */
function checkHighestClass(m: Machine): void {
  for (const rq of m.rqs) {
    checkEarliest(m, rq);
    const first = rq.rt.queue[0];
    // The fair server runs fair tasks at deadline rank; with proxy execution an owner runs in a waiter's place.
    if (first === undefined || rq.rt.throttled || rq.needResched || rq.serverRuns) continue;
    if (m.scenario.machine.proxyExecution) continue;
    const { curr } = rq;
    assert(
      curr !== undefined && (curr.classId < ClassId.rt || (curr.classId === ClassId.rt && curr.prio <= first.prio)),
      `CPU ${rq.cpu} runs the strongest: ${first.name} waits while ${curr?.name ?? 'nobody'} runs`,
    );
  }
}

function checkEarliest(m: Machine, rq: Rq): void {
  const first = rq.dl.queue[0];
  if (first === undefined || rq.needResched || rq.serverRuns || m.scenario.machine.proxyExecution) return;
  const { curr } = rq;
  assert(
    curr !== undefined && curr.classId === ClassId.dl && curr.dl.deadlineNs <= first.dl.deadlineNs,
    `CPU ${rq.cpu} runs the earliest deadline: ${first.name} waits while ${curr?.name ?? 'nobody'} runs`,
  );
}

/** No wake-up is lost: where a free lock has sleepers, one of them is up and about to take it. */
function checkNobodyForgotten(m: Machine): void {
  for (const lock of m.locks) {
    if (lock.waiters.length === 0 || lock.owner !== undefined) continue;
    const { kind } = lock.spec;
    if (kind === 'cond' || kind === 'barrier' || kind === 'rw' || (kind === 'sem' && lock.value === 0)) continue;
    const isUp = m.tasks.some(
      (p) =>
        // On its way from a condition it does not wait for the lock yet.
        (p.waitsFor === lock.id || p.condLock === lock.id) &&
        (p.state === TaskState.running || p.state === TaskState.waking),
    );
    assert(isUp, `${lock.spec.name} is free and somebody comes for it: ${lock.waiters[0]!.name} sleeps`);
  }
}
