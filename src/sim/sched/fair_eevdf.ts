// EEVDF (6.12 with delayed dequeue, 7.2 with vprot and hrtick). Source: kernel/sched/fair.c (v6.12.117, v7.2).
// Facts 3.1-3.13. Not modelled: group scheduling, load tracking.

import { PickReason, WaitReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import type { CfsRq, Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import type { Pick } from './class.ts';
import { insertEntity, removeEntity, updateMinVruntime } from './fair_queue.ts';
import { reschedCurr } from './resched.ts';
import { calcDeltaFair } from './weights.ts';

/** Current, if it counts: it is on the queue though not in the tree. */
function queuedCurr(cfs: CfsRq): Task | undefined {
  return cfs.curr?.onRq ? cfs.curr : undefined;
}

/** V, the weighted average of vruntime, rounded down. Source: avg_vruntime. Fact 3.1. */
export function avgVruntime(cfs: CfsRq): number {
  const curr = queuedCurr(cfs);
  let sum = cfs.avgVruntime;
  let load = cfs.avgLoad;
  if (curr !== undefined) {
    sum += (curr.vruntime - cfs.minVruntime) * curr.weight;
    load += curr.weight;
  }
  return load === 0 ? cfs.minVruntime : cfs.minVruntime + Math.floor(sum / load);
}

/** v <= V without the division. Source: vruntime_eligible. Fact 3.2. */
export function eligible(cfs: CfsRq, p: Task): boolean {
  const curr = queuedCurr(cfs);
  let sum = cfs.avgVruntime;
  let load = cfs.avgLoad;
  if (curr !== undefined) {
    sum += (curr.vruntime - cfs.minVruntime) * curr.weight;
    load += curr.weight;
  }
  return sum >= (p.vruntime - cfs.minVruntime) * load;
}

/** Bound of a stored lag, in the virtual time of `p`. Source: entity_lag. Fact 3.8. */
export function lagLimit(m: Machine, cfs: CfsRq, p: Task): number {
  const tick = m.rules.tickNs;
  const span = m.rules.flavour.lagBound === 'twoSlices' ? Math.max(2 * p.sliceNs, tick) : maxSlice(cfs, p) + tick;
  return calcDeltaFair(span, p.weight, p.inverse);
}

function maxSlice(cfs: CfsRq, p: Task): number {
  let max = p.sliceNs;
  const curr = queuedCurr(cfs);
  if (curr !== undefined) max = Math.max(max, curr.sliceNs);
  for (const q of cfs.queue) max = Math.max(max, q.sliceNs);
  return max;
}

/** Keeps V - v, clamped, for the time off the queue. Source: update_entity_lag. */
export function updateEntityLag(m: Machine, cfs: CfsRq, p: Task): void {
  const limit = lagLimit(m, cfs, p);
  p.vlag = Math.max(-limit, Math.min(limit, avgVruntime(cfs) - p.vruntime));
}

/** Lag as it must be placed so that after the entity's own weight moved V, V - v is `vlag`. Source: place_entity. Fact 3.8. */
export function inflatedLag(vlag: number, load: number, weight: number): number {
  return load === 0 ? vlag : Math.trunc((vlag * (load + weight)) / load);
}

/** Places `p` before it is queued: v = V - lag', d = v + request. Source: place_entity. */
export function placeEevdf(m: Machine, cfs: CfsRq, p: Task, initial: boolean): void {
  if (!p.customSlice) p.sliceNs = m.rules.baseSliceNs;
  let vslice = calcDeltaFair(p.sliceNs, p.weight, p.inverse);
  let lag = 0;
  const v = avgVruntime(cfs);
  if (m.rules.features['PLACE_LAG'] === true && cfs.nrRunning > 0 && p.vlag !== 0) {
    const curr = queuedCurr(cfs);
    lag = inflatedLag(p.vlag, cfs.avgLoad + (curr === undefined ? 0 : curr.weight), p.weight);
  }
  p.vruntime = v - lag;
  if (p.relDeadline) {
    p.deadline += p.vruntime;
    p.relDeadline = false;
    return;
  }
  if (initial && m.rules.features['PLACE_DEADLINE_INITIAL'] === true) vslice = Math.floor(vslice / 2);
  p.deadline = p.vruntime + vslice;
}

/** Renews a request that is used up. True when it was. Source: update_deadline. Fact 3.4. */
export function updateDeadline(m: Machine, p: Task): boolean {
  if (p.vruntime < p.deadline) return false;
  if (!p.customSlice) p.sliceNs = m.rules.baseSliceNs;
  p.deadline = p.vruntime + calcDeltaFair(p.sliceNs, p.weight, p.inverse);
  return true;
}

/** Marks the picked task as protected until its request ends. Source: set_protect_slice (v7.2), set_next_entity (v6.12). Fact 3.5. */
export function setProtectSlice(m: Machine, cfs: CfsRq, p: Task): void {
  if (m.rules.features['RUN_TO_PARITY'] !== true) return;
  if (m.rules.flavour.protection === 'deadline') {
    p.vlag = p.deadline;
    return;
  }
  let vprot = p.deadline;
  if (cfs.queue.some((q) => q.sliceNs < p.sliceNs)) vprot = Math.min(vprot, ineligibleAt(cfs));
  p.vprot = vprot;
}

/** First virtual time of the running task at which it is no longer eligible: v > V, with V growing as it runs. */
function ineligibleAt(cfs: CfsRq): number {
  // v > V holds when v exceeds the weighted average of the others alone: its own weight cancels.
  if (cfs.avgLoad === 0) return Number.POSITIVE_INFINITY;
  return cfs.minVruntime + Math.floor(cfs.avgVruntime / cfs.avgLoad) + 1;
}

function isProtected(m: Machine, p: Task): boolean {
  if (m.rules.features['RUN_TO_PARITY'] !== true) return false;
  return m.rules.flavour.protection === 'deadline' ? p.vlag === p.deadline : p.vprot > p.vruntime;
}

/**
 * A change of the running task's attributes: dequeue, enqueue, set_next_task. On 6.12 the dequeue overwrites vlag, the mark of the
 * protection, and only a pick sets it again ("only set slice protection at pick time"); 7.x keeps vprot.
 */
export function protectionAfterChange(m: Machine, p: Task): void {
  if (m.rules.flavour.protection === 'deadline') cancelProtection(m, p);
}

/** Ends the protection of the current task. Source: cancel_protect_slice (v7.2), check_preempt_wakeup_fair (v6.12). */
function cancelProtection(m: Machine, p: Task): void {
  if (m.rules.flavour.protection === 'deadline') {
    if (p.vlag === p.deadline) p.vlag = p.deadline + 1;
  } else p.vprot = p.vruntime;
}

/** Earliest virtual deadline among the eligible; a protected current stays. Source: pick_eevdf. Fact 3.3. */
export function pickEevdf(m: Machine, cfs: CfsRq): Pick | undefined {
  let curr = queuedCurr(cfs);
  const first = cfs.queue[0];
  if (cfs.queue.length === 0)
    return curr === undefined ? undefined : { task: curr, reason: PickReason.only, runnerUp: undefined };
  if (cfs.queue.length === 1 && curr === undefined)
    return { task: first!, reason: PickReason.only, runnerUp: undefined };
  if (cfs.next !== undefined && eligible(cfs, cfs.next)) {
    return { task: cfs.next, reason: PickReason.eevdfShortSlice, runnerUp: queuedCurr(cfs) ?? first };
  }
  if (curr !== undefined && !eligible(cfs, curr)) curr = undefined;
  if (curr !== undefined && isProtected(m, curr))
    return { task: curr, reason: PickReason.eevdfProtected, runnerUp: first };
  let best: Task | undefined;
  for (const p of cfs.queue) {
    if (!eligible(cfs, p)) continue;
    best = p;
    break;
  }
  if (best === undefined || (curr !== undefined && curr.deadline < best.deadline)) best = curr;
  if (best === undefined) return undefined;
  const runnerUp = best === first ? (cfs.queue[1] ?? queuedCurr(cfs)) : first;
  return { task: best, reason: PickReason.eevdfDeadline, runnerUp };
}

/** After accounting: does the current task have to give way? Source: update_curr, did_preempt_short (v6.12), protect_slice (v7.2). Fact 3.6. */
export function checkCurrEevdf(m: Machine, rq: Rq, curr: Task, renewed: boolean): void {
  if (rq.cfs.nrRunning === 1) return;
  if (m.rules.flavour.protection === 'deadline') {
    const lostShort =
      m.rules.features['PREEMPT_SHORT'] === true && curr.vlag !== curr.deadline && !eligible(rq.cfs, curr);
    if (renewed || lostShort) reschedCurr(m, rq);
  } else if (renewed || !isProtected(m, curr)) reschedCurr(m, rq);
}

/** Does a woken `p` preempt the running fair task? Source: check_preempt_wakeup_fair (v6.12), wakeup_preempt_fair (v7.2). Fact 3.7. */
export function checkPreemptWakeupEevdf(m: Machine, rq: Rq, curr: Task, p: Task): void {
  if (rq.needResched || !wakeupPreempts(m, rq.cfs, curr, p)) return;
  curr.offReason = WaitReason.preemptedByWakeup;
  reschedCurr(m, rq);
}

function wakeupPreempts(m: Machine, cfs: CfsRq, curr: Task, p: Task): boolean {
  if (m.rules.features['WAKEUP_PREEMPTION'] !== true) return false;
  const currIdle = curr.policy === 'idle';
  const pIdle = p.policy === 'idle';
  if (currIdle && !pIdle) {
    cancelProtection(m, curr);
    return true;
  }
  if (currIdle !== pIdle || p.policy !== 'other') return false;
  if (m.rules.features['PREEMPT_SHORT'] === true && p.sliceNs < curr.sliceNs && eligible(cfs, p)) {
    const anyway = m.rules.flavour.protection === 'vprot';
    if (anyway || p.deadline < curr.deadline || !eligible(cfs, curr)) cancelProtection(m, curr);
    // 7.x: a shorter slice that is eligible is enough; it is also what the next pick takes (PICK_BUDDY).
    if (anyway) {
      cfs.next = p;
      return true;
    }
  }
  return pickEevdf(m, cfs)?.task === p;
}

/** sched_yield. Source: yield_task_fair (v6.12.117: forfeit; v6.6: push the deadline). Fact 3.11. */
export function yieldEevdf(m: Machine, rq: Rq, curr: Task): void {
  const request = calcDeltaFair(curr.sliceNs, curr.weight, curr.inverse);
  if (m.rules.flavour.yieldRule === 'pushDeadline') {
    curr.deadline += request;
    return;
  }
  if (!eligible(rq.cfs, curr)) return;
  curr.vruntime = curr.deadline;
  curr.deadline += request;
  updateMinVruntime(m, rq.cfs);
}

/** New weight: lag and relative deadline keep their real size, V does not move. Source: reweight_eevdf (v6.12). Fact 3.13. */
export function reweightEevdf(m: Machine, cfs: CfsRq, p: Task, weight: number, inverse: number): void {
  const scale = (x: number) => Math.trunc((x * p.weight) / weight);
  if (!p.onRq) {
    p.vlag = scale(p.vlag);
    if (p.relDeadline) p.deadline = scale(p.deadline);
    p.weight = weight;
    p.inverse = inverse;
    return;
  }
  const isCurr = cfs.curr === p;
  const wasProtected = isCurr && m.rules.flavour.protection === 'deadline' && p.vlag === p.deadline;
  const v = avgVruntime(cfs);
  const lag = v - p.vruntime;
  const relDeadline = p.deadline - v;
  const relProt = p.vprot - v;
  if (!isCurr) removeEntity(m, cfs, p);
  cfs.loadWeight += weight - p.weight;
  p.vruntime = v - scale(lag);
  p.deadline = v + scale(relDeadline);
  p.vprot = v + scale(relProt);
  if (wasProtected) p.vlag = p.deadline;
  p.weight = weight;
  p.inverse = inverse;
  if (!isCurr) insertEntity(m, cfs, p);
  updateMinVruntime(m, cfs);
}

/** A delayed task woke before its lag was paid: it joins again; a positive lag is cut to zero. Source: requeue_delayed_entity. Fact 3.9. */
export function requeueDelayed(m: Machine, cfs: CfsRq, p: Task): void {
  if (m.rules.features['DELAY_ZERO'] === true) {
    const lag = avgVruntime(cfs) - p.vruntime;
    if (lag > 0) {
      removeEntity(m, cfs, p);
      cfs.nrRunning--;
      cfs.loadWeight -= p.weight;
      p.vlag = 0;
      placeEevdf(m, cfs, p, false);
      cfs.nrRunning++;
      cfs.loadWeight += p.weight;
      insertEntity(m, cfs, p);
      updateMinVruntime(m, cfs);
    }
  }
  p.schedDelayed = false;
  cfs.nrDelayed--;
}
