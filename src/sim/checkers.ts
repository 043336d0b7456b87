// Invariants of a machine at rest (between events). A broken one is a bug of ours, never of the document.

import { assert } from '../base/assert.ts';
import type { Machine } from './machine.ts';
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
    const queued = rq.cfs.queue.length + (rq.cfs.curr?.onRq ? 1 : 0);
    assert(queued === rq.cfs.nrRunning, `nrRunning of CPU ${rq.cpu} counts its fair tasks`);
    let weight = rq.cfs.curr?.onRq ? rq.cfs.curr.weight : 0;
    for (const p of rq.cfs.queue) weight += p.weight;
    assert(weight === rq.cfs.loadWeight, `loadWeight of CPU ${rq.cpu} is the sum of weights`);
  }
  for (const p of m.tasks) {
    if (p.state === TaskState.running) assert(p.onRq, `${p.name}, runnable, is queued`);
    if (p.state === TaskState.dead) assert(!p.onCpu || m.rqs[p.cpu]!.needResched, `${p.name}, dead, is on no CPU`);
    if (p.onCpu) assert(m.rqs[p.cpu]!.curr === p, `${p.name} is current where it runs`);
  }
  for (const lock of m.locks) {
    if (lock.owner !== undefined) assert(lock.owner.held.includes(lock.id), `the owner of ${lock.spec.name} holds it`);
  }
  checkHighestClass(m);
  checkNobodyForgotten(m);
}

/** No CPU at rest runs, or idles, while a stronger real-time task waits there and may run. */
function checkHighestClass(m: Machine): void {
  for (const rq of m.rqs) {
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
