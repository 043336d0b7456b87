// One entity on one queue: accounting, queueing, unqueueing, becoming current and ceasing to be. The class walks
// levels of groups with these. Source: kernel/sched/fair.c enqueue_entity, dequeue_entity, set_next_entity,
// put_prev_entity, update_curr (v6.1, v6.12).

import { type CfsRq, parentOf, type SchedEntity } from '../entity.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { QueueFlag } from './class.ts';
import { clearBuddies, placeCfs } from './fair_cfs.ts';
import {
  avgVruntime,
  checkCurrEevdf,
  eligible,
  placeEevdf,
  setProtectSlice,
  updateDeadline,
  updateEntityLag,
} from './fair_eevdf.ts';
import { updateGroupShares } from './fair_group.ts';
import { insertEntity, removeEntity, updateMinVruntime } from './fair_queue.ts';
import { accountQuota, returnQuota } from './fair_quota.ts';
import { calcDeltaFair } from './weights.ts';

/** Charges the current entity of `cfs` up to now; asks for a switch where its request, or its group's quota, is used up. Returns the time charged. Source: update_curr. */
export function updateCurrOf(m: Machine, rq: Rq, cfs: CfsRq): number {
  const curr = cfs.curr;
  if (curr === undefined) return 0;
  const delta = m.nowNs - curr.execStartNs;
  if (delta <= 0) return 0;
  curr.execStartNs = m.nowNs;
  curr.sumExecNs += delta;
  curr.vruntime += calcDeltaFair(delta, curr.weight, curr.inverse);
  if (m.rules.isEevdf) {
    const renewed = updateDeadline(m, curr);
    if (cfs.group >= 0) accountQuota(m, rq, cfs, delta);
    checkCurrEevdf(m, rq, cfs, curr, renewed);
  } else {
    updateMinVruntime(m, cfs);
    if (cfs.group >= 0) accountQuota(m, rq, cfs, delta);
  }
  return delta;
}

/**
 * Queues `se` on `cfs`. QueueFlag.sleep: it wakes, and is placed anew; without: it kept its place relative to the
 * queue that it left; QueueFlag.initial: placed already. Source: enqueue_entity.
 */
export function enqueueEntity(m: Machine, cfs: CfsRq, se: SchedEntity, flags: number): void {
  const isCurr = cfs.curr === se;
  se.cfsRq = cfs;
  updateMinVruntime(m, cfs);
  updateGroupShares(m, se);
  if ((flags & QueueFlag.initial) === 0) {
    if (m.rules.isEevdf) placeEevdf(m, cfs, se, false);
    else {
      if ((flags & QueueFlag.sleep) === 0 || (flags & QueueFlag.migrated) !== 0) se.vruntime += cfs.minVruntime;
      if ((flags & QueueFlag.sleep) !== 0) placeCfs(m, cfs, se, false);
    }
  }
  cfs.nrRunning++;
  if (se.idle) cfs.nrIdle++;
  cfs.loadWeight += se.weight;
  se.onRq = true;
  if (!isCurr) insertEntity(m, cfs, se);
  updateMinVruntime(m, cfs);
}

/** Takes `se` off its queue. False: it blocked owing time, and stays queued until that is paid (DELAY_DEQUEUE). Source: dequeue_entity. */
export function dequeueEntity(m: Machine, se: SchedEntity, flags: number): boolean {
  const cfs = se.cfsRq!;
  const { isEevdf, features } = m.rules;
  const sleeps = (flags & QueueFlag.sleep) !== 0;
  clearBuddies(se);
  if (isEevdf) {
    const special = (flags & (QueueFlag.delayed | QueueFlag.special)) !== 0;
    if (sleeps && !special && features['DELAY_DEQUEUE'] === true && !eligible(cfs, se)) {
      setDelayed(se);
      return false;
    }
    updateMinVruntime(m, cfs);
    updateEntityLag(m, cfs, se);
    if (!sleeps && features['PLACE_REL_DEADLINE'] === true) {
      se.deadline -= se.vruntime;
      se.relDeadline = true;
    }
  }
  if (cfs.curr !== se) removeEntity(m, cfs, se);
  se.onRq = false;
  cfs.nrRunning--;
  if (se.idle) cfs.nrIdle--;
  cfs.loadWeight -= se.weight;
  if (!isEevdf && !sleeps) se.vruntime -= cfs.minVruntime;
  if (cfs.group >= 0) returnQuota(m, cfs);
  if ((flags & (QueueFlag.save | QueueFlag.move)) !== QueueFlag.save) updateMinVruntime(m, cfs);
  if (se.schedDelayed) {
    clearDelayed(se);
    // Fact 3.9: at the end of a delayed dequeue a positive lag is cut to zero.
    if (features['DELAY_ZERO'] === true && se.vlag > 0) se.vlag = 0;
  }
  return true;
}

/** Source: set_delayed. A group that waits out its lag has no task that could be counted. */
function setDelayed(se: SchedEntity): void {
  se.schedDelayed = true;
  if (se.task !== undefined) countDelayed(se, 1);
}

/** Source: clear_delayed. */
export function clearDelayed(se: SchedEntity): void {
  se.schedDelayed = false;
  if (se.task !== undefined) countDelayed(se, -1);
}

function countDelayed(from: SchedEntity, by: 1 | -1): void {
  for (let se: SchedEntity | undefined = from; se !== undefined; se = parentOf(se)) {
    se.cfsRq!.hNrDelayed += by;
    if (se.cfsRq!.throttled) return;
  }
}

/** A delayed entity is wanted again before its lag was paid: it joins again; a positive lag is cut to zero. Source: requeue_delayed_entity. Fact 3.9. */
export function requeueDelayed(m: Machine, cfs: CfsRq, se: SchedEntity): void {
  if (m.rules.features['DELAY_ZERO'] === true && avgVruntime(cfs) - se.vruntime > 0) {
    updateMinVruntime(m, cfs);
    if (cfs.curr !== se) removeEntity(m, cfs, se);
    cfs.nrRunning--;
    cfs.loadWeight -= se.weight;
    se.onRq = false;
    se.vlag = 0;
    placeEevdf(m, cfs, se, false);
    cfs.nrRunning++;
    cfs.loadWeight += se.weight;
    se.onRq = true;
    if (cfs.curr !== se) insertEntity(m, cfs, se);
    updateMinVruntime(m, cfs);
  }
  clearDelayed(se);
}

/** `se` becomes the current entity of its queue. Source: set_next_entity. */
export function setNextEntity(m: Machine, se: SchedEntity): void {
  const cfs = se.cfsRq!;
  clearBuddies(se);
  if (se.onRq) {
    removeEntity(m, cfs, se);
    if (m.rules.isEevdf) setProtectSlice(m, cfs, se);
  }
  cfs.curr = se;
  se.execStartNs = m.nowNs;
  se.prevSumExecNs = se.sumExecNs;
}

/** The current entity of a queue, charged up to now, is current no longer. Source: put_prev_entity. */
export function putPrevEntity(m: Machine, se: SchedEntity): void {
  const cfs = se.cfsRq!;
  if (se.onRq) insertEntity(m, cfs, se);
  cfs.curr = undefined;
}
