// CFS (6.1). Source: kernel/sched/fair.c (v6.1). Facts 2.1-2.11.

import type { Ns } from '../../base/units.ts';
import { DecisionRule, PickReason, WaitReason } from '../../trace/reasons.ts';
import { type CfsRq, parentOf, type SchedEntity, taskOf } from '../entity.ts';
import type { Machine } from '../machine.ts';
import { recordDecision } from '../recorder.ts';
import type { PickReport, Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import { updateMinVruntime } from './fair_queue.ts';
import { reschedCurr } from './resched.ts';
import { calcDeltaFair, shareOf } from './weights.ts';

/** sched_nr_latency: tasks that fit in one latency period. */
function nrLatency(m: Machine): number {
  return Math.ceil(m.rules.latencyNs / m.rules.minGranularityNs);
}

/** Period over which every task runs once. Source: __sched_period. Fact 2.2. */
function schedPeriod(m: Machine, nrRunning: number): Ns {
  return nrRunning > nrLatency(m) ? nrRunning * m.rules.minGranularityNs : m.rules.latencyNs;
}

/** Wall time that `se` gets in a period, through all groups above it. `se` counts whether it is queued or not. Source: sched_slice. Fact 2.2. */
export function schedSlice(m: Machine, cfs: CfsRq, se: SchedEntity): Ns {
  const queued = m.rules.features['ALT_PERIOD'] === true ? m.rqs[cfs.cpu]!.cfs.hNrQueued : cfs.nrRunning;
  let slice = schedPeriod(m, queued + (se.onRq ? 0 : 1));
  for (let at: SchedEntity | undefined = se, q: CfsRq | undefined = cfs; at !== undefined && q !== undefined; ) {
    slice = shareOf(slice, at.weight, q.loadWeight + (at.onRq ? 0 : at.weight));
    at = q.entity;
    q = at?.cfsRq;
  }
  if (m.rules.features['BASE_SLICE'] !== true) return slice;
  const idleAmongOthers = se.idle && cfs.nrRunning > cfs.nrIdle;
  return Math.max(slice, idleAmongOthers ? m.rules.idleMinGranularityNs : m.rules.minGranularityNs);
}

/** Wake-up granularity in the virtual time of the wakee. Source: wakeup_gran. Fact 2.6. */
function wakeupGran(m: Machine, se: SchedEntity): number {
  return calcDeltaFair(m.rules.wakeupGranularityNs, se.weight, se.inverse);
}

/** 1: `se` is so far left of `curr` that it preempts; 0: left, but within the granularity; -1: not left. Source: wakeup_preempt_entity. */
export function wakeupPreemptEntity(m: Machine, curr: SchedEntity, se: SchedEntity): -1 | 0 | 1 {
  const vdiff = curr.vruntime - se.vruntime;
  if (vdiff <= 0) return -1;
  return vdiff > wakeupGran(m, se) ? 1 : 0;
}

/** Places an entity that wakes (fact 2.7) or begins (fact 2.8). Source: place_entity. */
export function placeCfs(m: Machine, cfs: CfsRq, se: SchedEntity, initial: boolean): void {
  let vruntime = cfs.minVruntime;
  if (initial) {
    if (m.rules.features['START_DEBIT'] === true) {
      vruntime += calcDeltaFair(schedSlice(m, cfs, se), se.weight, se.inverse);
    }
  } else {
    let credit = se.idle ? m.rules.minGranularityNs : m.rules.latencyNs;
    if (m.rules.features['GENTLE_FAIR_SLEEPERS'] === true) credit = Math.floor(credit / 2);
    vruntime -= credit;
  }
  se.vruntime = Math.max(se.vruntime, vruntime);
}

/** The next entity of `cfs`; says in `report`, where one is given and there was a choice, why. Source: pick_next_entity. Fact 2.4. */
export function pickCfs(m: Machine, cfs: CfsRq, report: PickReport | undefined): SchedEntity | undefined {
  const curr = cfs.curr?.onRq === true ? cfs.curr : undefined;
  const first = cfs.queue[0];
  const left = first === undefined || (curr !== undefined && curr.vruntime < first.vruntime) ? curr : first;
  if (left === undefined) return undefined;
  let se = left;
  let reason: number = PickReason.cfsLeftmost;
  if (cfs.skip === left) {
    const second = secondCandidate(cfs, left, curr);
    if (second !== undefined && wakeupPreemptEntity(m, second, left) < 1) {
      se = second;
      reason = PickReason.cfsSkipped;
    }
  }
  if (cfs.next !== undefined && wakeupPreemptEntity(m, cfs.next, left) < 1) {
    if (cfs.next !== se) reason = PickReason.cfsNextBuddy;
    se = cfs.next;
  } else if (cfs.last !== undefined && wakeupPreemptEntity(m, cfs.last, left) < 1) {
    if (cfs.last !== se) reason = PickReason.cfsNextBuddy;
    se = cfs.last;
  }
  if (report !== undefined) {
    const runnerUp = runnerUpOf(cfs, se, curr);
    if (runnerUp !== undefined) {
      report.reason = reason;
      report.runnerUp = taskOf(runnerUp);
      report.x = se.vruntime;
      report.y = runnerUp.vruntime;
    }
  }
  return se;
}

function secondCandidate(cfs: CfsRq, left: SchedEntity, curr: SchedEntity | undefined): SchedEntity | undefined {
  if (left === curr) return cfs.queue[0];
  const second = cfs.queue[1];
  return second === undefined || (curr !== undefined && curr.vruntime < second.vruntime) ? curr : second;
}

function runnerUpOf(cfs: CfsRq, se: SchedEntity, curr: SchedEntity | undefined): SchedEntity | undefined {
  const first = cfs.queue[0] === se ? cfs.queue[1] : cfs.queue[0];
  if (curr === undefined || curr === se) return first;
  return first === undefined || curr.vruntime < first.vruntime ? curr : first;
}

/** At each tick with more than one entity: has the current one had its slice? Source: check_preempt_tick. Fact 2.5. */
export function checkPreemptTick(m: Machine, rq: Rq, cfs: CfsRq, curr: SchedEntity): void {
  const ideal = Math.min(schedSlice(m, cfs, curr), m.rules.latencyNs);
  const ran = curr.sumExecNs - curr.prevSumExecNs;
  if (ran > ideal) {
    recordDecision(m, rq.curr!, DecisionRule.cfsTick, undefined, true, ran, ideal);
    clearBuddies(curr);
    reschedCurr(m, rq);
    return;
  }
  if (ran < m.rules.minGranularityNs) return;
  const leftmost = cfs.queue[0];
  if (leftmost !== undefined && curr.vruntime - leftmost.vruntime > ideal) {
    recordDecision(m, rq.curr!, DecisionRule.cfsTick, taskOf(leftmost), true, curr.vruntime - leftmost.vruntime, ideal);
    reschedCurr(m, rq);
  }
}

/** Does a woken `p` preempt the running fair `curr`? `se` and `pse` are their entities in the queue that both share. Source: check_preempt_wakeup. Facts 2.6, 1.7. */
export function checkPreemptWakeupCfs(
  m: Machine,
  rq: Rq,
  curr: Task,
  p: Task,
  se: SchedEntity,
  pse: SchedEntity,
): void {
  const scale = curr.se.cfsRq!.nrRunning >= nrLatency(m);
  const nextBuddy = m.rules.features['NEXT_BUDDY'] === true && scale;
  if (nextBuddy) setNextBuddy(p.se);
  if (rq.needResched) return;
  let preempts = curr.policy === 'idle' && p.policy !== 'idle';
  if (!preempts) {
    if (p.policy !== 'other' || m.rules.features['WAKEUP_PREEMPTION'] !== true) {
      recordDecision(m, p, DecisionRule.policyWakeup, curr, false, idleFlag(p), idleFlag(curr));
      return;
    }
    if (se.idle !== pse.idle) {
      recordDecision(m, p, DecisionRule.policyWakeup, curr, se.idle, pse.idle ? 1 : 0, se.idle ? 1 : 0);
      if (!se.idle) return;
      preempts = true;
    } else {
      preempts = wakeupPreemptEntity(m, se, pse) === 1;
      recordDecision(m, p, DecisionRule.cfsWakeup, curr, preempts, se.vruntime - pse.vruntime, wakeupGran(m, pse));
      if (!preempts) return;
      if (!nextBuddy) setNextBuddy(pse);
    }
  } else recordDecision(m, p, DecisionRule.policyWakeup, curr, true, 0, 1);
  curr.offReason = WaitReason.preemptedByWakeup;
  reschedCurr(m, rq);
  if (m.rules.features['LAST_BUDDY'] === true && scale && se.onRq && se.task !== undefined) setLastBuddy(se);
}

function idleFlag(p: Task): number {
  return p.policy === 'idle' ? 1 : 0;
}

/** Source: set_next_buddy. Through all groups above. */
export function setNextBuddy(from: SchedEntity): void {
  for (let se: SchedEntity | undefined = from; se !== undefined; se = parentOf(se)) {
    if (!se.onRq || se.idle) return;
    se.cfsRq!.next = se;
  }
}

function setLastBuddy(from: SchedEntity): void {
  for (let se: SchedEntity | undefined = from; se !== undefined; se = parentOf(se)) {
    if (!se.onRq || se.idle) return;
    se.cfsRq!.last = se;
  }
}

/** Forgets `se` and the groups above it as buddies. Source: clear_buddies. */
export function clearBuddies(se: SchedEntity): void {
  const cfs = se.cfsRq!;
  if (cfs.next === se) clearUp(se, 'next');
  if (cfs.last === se) clearUp(se, 'last');
  if (cfs.skip === se) clearUp(se, 'skip');
}

function clearUp(from: SchedEntity, buddy: 'next' | 'last' | 'skip'): void {
  for (let se: SchedEntity | undefined = from; se !== undefined; se = parentOf(se)) {
    if (se.cfsRq![buddy] !== se) return;
    se.cfsRq![buddy] = undefined;
  }
}

/** sched_yield: asks to be skipped once; its vruntime stays. Source: yield_task_fair. Fact 2.9. */
export function yieldCfs(curr: Task): void {
  clearBuddies(curr.se);
  for (let se: SchedEntity | undefined = curr.se; se !== undefined; se = parentOf(se)) se.cfsRq!.skip = se;
}

/** New weight; the virtual time stays. Source: reweight_entity (v6.1). Fact 3.13. */
export function reweightCfs(m: Machine, cfs: CfsRq, se: SchedEntity, weight: number, inverse: number): void {
  if (se.onRq) cfs.loadWeight += weight - se.weight;
  se.weight = weight;
  se.inverse = inverse;
  if (se.onRq) updateMinVruntime(m, cfs);
}
