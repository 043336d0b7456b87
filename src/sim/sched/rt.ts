// SCHED_FIFO and SCHED_RR. Source: kernel/sched/rt.c (v6.1, v6.12). Facts 4.1-4.5, 4.7.
// Not modelled: RT group scheduling. Charges nothing itself; switches and ticks are charged by core and clock.

import { insertAt, removeItem } from '../../base/lists.ts';
import { DecisionRule, PickReason, WaitReason } from '../../trace/reasons.ts';
import { recordDecision } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';
import { QueueFlag, type SchedClass } from './class.ts';
import { reschedCurr } from './resched.ts';
import { rtRuntimeExceeded, startRtBandwidth } from './rt_bandwidth.ts';
import { findLowestRq } from './rt_lowest.ts';

/** Place of the first task of a weaker prio (tail of the list of `prio`), or of `prio` itself (its head). */
function placeIn(queue: readonly Task[], prio: number, head: boolean): number {
  let i = 0;
  while (i < queue.length && (head ? queue[i]!.prio < prio : queue[i]!.prio <= prio)) i++;
  return i;
}

function moveToTail(rq: Rq, p: Task): void {
  const queue = rq.rt.queue;
  removeItem(queue, p);
  insertAt(queue, placeIn(queue, p.prio, false), p);
}

/** True when no other queued task has the priority of `p`. */
export function aloneInList(rq: Rq, p: Task): boolean {
  for (const other of rq.rt.queue) if (other !== p && other.prio === p.prio) return false;
  return true;
}

export const rtClass: SchedClass = {
  name: 'rt',

  enqueueTask(m, rq, p, flags) {
    if ((flags & (QueueFlag.sleep | QueueFlag.initial)) !== 0) p.rttimeTicks = 0;
    const queue = rq.rt.queue;
    insertAt(queue, placeIn(queue, p.prio, (flags & QueueFlag.head) !== 0), p);
    if (queue.length === 2) m.rtOverloaded++;
    startRtBandwidth(m);
  },

  dequeueTask(m, rq, p) {
    if (rq.curr === p) rtClass.updateCurr(m, rq);
    const queue = rq.rt.queue;
    const before = queue.length;
    removeItem(queue, p);
    if (before === 2 && queue.length === 1) m.rtOverloaded--;
    return true;
  },

  yieldTask(_m, rq) {
    if (rq.curr !== undefined) moveToTail(rq, rq.curr);
  },

  wakeupPreempt(m, rq, p) {
    const curr = rq.curr!;
    recordDecision(m, p, DecisionRule.rtWakeup, curr, p.prio < curr.prio, p.prio, curr.prio);
    if (p.prio < curr.prio) {
      reschedCurr(m, rq);
      return;
    }
    // check_preempt_equal_prio: a pinned wakee takes the place of one that can run elsewhere.
    if (p.prio !== curr.prio || rq.needResched) return;
    if (curr.allowedCount === 1 || findLowestRq(m, curr) < 0) return;
    if (p.allowedCount !== 1 && findLowestRq(m, p) >= 0) return;
    const queue = rq.rt.queue;
    removeItem(queue, p);
    insertAt(queue, placeIn(queue, p.prio, true), p);
    reschedCurr(m, rq);
  },

  pickTask(_m, rq) {
    if (rq.rt.throttled) return undefined;
    const task = rq.rt.queue[0];
    if (task === undefined) return undefined;
    const second = rq.rt.queue[1];
    const report = rq.pick;
    if (second !== undefined) {
      report.reason = second.prio === task.prio ? PickReason.rtFirstInList : PickReason.rtPrio;
      report.runnerUp = second;
      report.x = task.prio;
      report.y = second.prio;
      return task;
    }
    const fair = rq.fairTasks[0];
    report.reason = fair === undefined ? PickReason.only : PickReason.rtClass;
    report.runnerUp = fair;
    report.x = ClassId.rt;
    report.y = ClassId.fair;
    return task;
  },

  putPrevTask(m, rq, prev) {
    if (prev.onRq) rtClass.updateCurr(m, rq);
  },

  setNextTask(m, _rq, next) {
    next.se.execStartNs = m.nowNs;
  },

  // Fact 4.7: stay, unless the current task there is real-time and would not give way (or may not move itself).
  selectTaskRq(m, p, prevCpu) {
    const curr = m.rqs[prevCpu]!.curr;
    const stays =
      p.allowed[prevCpu] === 1 &&
      !(curr !== undefined && curr.classId <= ClassId.rt && (curr.allowedCount < 2 || curr.prio <= p.prio));
    if (stays) return prevCpu;
    const lowest = findLowestRq(m, p);
    if (lowest >= 0 && (p.allowed[prevCpu] !== 1 || p.prio < topPrio(m.rqs[lowest]!))) return lowest;
    return p.allowed[prevCpu] === 1 ? prevCpu : p.allowed.indexOf(1);
  },

  taskTick(m, rq, p) {
    rtClass.updateCurr(m, rq);
    if (p.rttimeLimitNs !== undefined) p.rttimeTicks++;
    if (p.policy !== 'rr') return;
    p.timeSliceTicks--;
    if (p.timeSliceTicks > 0) return;
    p.timeSliceTicks = m.rules.rrTicks;
    if (aloneInList(rq, p)) return;
    moveToTail(rq, p);
    p.offReason = WaitReason.rrQuantumEnded;
    reschedCurr(m, rq);
  },

  updateCurr(m, rq) {
    const curr = rq.curr;
    if (curr === undefined || curr.classId !== ClassId.rt) return;
    const delta = m.nowNs - curr.se.execStartNs;
    if (delta <= 0) return;
    curr.se.execStartNs = m.nowNs;
    curr.se.sumExecNs += delta;
    if (m.rules.rtThrottle === undefined) return;
    rq.rt.rtTimeNs += delta;
    if (rtRuntimeExceeded(m, rq)) reschedCurr(m, rq);
  },

  prioChanged(m, rq, p, oldPrio) {
    if (!p.onRq) return;
    if (rq.curr === p) {
      // Weaker than before and somebody stronger waits: give way. Source: prio_changed_rt.
      if (p.prio > oldPrio && rq.rt.queue[0] !== undefined && rq.rt.queue[0].prio < p.prio) reschedCurr(m, rq);
    } else if (rq.curr === undefined || p.prio < rq.curr.prio) reschedCurr(m, rq);
  },

  switchedTo(m, rq, p) {
    if (!p.onRq || rq.curr === p) return;
    if (rq.curr === undefined || p.prio < rq.curr.prio) reschedCurr(m, rq);
  },
};

/** Strongest real-time prio queued on `rq`; 140 where none is (fair and idle CPUs are weaker than any). */
function topPrio(rq: Rq): number {
  return rq.rt.queue[0]?.prio ?? 140;
}
