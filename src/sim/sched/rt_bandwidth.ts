// RT throttling: one global period timer, a budget per CPU. Source: rt.c (v6.1) sched_rt_runtime_exceeded,
// do_sched_rt_period_timer, start_rt_bandwidth. Fact 4.5.

import { arm, cancel, isPending } from '../../base/indexed_heap.ts';
import type { Ns } from '../../base/units.ts';
import { DecisionRule } from '../../trace/reasons.ts';
import { tickAtOrAfter, touch } from '../clock.ts';
import type { RtThrottleRules } from '../kernels/rules.ts';
import type { Machine } from '../machine.ts';
import { recordDecision, recordRtThrottle } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { ClassId } from '../task.ts';
import { chargeDl } from './dl_budget.ts';
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

/** Budget of a CPU for one period, what it has borrowed included. */
function runtimeOf(throttle: RtThrottleRules, rq: Rq): Ns {
  return throttle.runtimeNs + rq.rt.borrowedNs;
}

/** RT_RUNTIME_SHARE: a CPU that has exceeded its budget takes its part of what each other CPU has not used, up to a whole period. Source: rt.c do_balance_runtime (v6.1). */
function borrowRuntime(m: Machine, rq: Rq, throttle: RtThrottleRules): void {
  if (!throttle.share || rq.rt.rtTimeNs <= runtimeOf(throttle, rq)) return;
  for (const other of m.rqs) {
    if (other === rq) continue;
    touch(m, other);
    accountToLastTick(m, other);
    const spare = runtimeOf(throttle, other) - other.rt.rtTimeNs;
    if (spare <= 0) continue;
    const wanted = throttle.periodNs - runtimeOf(throttle, rq);
    const part = Math.min(Math.floor(spare / m.rqs.length), wanted);
    other.rt.borrowedNs -= part;
    rq.rt.borrowedNs += part;
    if (part === wanted) return;
  }
}

/** Throttles the RT queue when its time exceeds the budget (strictly). True when the current task must go. */
export function rtRuntimeExceeded(m: Machine, rq: Rq): boolean {
  const throttle = m.rules.rtThrottle;
  if (throttle === undefined) return false;
  if (rq.rt.throttled) return true;
  if (runtimeOf(throttle, rq) >= throttle.periodNs) return false;
  borrowRuntime(m, rq, throttle);
  if (rq.rt.rtTimeNs <= runtimeOf(throttle, rq)) return false;
  rq.rt.throttled = true;
  if (rq.curr !== undefined)
    recordDecision(m, rq.curr, DecisionRule.rtThrottle, undefined, true, rq.rt.rtTimeNs, runtimeOf(throttle, rq));
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
      if (rt.throttled) borrowRuntime(m, rq, throttle);
      rt.rtTimeNs = Math.max(0, rt.rtTimeNs - runtimeOf(throttle, rq));
      if (rt.throttled && rt.rtTimeNs < runtimeOf(throttle, rq)) unthrottle(m, rq);
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
  if (curr === undefined || curr.classId > ClassId.rt) return;
  const lastTickNs = tickAtOrAfter(m, m.nowNs + 1) - m.rules.tickNs;
  if (curr.classId === ClassId.dl) {
    chargeDl(m, rq, curr, lastTickNs);
    return;
  }
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
    rq.rt.borrowedNs = 0;
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
  const runtimeNs = runtimeOf(throttle, rq);
  if (runtimeNs >= throttle.periodNs) return undefined;
  let used = rq.rt.rtTimeNs;
  let fromNs = curr.se.execStartNs;
  let periodNs = isPending(m.heap, m.rtPeriodSlot) ? m.heap.whenNs[m.rtPeriodSlot]! : Number.POSITIVE_INFINITY;
  for (let periods = 0; ; periods++) {
    // The budget must be exceeded, not just reached.
    const tick = tickAtOrAfter(m, Math.max(m.nowNs, fromNs + runtimeNs - used) + 1);
    if (tick <= periodNs) return tick;
    // A budget that is almost the whole period: look again then.
    if (periods === MAX_PERIODS_AHEAD) return tickAtOrAfter(m, periodNs);
    // The period timer comes first: it takes a budget off what the last tick before it had charged.
    const chargedNs = tickAtOrAfter(m, periodNs + 1) - m.rules.tickNs;
    used = Math.max(0, used + Math.max(0, chargedNs - fromNs) - runtimeNs);
    fromNs = Math.max(fromNs, chargedNs);
    periodNs += throttle.periodNs;
  }
}
