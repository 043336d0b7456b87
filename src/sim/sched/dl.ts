// SCHED_DEADLINE: earliest deadline first, each task within its budget. Source: kernel/sched/deadline.c (v6.1, v6.12).
// Section 5 of the facts. Not modelled: GRUB, the 0-lag time at which bandwidth is given back (it is at once).
// Charges nothing itself; switches, ticks and timers are charged by core and clock.

import { cancel } from '../../base/indexed_heap.ts';
import { DecisionRule, PickReason, StopReason, WaitReason } from '../../trace/reasons.ts';
import { isDlBoosted } from '../dl_entity.ts';
import { recordDecision, recordTaskState, SegKind } from '../recorder.ts';
import { ClassId } from '../task.ts';
import { noteWaiting } from '../verdicts/tracker.ts';
import { QueueFlag, type SchedClass } from './class.ts';
import { armDlHrtick, chargeDl, forgetDlTimer, startDlTimer } from './dl_budget.ts';
import { newPeriod, replenish, wakesTooEarly, wakeUp } from './dl_cbs.ts';
import { findLaterRq } from './dl_later.ts';
import { insertDl, isEarlier, removeDl } from './dl_queue.ts';
import { startExec } from './exec_clock.ts';
import { reschedCurr } from './resched.ts';

export const dlClass: SchedClass = {
  name: 'dl',

  enqueueTask(m, rq, p, flags) {
    const dl = p.dl;
    const wasThrottled = dl.throttled;
    // A boost overrides the throttle: the holder of a lock goes on.
    if (isDlBoosted(dl) && dl.throttled) forgetDlTimer(m, p);
    else if (wakesTooEarly(dl, m.nowNs) && startDlTimer(m, p)) {
      dl.throttled = true;
      dl.runtimeNs = Math.min(dl.runtimeNs, 0);
    }
    if (dl.throttled && (flags & QueueFlag.replenish) === 0) {
      // Runnable, but not queued: its timer will do that.
      if ((flags & (QueueFlag.sleep | QueueFlag.initial)) !== 0)
        recordTaskState(m, p, SegKind.throttled, StopReason.dlBudgetSpent, -1, -1);
      return;
    }
    if ((flags & (QueueFlag.sleep | QueueFlag.initial)) !== 0) wakeUp(dl, m.nowNs);
    else if ((flags & QueueFlag.replenish) !== 0) replenish(dl, m.nowNs);
    else if ((flags & QueueFlag.move) !== 0 && !isDlBoosted(dl) && dl.deadlineNs < m.nowNs) newPeriod(dl, m.nowNs);
    insertDl(m, rq, p);
    if (wasThrottled && rq.curr !== p) {
      recordTaskState(m, p, SegKind.runnable, WaitReason.replenished, -1, -1);
      noteWaiting(m, p);
    }
  },

  dequeueTask(m, rq, p) {
    if (rq.curr === p) dlClass.updateCurr(m, rq);
    removeDl(m, rq, p);
    return true;
  },

  // Fact 5.3.
  yieldTask(m, rq) {
    const curr = rq.curr!;
    curr.dl.yielded = true;
    chargeDl(m, rq, curr, m.nowNs);
  },

  wakeupPreempt(m, rq, p) {
    const curr = rq.curr!;
    if (p.dl.throttled) return;
    const preempts = isEarlier(p, curr) || curr.dl.throttled;
    recordDecision(m, p, DecisionRule.dlWakeup, curr, preempts, p.dl.deadlineNs, curr.dl.deadlineNs);
    if (preempts) {
      reschedCurr(m, rq);
      return;
    }
    // check_preempt_equal_dl: a pinned wakee takes the place of one that can run elsewhere.
    if (p.dl.deadlineNs !== curr.dl.deadlineNs || rq.needResched) return;
    if (curr.allowedCount === 1 || findLaterRq(m, curr) < 0) return;
    if (p.allowedCount !== 1 && findLaterRq(m, p) >= 0) return;
    reschedCurr(m, rq);
  },

  pickTask(_m, rq) {
    const task = rq.dl.queue[0];
    if (task === undefined) return undefined;
    const second = rq.dl.queue[1];
    const report = rq.pick;
    if (second !== undefined) {
      report.reason = PickReason.dlEarliest;
      report.runnerUp = second;
      report.x = task.dl.deadlineNs;
      report.y = second.dl.deadlineNs;
      return task;
    }
    const weaker = rq.rt.queue[0] ?? rq.fairTasks[0];
    report.reason = weaker === undefined ? PickReason.only : PickReason.dlClass;
    report.runnerUp = weaker;
    report.x = ClassId.dl;
    report.y = weaker?.classId ?? ClassId.dl;
    return task;
  },

  putPrevTask(m, rq, prev) {
    if (prev.onRq) dlClass.updateCurr(m, rq);
    cancel(m.heap, rq.hrtickSlot);
  },

  setNextTask(m, rq, next) {
    startExec(next, m.nowNs);
    armDlHrtick(m, rq);
  },

  // Stays, unless the current task is a deadline task that would not give way (or may not move itself).
  selectTaskRq(m, p, prevCpu) {
    const curr = m.rqs[prevCpu]!.curr;
    const stays =
      p.allowed[prevCpu] === 1 &&
      !(
        curr !== undefined &&
        curr.classId === ClassId.dl &&
        (curr.allowedCount < 2 || !isEarlier(p, curr)) &&
        p.allowedCount > 1
      );
    if (stays) return prevCpu;
    const later = findLaterRq(m, p);
    if (later >= 0) return later;
    return p.allowed[prevCpu] === 1 ? prevCpu : p.allowed.indexOf(1);
  },

  taskTick(m, rq) {
    dlClass.updateCurr(m, rq);
    armDlHrtick(m, rq);
  },

  updateCurr(m, rq) {
    const curr = rq.curr;
    if (curr === undefined || curr.classId !== ClassId.dl) return;
    chargeDl(m, rq, curr, m.nowNs);
  },

  prioChanged(m, rq, p) {
    if (!p.onRq) return;
    const first = rq.dl.queue[0];
    if (rq.curr === p) {
      if (first !== undefined && first !== p) reschedCurr(m, rq);
    } else if (first === p) reschedCurr(m, rq);
  },

  switchedTo(m, rq, p) {
    if (!p.onRq || p.dl.throttled || rq.curr === p) return;
    const curr = rq.curr;
    if (curr === undefined || curr.classId !== ClassId.dl) reschedCurr(m, rq);
    else dlClass.wakeupPreempt(m, rq, p);
  },
};
