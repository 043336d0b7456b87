// CFS (6.1). Source: kernel/sched/fair.c (v6.1). Facts 2.1-2.11. Not modelled: group scheduling.

import type { Ns } from '../../base/units.ts';
import { PickReason, WaitReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import type { CfsRq, Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import type { Pick } from './class.ts';
import { updateMinVruntime } from './fair_queue.ts';
import { reschedCurr } from './resched.ts';
import { calcDeltaFair, shareOf } from './weights.ts';

/** Period over which every task runs once. Source: __sched_period. Fact 2.2. */
function schedPeriod(m: Machine, nrRunning: number): Ns {
  const nrLatency = Math.ceil(m.rules.latencyNs / m.rules.minGranularityNs);
  return nrRunning > nrLatency ? nrRunning * m.rules.minGranularityNs : m.rules.latencyNs;
}

/** Wall time that `p` gets in a period. `p` counts whether it is queued or not. Source: sched_slice. Fact 2.2. */
export function schedSlice(m: Machine, cfs: CfsRq, p: Task): Ns {
  const queued = p.onRq ? 0 : 1;
  const load = cfs.loadWeight + (p.onRq ? 0 : p.weight);
  const raw = shareOf(schedPeriod(m, cfs.nrRunning + queued), p.weight, load);
  if (m.rules.features['BASE_SLICE'] !== true) return raw;
  const idleAmongOthers = p.policy === 'idle' && hasNonIdle(cfs);
  return Math.max(raw, idleAmongOthers ? m.rules.idleMinGranularityNs : m.rules.minGranularityNs);
}

function hasNonIdle(cfs: CfsRq): boolean {
  if (cfs.curr !== undefined && cfs.curr.policy !== 'idle') return true;
  return cfs.queue.some((p) => p.policy !== 'idle');
}

/** Wake-up granularity in the virtual time of the wakee. Source: wakeup_gran. Fact 2.6. */
function wakeupGran(m: Machine, p: Task): number {
  return calcDeltaFair(m.rules.wakeupGranularityNs, p.weight, p.inverse);
}

/** 1: `p` is so far left of `curr` that it preempts; 0: left, but within the granularity; -1: not left. Source: wakeup_preempt_entity. */
export function wakeupPreemptEntity(m: Machine, curr: Task, p: Task): -1 | 0 | 1 {
  const vdiff = curr.vruntime - p.vruntime;
  if (vdiff <= 0) return -1;
  return vdiff > wakeupGran(m, p) ? 1 : 0;
}

/** Places a task that wakes (fact 2.7) or begins (fact 2.8). Source: place_entity. */
export function placeCfs(m: Machine, cfs: CfsRq, p: Task, initial: boolean): void {
  let vruntime = cfs.minVruntime;
  if (initial) {
    if (m.rules.features['START_DEBIT'] === true) {
      vruntime += calcDeltaFair(schedSlice(m, cfs, p), p.weight, p.inverse);
    }
  } else {
    let credit = p.policy === 'idle' ? m.rules.minGranularityNs : m.rules.latencyNs;
    if (m.rules.features['GENTLE_FAIR_SLEEPERS'] === true) credit = Math.floor(credit / 2);
    vruntime -= credit;
  }
  p.vruntime = Math.max(p.vruntime, vruntime);
}

export function clearBuddies(cfs: CfsRq, p: Task): void {
  if (cfs.next === p) cfs.next = undefined;
  if (cfs.last === p) cfs.last = undefined;
  if (cfs.skip === p) cfs.skip = undefined;
}

/** The next entity and why. Source: pick_next_entity. Fact 2.4. */
export function pickCfs(m: Machine, cfs: CfsRq): Pick | undefined {
  const curr = cfs.curr?.onRq ? cfs.curr : undefined;
  const first = cfs.queue[0];
  const left = first === undefined || (curr !== undefined && curr.vruntime < first.vruntime) ? curr : first;
  if (left === undefined) return undefined;
  let task = left;
  let reason: number = cfs.queue.length + (curr === undefined ? 0 : 1) === 1 ? PickReason.only : PickReason.cfsLeftmost;
  if (cfs.skip === left) {
    const second = secondCandidate(cfs, left, curr);
    if (second !== undefined && wakeupPreemptEntity(m, second, left) < 1) {
      task = second;
      reason = PickReason.cfsSkipped;
    }
  }
  if (cfs.next !== undefined && wakeupPreemptEntity(m, cfs.next, left) < 1) {
    if (cfs.next !== task) reason = PickReason.cfsNextBuddy;
    task = cfs.next;
  } else if (cfs.last !== undefined && wakeupPreemptEntity(m, cfs.last, left) < 1) {
    if (cfs.last !== task) reason = PickReason.cfsNextBuddy;
    task = cfs.last;
  }
  return { task, reason, runnerUp: runnerUpOf(cfs, task, curr) };
}

function secondCandidate(cfs: CfsRq, left: Task, curr: Task | undefined): Task | undefined {
  if (left === curr) return cfs.queue[0];
  const second = cfs.queue[1];
  return second === undefined || (curr !== undefined && curr.vruntime < second.vruntime) ? curr : second;
}

function runnerUpOf(cfs: CfsRq, task: Task, curr: Task | undefined): Task | undefined {
  const first = cfs.queue[0] === task ? cfs.queue[1] : cfs.queue[0];
  if (curr === undefined || curr === task) return first;
  return first === undefined || curr.vruntime < first.vruntime ? curr : first;
}

/** At each tick with more than one fair task: has the current one had its slice? Source: check_preempt_tick. Fact 2.5. */
export function checkPreemptTick(m: Machine, rq: Rq, curr: Task): void {
  const cfs = rq.cfs;
  const ideal = Math.min(schedSlice(m, cfs, curr), m.rules.latencyNs);
  const ran = curr.sumExecNs - curr.prevSumExecNs;
  if (ran > ideal) {
    clearBuddies(cfs, curr);
    reschedCurr(m, rq);
    return;
  }
  if (ran < m.rules.minGranularityNs) return;
  const leftmost = cfs.queue[0];
  if (leftmost !== undefined && curr.vruntime - leftmost.vruntime > ideal) reschedCurr(m, rq);
}

/** Does a woken `p` preempt the running fair task? Source: check_preempt_wakeup. Facts 2.6, 1.7. */
export function checkPreemptWakeupCfs(m: Machine, rq: Rq, curr: Task, p: Task): void {
  const cfs = rq.cfs;
  if (rq.needResched) return;
  if (curr.policy === 'idle' && p.policy !== 'idle') {
    curr.offReason = WaitReason.preemptedByWakeup;
    reschedCurr(m, rq);
    return;
  }
  if (p.policy !== 'other' || m.rules.features['WAKEUP_PREEMPTION'] !== true) return;
  if (wakeupPreemptEntity(m, curr, p) !== 1) return;
  cfs.next = p;
  const nrLatency = Math.ceil(m.rules.latencyNs / m.rules.minGranularityNs);
  if (m.rules.features['LAST_BUDDY'] === true && cfs.nrRunning >= nrLatency && curr.onRq) cfs.last = curr;
  curr.offReason = WaitReason.preemptedByWakeup;
  reschedCurr(m, rq);
}

/** sched_yield: asks to be skipped once; its vruntime stays. Source: yield_task_fair. Fact 2.9. */
export function yieldCfs(rq: Rq, curr: Task): void {
  clearBuddies(rq.cfs, curr);
  rq.cfs.skip = curr;
}

/** New weight; the virtual time stays. Source: reweight_entity (v6.1). Fact 3.13. */
export function reweightCfs(m: Machine, cfs: CfsRq, p: Task, weight: number, inverse: number): void {
  if (p.onRq) cfs.loadWeight += weight - p.weight;
  p.weight = weight;
  p.inverse = inverse;
  if (p.onRq) updateMinVruntime(m, cfs);
}
