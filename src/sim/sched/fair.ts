// The fair class: what CFS and EEVDF share, and which of them answers. Source: kernel/sched/fair.c.

import { arm, cancel } from '../../base/indexed_heap.ts';
import { PickReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';
import { type Pick, QueueFlag, type SchedClass } from './class.ts';
import {
  checkPreemptTick,
  checkPreemptWakeupCfs,
  clearBuddies,
  pickCfs,
  placeCfs,
  reweightCfs,
  yieldCfs,
} from './fair_cfs.ts';
import {
  checkCurrEevdf,
  checkPreemptWakeupEevdf,
  eligible,
  pickEevdf,
  placeEevdf,
  requeueDelayed,
  reweightEevdf,
  setProtectSlice,
  updateDeadline,
  updateEntityLag,
  yieldEevdf,
} from './fair_eevdf.ts';
import { insertEntity, removeEntity, updateMinVruntime } from './fair_queue.ts';
import { accountFairServer, startFairServer, stopFairServer } from './fair_server.ts';
import { noteFairLoad } from './load.ts';
import { reschedCurr } from './resched.ts';
import { selectTaskRqFair } from './select_cpu.ts';
import { calcDeltaFair } from './weights.ts';

/** Fair tasks that want the CPU: queued and not just paying off their lag. */
export function nrRunnable(rq: Rq): number {
  return rq.cfs.nrRunning - rq.cfs.nrDelayed;
}

/** How a thread that starts is placed: scenario format, `birth`. */
export type Birth = 'settled' | 'new' | 'woken';

/** Sets the virtual times of a task that starts. Called before its first enqueue, with QueueFlag.initial unset afterwards. */
export function placeBirth(m: Machine, rq: Rq, p: Task, birth: Birth): void {
  const cfs = rq.cfs;
  fairClass.updateCurr(m, rq);
  if (m.rules.isEevdf) {
    p.vlag = 0;
    placeEevdf(m, cfs, p, birth === 'new');
    return;
  }
  p.vruntime = birth === 'settled' ? cfs.minVruntime : Number.NEGATIVE_INFINITY;
  if (birth !== 'settled') placeCfs(m, cfs, p, birth === 'new');
}

export const fairClass: SchedClass = {
  name: 'fair',

  enqueueTask(m, rq, p, flags) {
    const cfs = rq.cfs;
    noteFairLoad(m, rq);
    if (p.schedDelayed) {
      fairClass.updateCurr(m, rq);
      requeueDelayed(m, cfs, p);
      if (nrRunnable(rq) === 1) startFairServer(m, rq);
      return;
    }
    const isCurr = cfs.curr === p;
    fairClass.updateCurr(m, rq);
    const placed = (flags & QueueFlag.initial) !== 0;
    if (m.rules.isEevdf) {
      if (!placed) placeEevdf(m, cfs, p, false);
    } else if (!placed) {
      if ((flags & QueueFlag.sleep) === 0 || (flags & QueueFlag.migrated) !== 0) p.vruntime += cfs.minVruntime;
      if ((flags & QueueFlag.sleep) !== 0) placeCfs(m, cfs, p, false);
    }
    cfs.nrRunning++;
    cfs.loadWeight += p.weight;
    p.onRq = true;
    if (!isCurr) insertEntity(m, cfs, p);
    updateMinVruntime(m, cfs);
    if (nrRunnable(rq) === 1) startFairServer(m, rq);
    armHrtick(m, rq);
  },

  dequeueTask(m, rq, p, flags) {
    const cfs = rq.cfs;
    noteFairLoad(m, rq);
    fairClass.updateCurr(m, rq);
    clearBuddies(cfs, p);
    const sleeps = (flags & QueueFlag.sleep) !== 0;
    if (m.rules.isEevdf) {
      const delayed = (flags & QueueFlag.delayed) !== 0;
      if (sleeps && !delayed && m.rules.features['DELAY_DEQUEUE'] === true && !eligible(cfs, p)) {
        p.schedDelayed = true;
        cfs.nrDelayed++;
        if (nrRunnable(rq) === 0) stopFairServer(m, rq);
        return false;
      }
      updateEntityLag(m, cfs, p);
      if (!sleeps && m.rules.features['PLACE_REL_DEADLINE'] === true) {
        p.deadline -= p.vruntime;
        p.relDeadline = true;
      }
    }
    const wasDelayed = p.schedDelayed;
    if (cfs.curr !== p) removeEntity(m, cfs, p);
    p.onRq = false;
    cfs.nrRunning--;
    cfs.loadWeight -= p.weight;
    if (wasDelayed) {
      p.schedDelayed = false;
      cfs.nrDelayed--;
      // Fact 3.9: at the end of a delayed dequeue a positive lag is cut to zero.
      if (m.rules.features['DELAY_ZERO'] === true && p.vlag > 0) p.vlag = 0;
    }
    if (!m.rules.isEevdf && !sleeps) p.vruntime -= cfs.minVruntime;
    updateMinVruntime(m, cfs);
    if (!wasDelayed && nrRunnable(rq) === 0) stopFairServer(m, rq);
    armHrtick(m, rq);
    return true;
  },

  yieldTask(m, rq) {
    const curr = rq.curr!;
    // Alone on this CPU: nothing, on every kernel.
    if (rq.cfs.nrRunning + rq.rt.queue.length === 1) return;
    fairClass.updateCurr(m, rq);
    if (m.rules.isEevdf) yieldEevdf(m, rq, curr);
    else yieldCfs(rq, curr);
  },

  wakeupPreempt(m, rq, p) {
    const curr = rq.curr!;
    if (curr === p) return;
    fairClass.updateCurr(m, rq);
    if (m.rules.isEevdf) checkPreemptWakeupEevdf(m, rq, curr, p);
    else checkPreemptWakeupCfs(m, rq, curr, p);
  },

  pickTask(m, rq): Pick | undefined {
    fairClass.updateCurr(m, rq);
    if (!m.rules.isEevdf) return pickCfs(m, rq.cfs);
    for (;;) {
      const pick = pickEevdf(m, rq.cfs);
      if (pick === undefined) return undefined;
      if (!pick.task.schedDelayed) {
        // A pick protects, also when the same task stays (check V15); not when the protection was dropped: a change
        // of its attributes or a shorter wakee leaves vlag beyond the deadline.
        const again = pick.task === rq.cfs.curr && m.rules.flavour.protection === 'deadline';
        if (again && pick.task.vlag < pick.task.deadline) setProtectSlice(m, rq.cfs, pick.task);
        return pick;
      }
      // A delayed task that is picked has paid its lag: now it leaves for good.
      fairClass.dequeueTask(m, rq, pick.task, QueueFlag.sleep | QueueFlag.delayed);
    }
  },

  putPrevTask(m, rq, prev) {
    if (prev.onRq) {
      fairClass.updateCurr(m, rq);
      insertEntity(m, rq.cfs, prev);
    }
    rq.cfs.curr = undefined;
    cancel(m.heap, rq.hrtickSlot);
  },

  setNextTask(m, rq, next) {
    const cfs = rq.cfs;
    if (next.onRq) {
      removeEntity(m, cfs, next);
      if (m.rules.isEevdf) setProtectSlice(m, cfs, next);
    }
    clearBuddies(cfs, next);
    cfs.curr = next;
    next.execStartNs = m.nowNs;
    next.prevSumExecNs = next.sumExecNs;
    armHrtick(m, rq);
  },

  selectTaskRq(m, p, prevCpu, flags) {
    return selectTaskRqFair(m, p, prevCpu, flags);
  },

  taskTick(m, rq, p) {
    fairClass.updateCurr(m, rq);
    if (!m.rules.isEevdf && rq.cfs.nrRunning > 1) checkPreemptTick(m, rq, p);
  },

  updateCurr(m, rq) {
    const curr = rq.cfs.curr;
    if (curr === undefined) return;
    const delta = m.nowNs - curr.execStartNs;
    if (delta <= 0) return;
    curr.execStartNs = m.nowNs;
    curr.sumExecNs += delta;
    curr.vruntime += calcDeltaFair(delta, curr.weight, curr.inverse);
    const renewed = m.rules.isEevdf && updateDeadline(m, curr);
    updateMinVruntime(m, rq.cfs);
    accountFairServer(m, rq, delta);
    if (m.rules.isEevdf) checkCurrEevdf(m, rq, curr, renewed);
  },

  // Fact 2.11.
  prioChanged(m, rq, p, oldPrio) {
    if (!p.onRq || p.schedDelayed || rq.cfs.nrRunning === 1) return;
    if (rq.curr === p) {
      if (p.prio > oldPrio) reschedCurr(m, rq);
    } else if (rq.curr !== undefined && rq.curr.classId === ClassId.fair) fairClass.wakeupPreempt(m, rq, p);
  },

  switchedTo(m, rq, p) {
    if (!p.onRq) return;
    if (rq.curr === p) reschedCurr(m, rq);
    else if (rq.curr !== undefined && rq.curr.classId === ClassId.fair) fairClass.wakeupPreempt(m, rq, p);
  },
};

/** Gives a fair task another weight, by the rule of its kernel. */
export function reweightTask(m: Machine, rq: Rq, p: Task, weight: number, inverse: number): void {
  fairClass.updateCurr(m, rq);
  if (m.rules.isEevdf) reweightEevdf(m, rq.cfs, p, weight, inverse);
  else reweightCfs(m, rq.cfs, p, weight, inverse);
  armHrtick(m, rq);
}

/** hrtick: a timer at the exact end of the request, when somebody else waits. Source: hrtick_start_fair (v7.2). Fact 3.12. */
function armHrtick(m: Machine, rq: Rq): void {
  if (m.rules.features['HRTICK'] !== true || !m.rules.isEevdf) return;
  const curr = rq.cfs.curr;
  if (curr === undefined || !curr.onRq || rq.cfs.nrRunning < 2) {
    cancel(m.heap, rq.hrtickSlot);
    return;
  }
  const virtualLeft = Math.max(0, curr.deadline - curr.vruntime);
  const realLeft = Math.ceil((virtualLeft * curr.weight) / 1024);
  // At least 10 us ahead, as hrtick_start does.
  arm(m.heap, rq.hrtickSlot, curr.execStartNs + Math.max(realLeft, 10_000));
}

/** What a picked fair task was picked for, when the fair server made the pick. */
export function asServerPick(pick: Pick): Pick {
  return { task: pick.task, reason: PickReason.fairServer, runnerUp: pick.runnerUp };
}
