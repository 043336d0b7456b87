// EEVDF (6.6; 6.12 with delayed dequeue; 7.2 with vprot and hrtick). Source: kernel/sched/fair.c (v6.6, v6.12.117, v7.2).
// Facts 3.1-3.13. Not modelled: load tracking.

import { DecisionRule, PickReason, WaitReason } from '../../trace/reasons.ts';
import { type CfsRq, parentOf, type SchedEntity, taskOf } from '../entity.ts';
import type { Machine } from '../machine.ts';
import { recordDecision } from '../recorder.ts';
import type { PickReport, Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import { setNextBuddy } from './fair_cfs.ts';
import { insertEntity, removeEntity, updateMinVruntime } from './fair_queue.ts';
import { reschedCurr } from './resched.ts';
import { calcDeltaFair } from './weights.ts';

/** Current, if it counts: it is on the queue though not in the tree. */
function queuedCurr(cfs: CfsRq): SchedEntity | undefined {
  const curr = cfs.curr;
  return curr?.onRq === true ? curr : undefined;
}

/** Sum of w * (v - minVruntime) over queue and current. */
function weightedSum(cfs: CfsRq): number {
  const curr = cfs.curr;
  if (curr === undefined || !curr.onRq) return cfs.avgVruntime;
  return cfs.avgVruntime + (curr.vruntime - cfs.minVruntime) * curr.weight;
}

/** Sum of w over queue and current. */
function weightSum(cfs: CfsRq): number {
  const curr = cfs.curr;
  return curr === undefined || !curr.onRq ? cfs.avgLoad : cfs.avgLoad + curr.weight;
}

/** V, the weighted average of vruntime, rounded down. Source: avg_vruntime. Fact 3.1. */
export function avgVruntime(cfs: CfsRq): number {
  const load = weightSum(cfs);
  return load === 0 ? cfs.minVruntime : cfs.minVruntime + Math.floor(weightedSum(cfs) / load);
}

/** v <= V without the division. Source: vruntime_eligible. Fact 3.2. */
export function eligible(cfs: CfsRq, se: SchedEntity): boolean {
  return weightedSum(cfs) >= (se.vruntime - cfs.minVruntime) * weightSum(cfs);
}

/** Bound of a stored lag, in the virtual time of `se`. Source: entity_lag. Fact 3.8. */
export function lagLimit(m: Machine, cfs: CfsRq, se: SchedEntity): number {
  const tick = m.rules.tickNs;
  const span = m.rules.flavour.lagBound === 'twoSlices' ? Math.max(2 * se.sliceNs, tick) : maxSlice(cfs, se) + tick;
  return calcDeltaFair(span, se.weight, se.inverse);
}

function maxSlice(cfs: CfsRq, se: SchedEntity): number {
  let max = se.sliceNs;
  const curr = queuedCurr(cfs);
  if (curr !== undefined && curr.sliceNs > max) max = curr.sliceNs;
  for (let i = 0; i < cfs.queue.length; i++) if (cfs.queue[i]!.sliceNs > max) max = cfs.queue[i]!.sliceNs;
  return max;
}

/** Smallest slice on a queue, its current included; 0 where it is empty. Source: cfs_rq_min_slice (v6.12). O(n). */
export function minSliceOf(cfs: CfsRq): number {
  let min = queuedCurr(cfs)?.sliceNs ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i < cfs.queue.length; i++) if (cfs.queue[i]!.sliceNs < min) min = cfs.queue[i]!.sliceNs;
  return min === Number.POSITIVE_INFINITY ? 0 : min;
}

/** Keeps V - v, clamped, for the time off the queue. Source: update_entity_lag. */
export function updateEntityLag(m: Machine, cfs: CfsRq, se: SchedEntity): void {
  const limit = lagLimit(m, cfs, se);
  se.vlag = Math.max(-limit, Math.min(limit, avgVruntime(cfs) - se.vruntime));
}

/** Lag as it must be placed so that after the entity's own weight moved V, V - v is `vlag`. Source: place_entity. Fact 3.8. */
export function inflatedLag(vlag: number, load: number, weight: number): number {
  return load === 0 ? vlag : Math.trunc((vlag * (load + weight)) / load);
}

/** Places `se` before it is queued: v = V - lag', d = v + request. Source: place_entity. */
export function placeEevdf(m: Machine, cfs: CfsRq, se: SchedEntity, initial: boolean): void {
  if (!se.customSlice) se.sliceNs = m.rules.baseSliceNs;
  let vslice = calcDeltaFair(se.sliceNs, se.weight, se.inverse);
  let lag = 0;
  const v = avgVruntime(cfs);
  if (m.rules.features['PLACE_LAG'] === true && cfs.nrRunning > 0 && se.vlag !== 0) {
    lag = inflatedLag(se.vlag, weightSum(cfs), se.weight);
  }
  se.vruntime = v - lag;
  if (se.relDeadline) {
    se.deadline += se.vruntime;
    se.relDeadline = false;
    return;
  }
  if (initial && m.rules.features['PLACE_DEADLINE_INITIAL'] === true) vslice = Math.floor(vslice / 2);
  se.deadline = se.vruntime + vslice;
}

/** Renews a request that is used up. True when it was. Source: update_deadline. Fact 3.4. */
export function updateDeadline(m: Machine, se: SchedEntity): boolean {
  if (se.vruntime < se.deadline) return false;
  if (!se.customSlice) se.sliceNs = m.rules.baseSliceNs;
  se.deadline = se.vruntime + calcDeltaFair(se.sliceNs, se.weight, se.inverse);
  return true;
}

/** Marks the picked entity as protected until its request ends. Source: set_protect_slice (v7.2), set_next_entity (v6.12). Fact 3.5. */
export function setProtectSlice(m: Machine, cfs: CfsRq, se: SchedEntity): void {
  if (m.rules.features['RUN_TO_PARITY'] !== true) return;
  if (m.rules.flavour.protection === 'deadline') {
    se.vlag = se.deadline;
    return;
  }
  se.vprot = se.deadline;
  limitProtection(cfs, se);
}

/** A shorter slice on the queue ends the protection after as much time as that asks for. Source: set_protect_slice, update_protect_slice (v7.2). */
function limitProtection(cfs: CfsRq, se: SchedEntity): void {
  let shortest = se.sliceNs;
  for (let i = 0; i < cfs.queue.length; i++) shortest = Math.min(shortest, cfs.queue[i]!.sliceNs);
  if (shortest < se.sliceNs)
    se.vprot = Math.min(se.vprot, se.vruntime + calcDeltaFair(shortest, se.weight, se.inverse));
}

/** First virtual time of the running entity at which it is no longer eligible: v > V, with V growing as it runs. */
export function ineligibleAt(cfs: CfsRq): number {
  // v > V holds when v exceeds the weighted average of the others alone: its own weight cancels.
  if (cfs.avgLoad === 0) return Number.POSITIVE_INFINITY;
  return cfs.minVruntime + Math.floor(cfs.avgVruntime / cfs.avgLoad) + 1;
}

export function isProtected(m: Machine, se: SchedEntity): boolean {
  if (m.rules.features['RUN_TO_PARITY'] !== true) return false;
  return m.rules.flavour.protection === 'deadline' ? se.vlag === se.deadline : se.vprot > se.vruntime;
}

/**
 * A change of the running task's attributes: dequeue, enqueue, set_next_task. On 6.12 the dequeue overwrites vlag, the mark of the
 * protection, and only a pick sets it again ("only set slice protection at pick time"); 7.x keeps vprot.
 */
export function protectionAfterChange(m: Machine, p: Task): void {
  if (m.rules.flavour.protection !== 'deadline') return;
  for (let se: SchedEntity | undefined = p.se; se !== undefined; se = parentOf(se)) cancelProtection(m, se);
}

/** Ends the protection of a current entity. Source: cancel_protect_slice (v7.2), check_preempt_wakeup_fair (v6.12). */
function cancelProtection(m: Machine, se: SchedEntity): void {
  if (m.rules.flavour.protection === 'deadline') {
    if (se.vlag === se.deadline) se.vlag = se.deadline + 1;
  } else se.vprot = se.vruntime;
}

function say(
  report: PickReport | undefined,
  reason: number,
  runnerUp: SchedEntity | undefined,
  x: number,
  y: number,
): void {
  if (report === undefined) return;
  report.reason = reason;
  report.runnerUp = runnerUp === undefined ? undefined : taskOf(runnerUp);
  report.x = x;
  report.y = y;
}

/** Is the next buddy taken when it is eligible? A feature of its own since 6.12.y, NEXT_BUDDY's before. */
function takesBuddy(m: Machine): boolean {
  return m.rules.features['PICK_BUDDY'] ?? m.rules.features['NEXT_BUDDY'] === true;
}

/**
 * Earliest virtual deadline among the eligible; a protected current stays. Says in `report`, where one is given and
 * there was a choice, why. Source: pick_eevdf. Fact 3.3. O(n) at worst, O(1) where the first in the queue is eligible.
 */
export function pickEevdf(m: Machine, cfs: CfsRq, report: PickReport | undefined): SchedEntity | undefined {
  const queue = cfs.queue;
  const queued = queuedCurr(cfs);
  const first = queue[0];
  if (first === undefined) return queued;
  if (queue.length === 1 && queued === undefined) return first;
  const sum = weightedSum(cfs);
  const load = weightSum(cfs);
  const min = cfs.minVruntime;
  const next = cfs.next;
  if (next !== undefined && takesBuddy(m) && sum >= (next.vruntime - min) * load) {
    const other = queued ?? (first === next ? queue[1] : first);
    say(report, PickReason.eevdfShortSlice, other, next.sliceNs, other?.sliceNs ?? 0);
    return next;
  }
  const curr = queued !== undefined && sum >= (queued.vruntime - min) * load ? queued : undefined;
  if (curr !== undefined && isProtected(m, curr)) {
    const end = m.rules.flavour.protection === 'deadline' ? curr.deadline : curr.vprot;
    say(report, PickReason.eevdfProtected, first, curr.vruntime, end);
    return curr;
  }
  let best: SchedEntity | undefined;
  for (let i = 0; i < queue.length; i++) {
    const se = queue[i]!;
    if (sum < (se.vruntime - min) * load) continue;
    best = se;
    break;
  }
  if (best === undefined || (curr !== undefined && curr.deadline < best.deadline)) best = curr;
  if (best === undefined) return undefined;
  if (report !== undefined) {
    const runnerUp = best === first ? (queue[1] ?? queued) : first;
    say(report, PickReason.eevdfDeadline, runnerUp, best.deadline, runnerUp?.deadline ?? 0);
  }
  return best;
}

/** After accounting: does the current entity have to give way? Source: update_curr, did_preempt_short (v6.12), protect_slice (v7.2). Fact 3.6. */
export function checkCurrEevdf(m: Machine, rq: Rq, cfs: CfsRq, curr: SchedEntity, renewed: boolean): void {
  if (cfs.nrRunning === 1) return;
  if (m.rules.flavour.protection === 'deadline') {
    const lostShort = m.rules.features['PREEMPT_SHORT'] === true && curr.vlag !== curr.deadline && !eligible(cfs, curr);
    if (!renewed && !lostShort) return;
  } else if (!renewed && isProtected(m, curr)) return;
  if (rq.needResched) return;
  if (rq.curr !== undefined)
    recordDecision(m, rq.curr, DecisionRule.eevdfTick, undefined, true, curr.vruntime, curr.deadline);
  reschedCurr(m, rq);
}

/** Does a woken `p` preempt the running fair `curr`? `se` and `pse` are their entities in the queue that both share. Source: check_preempt_wakeup_fair (v6.12), wakeup_preempt_fair (v7.2). Fact 3.7. */
export function checkPreemptWakeupEevdf(
  m: Machine,
  rq: Rq,
  curr: Task,
  p: Task,
  se: SchedEntity,
  pse: SchedEntity,
): void {
  if (rq.needResched || !wakeupPreempts(m, curr, p, se, pse)) return;
  curr.offReason = WaitReason.preemptedByWakeup;
  reschedCurr(m, rq);
}

function wakeupPreempts(m: Machine, curr: Task, p: Task, se: SchedEntity, pse: SchedEntity): boolean {
  if (m.rules.features['NEXT_BUDDY'] === true && !p.se.schedDelayed) setNextBuddy(p.se);
  if (m.rules.features['WAKEUP_PREEMPTION'] !== true) return false;
  const cfs = se.cfsRq!;
  if (se.idle !== pse.idle || (p.policy !== 'other' && !(se.idle && !pse.idle))) {
    const yes = se.idle && !pse.idle;
    recordDecision(m, p, DecisionRule.policyWakeup, curr, yes, pse.idle ? 1 : 0, se.idle ? 1 : 0);
    if (yes) cancelProtection(m, se);
    return yes;
  }
  if (m.rules.features['PREEMPT_SHORT'] === true && pse.sliceNs < se.sliceNs && eligible(cfs, pse)) {
    const anyway = m.rules.flavour.protection === 'vprot';
    if (anyway || pse.deadline < se.deadline || !eligible(cfs, se)) cancelProtection(m, se);
    // 7.x: a shorter slice that is eligible is enough; it is also what the next pick takes (PICK_BUDDY).
    if (anyway) {
      cfs.next = pse;
      recordDecision(m, p, DecisionRule.eevdfWakeup, curr, true, pse.sliceNs, se.sliceNs);
      return true;
    }
  }
  const yes = pickEevdf(m, cfs, undefined) === pse;
  if (!yes && m.rules.flavour.protection === 'vprot' && m.rules.features['RUN_TO_PARITY'] === true)
    limitProtection(cfs, se);
  recordWakeupTest(m, cfs, curr, p, se, pse, yes);
  return yes;
}

function recordWakeupTest(
  m: Machine,
  cfs: CfsRq,
  curr: Task,
  p: Task,
  se: SchedEntity,
  pse: SchedEntity,
  yes: boolean,
): void {
  if (!yes && !eligible(cfs, pse)) {
    recordDecision(m, p, DecisionRule.eevdfWakeupIneligible, curr, false, pse.vruntime, avgVruntime(cfs));
  } else if (!yes && isProtected(m, se)) {
    const end = m.rules.flavour.protection === 'deadline' ? se.deadline : se.vprot;
    recordDecision(m, p, DecisionRule.eevdfWakeupProtected, curr, false, se.vruntime, end);
  } else recordDecision(m, p, DecisionRule.eevdfWakeup, curr, yes, pse.deadline, se.deadline);
}

/** sched_yield. Source: yield_task_fair (v6.12.117: forfeit; v6.6: push the deadline). Fact 3.11. */
export function yieldEevdf(m: Machine, curr: Task): void {
  const se = curr.se;
  const cfs = se.cfsRq!;
  const request = calcDeltaFair(se.sliceNs, se.weight, se.inverse);
  if (m.rules.flavour.yieldRule === 'pushDeadline') {
    se.deadline += request;
    return;
  }
  if (!eligible(cfs, se)) return;
  se.vruntime = se.deadline;
  se.deadline += request;
  updateMinVruntime(m, cfs);
}

/** New weight: lag and relative deadline keep their real size, V does not move. Source: reweight_eevdf (v6.12). Fact 3.13. */
export function reweightEevdf(m: Machine, cfs: CfsRq, se: SchedEntity, weight: number, inverse: number): void {
  const scale = (x: number) => Math.trunc((x * se.weight) / weight);
  if (!se.onRq) {
    se.vlag = scale(se.vlag);
    if (se.relDeadline) se.deadline = scale(se.deadline);
    se.weight = weight;
    se.inverse = inverse;
    return;
  }
  const isCurr = cfs.curr === se;
  const wasProtected = isCurr && m.rules.flavour.protection === 'deadline' && se.vlag === se.deadline;
  const v = avgVruntime(cfs);
  const lag = v - se.vruntime;
  const relDeadline = se.deadline - v;
  const relProt = se.vprot - v;
  if (!isCurr) removeEntity(m, cfs, se);
  cfs.loadWeight += weight - se.weight;
  se.vruntime = v - scale(lag);
  se.deadline = v + scale(relDeadline);
  se.vprot = v + scale(relProt);
  if (wasProtected) se.vlag = se.deadline;
  se.weight = weight;
  se.inverse = inverse;
  if (!isCurr) insertEntity(m, cfs, se);
  updateMinVruntime(m, cfs);
}
