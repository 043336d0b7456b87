// RT throttling: one global period timer, a budget per CPU. Source: rt.c (v6.1) sched_rt_runtime_exceeded,
// do_sched_rt_period_timer, start_rt_bandwidth. Fact 4.5.

import { arm, cancel, isPending } from '../../base/indexed_heap.ts';
import type { Ns } from '../../base/units.ts';
import { tickAtOrAfter, touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { recordRtThrottle } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { ClassId } from '../task.ts';
import { reschedCurr } from './resched.ts';

/** Starts the period timer with the first RT enqueue; it fires at once, then each period. A given phase is a grid of its own that always runs. */
export function startRtBandwidth(m: Machine): void {
  const throttle = m.rules.rtThrottle;
  if (throttle === undefined || m.rtPeriodActive) return;
  m.rtPeriodActive = true;
  if (throttle.phaseNs === undefined) arm(m.heap, m.rtPeriodSlot, m.nowNs + throttle.periodNs);
  else arm(m.heap, m.rtPeriodSlot, nextOnGrid(throttle.phaseNs, throttle.periodNs, m.nowNs));
}

function nextOnGrid(phase: Ns, period: Ns, now: Ns): Ns {
  return now < phase
    ? phase - Math.floor((phase - now - 1) / period) * period
    : phase + (Math.floor((now - phase) / period) + 1) * period;
}

/** Throttles the RT queue when its time exceeds the budget (strictly). True when the current task must go. */
export function rtRuntimeExceeded(m: Machine, rq: Rq): boolean {
  const throttle = m.rules.rtThrottle;
  if (throttle === undefined) return false;
  if (rq.rt.throttled) return true;
  if (rq.rt.rtTimeNs <= throttle.runtimeNs) return false;
  rq.rt.throttled = true;
  recordRtThrottle(m, rq.cpu, true);
  return true;
}

/** The period timer: gives every CPU its budget, lifts throttles, and stops when no RT time is left to account. */
export function onRtPeriod(m: Machine): void {
  const throttle = m.rules.rtThrottle;
  if (throttle === undefined) {
    m.rtPeriodActive = false;
    return;
  }
  let idle = true;
  for (const rq of m.rqs) {
    const rt = rq.rt;
    accountToLastTick(m, rq);
    if (rt.rtTimeNs > 0) {
      rt.rtTimeNs = Math.max(0, rt.rtTimeNs - throttle.runtimeNs);
      if (rt.throttled && rt.rtTimeNs < throttle.runtimeNs) unthrottle(m, rq);
      // Its next throttle moved: the ticks that matter are other ones now.
      else touch(m, rq);
    }
    if (rt.rtTimeNs > 0 || rt.queue.length > 0) idle = false;
  }
  if (idle && throttle.phaseNs === undefined) m.rtPeriodActive = false;
  else arm(m.heap, m.rtPeriodSlot, m.nowNs + throttle.periodNs);
}

/** RT time is charged at ticks and switches: brings it to where the last tick left it, which need not have been an event. */
function accountToLastTick(m: Machine, rq: Rq): void {
  const curr = rq.curr;
  if (curr === undefined || curr.classId !== ClassId.rt) return;
  const lastTickNs = tickAtOrAfter(m, m.nowNs + 1) - m.rules.tickNs;
  const delta = lastTickNs - curr.se.execStartNs;
  if (delta <= 0) return;
  curr.se.execStartNs = lastTickNs;
  curr.se.sumExecNs += delta;
  rq.rt.rtTimeNs += delta;
}

/** Lifts the throttle of a CPU: its RT tasks compete again at once. */
export function unthrottle(m: Machine, rq: Rq): void {
  touch(m, rq);
  rq.rt.throttled = false;
  recordRtThrottle(m, rq.cpu, false);
  const top = rq.rt.queue[0];
  if (top !== undefined && (rq.curr === undefined || top.prio < rq.curr.prio)) reschedCurr(m, rq);
}

/** The rules changed (an intervention): off lifts every throttle, on starts the timer. */
export function rtThrottlingChanged(m: Machine): void {
  cancel(m.heap, m.rtPeriodSlot);
  m.rtPeriodActive = false;
  for (const rq of m.rqs) {
    if (m.rules.rtThrottle === undefined) {
      rq.rt.rtTimeNs = 0;
      if (rq.rt.throttled) unthrottle(m, rq);
    } else if (rq.rt.queue.length > 0) {
      // Time before the switch is not charged.
      touch(m, rq);
      if (rq.curr?.classId === ClassId.rt) rq.curr.se.execStartNs = m.nowNs;
      startRtBandwidth(m);
    }
  }
}

/** Periods that are looked ahead at once. */
const MAX_PERIODS_AHEAD = 100;

/** First tick at which the running RT task of `rq` would exceed its CPU's budget, if nothing else happens; undefined: never. */
export function throttleTickNs(m: Machine, rq: Rq): Ns | undefined {
  const throttle = m.rules.rtThrottle;
  const curr = rq.curr;
  if (throttle === undefined || curr === undefined || curr.classId !== ClassId.rt || rq.rt.throttled) return undefined;
  let used = rq.rt.rtTimeNs;
  let fromNs = curr.se.execStartNs;
  let periodNs = isPending(m.heap, m.rtPeriodSlot) ? m.heap.whenNs[m.rtPeriodSlot]! : Number.POSITIVE_INFINITY;
  for (let periods = 0; ; periods++) {
    // The budget must be exceeded, not just reached.
    const tick = tickAtOrAfter(m, Math.max(m.nowNs, fromNs + throttle.runtimeNs - used) + 1);
    if (tick <= periodNs) return tick;
    // A budget that is almost the whole period: look again then.
    if (periods === MAX_PERIODS_AHEAD) return tickAtOrAfter(m, periodNs);
    // The period timer comes first: it takes a budget off what the last tick before it had charged.
    const chargedNs = tickAtOrAfter(m, periodNs + 1) - m.rules.tickNs;
    used = Math.max(0, used + Math.max(0, chargedNs - fromNs) - throttle.runtimeNs);
    fromNs = Math.max(fromNs, chargedNs);
    periodNs += throttle.periodNs;
  }
}
