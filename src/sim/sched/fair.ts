// The fair class: walks the levels of groups with the entity operations of CFS or EEVDF. Source: kernel/sched/fair.c
// (v6.1, v6.6, v6.12, v7.2).

import { removeAt } from '../../base/lists.ts';
import { PickReason } from '../../trace/reasons.ts';
import { type CfsRq, parentOf, type SchedEntity } from '../entity.ts';
import type { Machine } from '../machine.ts';
import { nrRunnable, type Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';
import { QueueFlag, type SchedClass } from './class.ts';
import {
  checkPreemptTick,
  checkPreemptWakeupCfs,
  pickCfs,
  placeCfs,
  reweightCfs,
  setNextBuddy,
  yieldCfs,
} from './fair_cfs.ts';
import { checkPreemptWakeupEevdf, minSliceOf, pickEevdf, placeEevdf, reweightEevdf, yieldEevdf } from './fair_eevdf.ts';
import {
  dequeueEntity,
  enqueueEntity,
  putPrevEntity,
  requeueDelayed,
  setNextEntity,
  updateCurrOf,
} from './fair_entity.ts';
import { cfsRqOf, updateGroupShares } from './fair_group.ts';
import { accountFairServer, startFairServer, stopFairServer } from './fair_server.ts';
import { checkEnqueueThrottle, checkQuota, noteThrottled, throttledBy } from './fair_throttle.ts';
import { armHrtick, cancelHrtick } from './hrtick.ts';
import { noteFairLoad, noteWants } from './load.ts';
import { reschedCurr } from './resched.ts';
import { selectTaskRqFair } from './select_cpu.ts';

/** How a thread that starts is placed: scenario format, `birth`. */
export type Birth = 'settled' | 'new' | 'woken';

/** Sets the virtual times of a task that starts. Called before its first enqueue, which then has QueueFlag.initial. */
export function placeBirth(m: Machine, rq: Rq, p: Task, birth: Birth): void {
  const cfs = cfsRqOf(m, p);
  const se = p.se;
  updateCurr(m, rq);
  if (m.rules.isEevdf) {
    se.vlag = 0;
    placeEevdf(m, cfs, se, birth === 'new');
    return;
  }
  se.vruntime = birth === 'settled' ? cfs.minVruntime : Number.NEGATIVE_INFINITY;
  if (birth !== 'settled') placeCfs(m, cfs, se, birth === 'new');
}

/** Charges the running task and the groups above it up to now. */
function updateCurr(m: Machine, rq: Rq): void {
  if (rq.cfs.curr === undefined) return;
  let delta = 0;
  for (let cfs: CfsRq | undefined = rq.cfs; cfs !== undefined && cfs.curr !== undefined; cfs = cfs.curr.groupQueue) {
    delta = updateCurrOf(m, rq, cfs);
  }
  if (delta > 0) accountFairServer(m, rq, delta);
}

/** A group asks for as short a slice as the shortest inside (6.12 and later). Source: enqueue_task_fair, dequeue_entities (v6.12). */
function passSliceUp(m: Machine, cfs: CfsRq): void {
  const se = cfs.entity;
  if (se === undefined || m.rules.features['PREEMPT_SHORT'] !== true) return;
  const slice = minSliceOf(cfs);
  if (slice === 0) return;
  se.sliceNs = slice;
  se.customSlice = true;
}

function enqueueTask(m: Machine, rq: Rq, p: Task, flags: number): void {
  noteFairLoad(m, rq);
  updateCurr(m, rq);
  const couldRun = nrRunnable(rq) > 0;
  if (p.se.schedDelayed) {
    requeueDelayed(m, p.se.cfsRq!, p.se);
    if (!couldRun && nrRunnable(rq) > 0) startFairServer(m, rq);
    return;
  }
  noteWants(m, p, false);
  rq.fairTasks.push(p);
  if (rq.fairTasks.length > 1 || (rq.curr !== undefined && rq.curr.classId !== ClassId.fair)) m.fairWaits = true;
  queueUp(m, rq, p, flags);
  if (!couldRun && nrRunnable(rq) > 0) startFairServer(m, rq);
  armHrtick(m, rq);
  const cfs = p.se.cfsRq!;
  if (cfs.throttleCount > 0 && rq.curr !== p) noteThrottled(m, p, throttledBy(m, cfs));
}

/** Source: enqueue_task_fair: every level that is not queued is; the levels above count one task more. */
function queueUp(m: Machine, rq: Rq, p: Task, taskFlags: number): void {
  let flags = taskFlags;
  let se: SchedEntity | undefined = p.se;
  let cfs = cfsRqOf(m, p);
  while (se !== undefined && !se.onRq) {
    enqueueEntity(m, cfs, se, flags);
    checkEnqueueThrottle(m, rq, cfs);
    passSliceUp(m, cfs);
    cfs.hNrQueued++;
    if (cfs.throttled) return;
    flags = QueueFlag.sleep;
    se = cfs.entity;
    if (se !== undefined) cfs = se.cfsRq!;
  }
  if (se?.schedDelayed === true) requeueDelayed(m, cfs, se);
  for (; se !== undefined; se = parentOf(se)) {
    updateGroupShares(m, se);
    cfs = se.cfsRq!;
    passSliceUp(m, cfs);
    cfs.hNrQueued++;
    if (cfs.throttled) return;
  }
}

function dequeueTask(m: Machine, rq: Rq, p: Task, flags: number): boolean {
  noteFairLoad(m, rq);
  updateCurr(m, rq);
  const couldRun = nrRunnable(rq) > 0;
  const gone = dequeueEntities(m, p.se, flags, 1);
  if (gone) {
    noteWants(m, p, true);
    removeAt(rq.fairTasks, rq.fairTasks.lastIndexOf(p));
  }
  if (couldRun && nrRunnable(rq) === 0) stopFairServer(m, rq);
  if (gone) armHrtick(m, rq);
  return gone;
}

/**
 * Source: dequeue_entities (v6.12), dequeue_task_fair (v6.1): groups that are left empty go too. False: the task
 * itself stays, delayed.
 *
 * @param tasks tasks that leave: 1, or 0 where a delayed group is taken off
 */
function dequeueEntities(m: Machine, from: SchedEntity, taskFlags: number, tasks: 0 | 1): boolean {
  let flags = taskFlags;
  const sleeps = (taskFlags & QueueFlag.sleep) !== 0;
  let se: SchedEntity | undefined = from;
  while (se !== undefined) {
    const cfs: CfsRq = se.cfsRq!;
    if (!dequeueEntity(m, se, flags)) {
      if (se === from) return false;
      break;
    }
    cfs.hNrQueued -= tasks;
    if (cfs.throttled) return true;
    se = cfs.entity;
    if (cfs.loadWeight > 0) {
      passSliceUp(m, cfs);
      if (sleeps && se !== undefined && cfs.throttleCount === 0) setNextBuddy(se);
      break;
    }
    flags = (flags | QueueFlag.sleep) & ~QueueFlag.delayed;
  }
  for (; se !== undefined; se = parentOf(se)) {
    updateGroupShares(m, se);
    const cfs = se.cfsRq!;
    cfs.hNrQueued -= tasks;
    passSliceUp(m, cfs);
    if (cfs.throttled) return true;
  }
  return true;
}

/** The entities of two tasks of one CPU in the queue that both share. Source: find_matching_se. */
function matchingEntities(a: Task, b: Task): [SchedEntity, SchedEntity] {
  let se = a.se;
  let other = b.se;
  let depth = depthOf(se) - depthOf(other);
  for (; depth > 0; depth--) se = parentOf(se)!;
  for (; depth < 0; depth++) other = parentOf(other)!;
  while (se.cfsRq !== other.cfsRq) {
    se = parentOf(se)!;
    other = parentOf(other)!;
  }
  return [se, other];
}

function depthOf(from: SchedEntity): number {
  let depth = 0;
  for (let se = parentOf(from); se !== undefined; se = parentOf(se)) depth++;
  return depth;
}

function wakeupPreempt(m: Machine, rq: Rq, p: Task): void {
  const curr = rq.curr!;
  if (curr === p || p.se.cfsRq!.throttleCount > 0) return;
  updateCurr(m, rq);
  let se = curr.se;
  let pse = p.se;
  if (se.cfsRq !== pse.cfsRq) [se, pse] = matchingEntities(curr, p);
  if (m.rules.isEevdf) checkPreemptWakeupEevdf(m, rq, curr, p, se, pse);
  else checkPreemptWakeupCfs(m, rq, curr, p, se, pse);
}

/** Source: pick_task_fair (v6.12): down the levels; what owes nothing any more, or is out of quota, leaves and the walk begins again. */
function pickTask(m: Machine, rq: Rq): Task | undefined {
  updateCurr(m, rq);
  const report = rq.pick;
  report.reason = PickReason.only;
  report.runnerUp = undefined;
  report.x = 0;
  report.y = 0;
  let cfs: CfsRq = rq.cfs;
  while (cfs.nrRunning > 0) {
    if (cfs.group >= 0 && checkQuota(m, rq, cfs)) {
      cfs = rq.cfs;
      continue;
    }
    const wanted = report.runnerUp === undefined ? report : undefined;
    const se = m.rules.isEevdf ? pickEevdf(m, cfs, wanted) : pickCfs(m, cfs, wanted);
    if (se === undefined) return undefined;
    if (se.schedDelayed) {
      leaveForGood(m, rq, se);
      report.reason = PickReason.only;
      report.runnerUp = undefined;
      cfs = rq.cfs;
      continue;
    }
    if (se.groupQueue === undefined) return se.task;
    cfs = se.groupQueue;
  }
  return undefined;
}

/** A delayed entity that is picked has paid its lag. */
function leaveForGood(m: Machine, rq: Rq, se: SchedEntity): void {
  if (se.task !== undefined) {
    dequeueTask(m, rq, se.task, QueueFlag.sleep | QueueFlag.delayed);
    se.task.onRq = false;
  } else dequeueEntities(m, se, QueueFlag.sleep | QueueFlag.delayed, 0);
}

/** Does the way up from `next` pass through `se`? */
function isAbove(se: SchedEntity, next: Task | undefined): boolean {
  if (next === undefined || next.classId !== ClassId.fair) return false;
  for (let at: SchedEntity | undefined = next.se; at !== undefined; at = parentOf(at)) if (at === se) return true;
  return false;
}

export const fairClass: SchedClass = {
  name: 'fair',
  enqueueTask,
  dequeueTask,
  wakeupPreempt,
  pickTask,
  updateCurr,

  yieldTask(m, rq) {
    const curr = rq.curr!;
    // Alone on this CPU: nothing, on every kernel.
    if (rq.cfs.hNrQueued + rq.rt.queue.length === 1) return;
    updateCurr(m, rq);
    if (m.rules.isEevdf) yieldEevdf(m, curr);
    else yieldCfs(curr);
  },

  // Groups that the next task is in as well stay current. Source: pick_next_task_fair.
  putPrevTask(m, rq, prev, next) {
    updateCurr(m, rq);
    for (let se: SchedEntity | undefined = prev.se; se !== undefined; se = parentOf(se)) {
      if (se.groupQueue !== undefined && isAbove(se, next)) break;
      const cfs = se.cfsRq!;
      if (cfs.curr !== se) break;
      if (cfs.group >= 0 && se.onRq) checkQuota(m, rq, cfs);
      putPrevEntity(m, se);
    }
    cancelHrtick(m, rq);
  },

  setNextTask(m, rq, next) {
    for (let se: SchedEntity | undefined = next.se; se !== undefined; se = parentOf(se)) {
      if (se.cfsRq!.curr === se) break;
      setNextEntity(m, se);
    }
    if (m.rqs.length > 1) moveToEnd(rq.fairTasks, next);
    armHrtick(m, rq);
  },

  selectTaskRq(m, p, prevCpu, flags) {
    return selectTaskRqFair(m, p, prevCpu, flags);
  },

  taskTick(m, rq, p) {
    updateCurr(m, rq);
    for (let se: SchedEntity | undefined = p.se; se !== undefined; se = parentOf(se)) {
      const cfs = se.cfsRq!;
      if (se.groupQueue !== undefined) updateGroupShares(m, se);
      if (!m.rules.isEevdf && cfs.nrRunning > 1) checkPreemptTick(m, rq, cfs, se);
    }
  },

  // Fact 2.11.
  prioChanged(m, rq, p, oldPrio) {
    if (!p.onRq || p.se.schedDelayed || rq.cfs.hNrQueued === 1) return;
    if (rq.curr === p) {
      if (p.prio > oldPrio) reschedCurr(m, rq);
    } else if (rq.curr !== undefined && rq.curr.classId === ClassId.fair) wakeupPreempt(m, rq, p);
  },

  switchedTo(m, rq, p) {
    if (!p.onRq) return;
    if (rq.curr === p) reschedCurr(m, rq);
    else if (rq.curr !== undefined && rq.curr.classId === ClassId.fair) wakeupPreempt(m, rq, p);
  },
};

function moveToEnd(list: Task[], p: Task): void {
  const at = list.lastIndexOf(p);
  if (at < 0 || at === list.length - 1) return;
  removeAt(list, at);
  list.push(p);
}

/** Gives a fair task another weight, by the rule of its kernel. */
export function reweightTask(m: Machine, rq: Rq, p: Task, weight: number, inverse: number): void {
  updateCurr(m, rq);
  const cfs = cfsRqOf(m, p);
  if (m.rules.isEevdf) reweightEevdf(m, cfs, p.se, weight, inverse);
  else reweightCfs(m, cfs, p.se, weight, inverse);
  if (cfs.entity !== undefined) updateGroupShares(m, cfs.entity);
  armHrtick(m, rq);
}
