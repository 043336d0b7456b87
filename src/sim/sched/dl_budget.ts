// Spending the budgets of deadline tasks: charge, throttle, and the timers that this sets.
// Source: deadline.c update_curr_dl_se, start_dl_timer, start_hrtick_dl (v6.12). Facts 5.2, 5.3.

import { arm, cancel } from '../../base/indexed_heap.ts';
import type { Ns } from '../../base/units.ts';
import { DecisionRule, StopReason } from '../../trace/reasons.ts';
import { tickAtOrAfter } from '../clock.ts';
import { isDlBoosted } from '../dl_entity.ts';
import type { Machine } from '../machine.ts';
import { recordDecision } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';
import { nextPeriodNs, replenish } from './dl_cbs.ts';
import { insertDl, removeDl } from './dl_queue.ts';
import { chargedUntilNs, chargeExec } from './exec_clock.ts';
import { reschedCurr } from './resched.ts';

/** hrtick_start never sets its timer less than this ahead. */
const MIN_HRTICK_NS = 10_000;

/** Charges the running deadline task for its time up to `untilNs`, and throttles it when its budget is spent or given up. */
export function chargeDl(m: Machine, rq: Rq, p: Task, untilNs: Ns): void {
  const delta = chargeExec(p, untilNs);
  p.dl.runtimeNs -= delta;
  // RT bandwidth: deadline time counts, though it is never throttled by it (fact 4.5).
  const throttle = m.rules.rtThrottle;
  if (throttle !== undefined && (m.rtPeriodActive || rq.rt.rtTimeNs < throttle.runtimeNs + rq.rt.borrowedNs))
    rq.rt.rtTimeNs += delta;
  if (p.dl.throttled || (p.dl.runtimeNs > 0 && !p.dl.yielded)) return;
  spend(m, rq, p);
}

function spend(m: Machine, rq: Rq, p: Task): void {
  recordDecision(m, p, DecisionRule.dlBudget, undefined, true, p.dl.runtimeNs, 0);
  removeDl(m, rq, p);
  p.dl.throttled = true;
  if (isDlBoosted(p.dl) || !startDlTimer(m, p)) {
    // The holder of a lock is never throttled; nor is one whose next period has begun already.
    replenish(p.dl, m.nowNs);
    insertDl(m, rq, p);
  }
  if (rq.dl.queue[0] !== p) reschedCurr(m, rq);
  armDlHrtick(m, rq);
}

/** Arms the replenishment for the next period; false when that has begun already (by a microsecond or more). */
export function startDlTimer(m: Machine, p: Task): boolean {
  const atNs = nextPeriodNs(p.dl);
  if (m.nowNs - atNs >= 1000) return false;
  arm(m.heap, m.dlSlots[p.id]!, Math.max(m.nowNs, atNs));
  return true;
}

/** Ends a throttle without a replenishment: the task leaves the class, or has ended. */
export function forgetDlTimer(m: Machine, p: Task): void {
  cancel(m.heap, m.dlSlots[p.id]!);
  p.dl.throttled = false;
  p.dl.yielded = false;
}

/** Why the throttled `p` is off the CPU. Source: rule 5.2 or 5.3. */
export function dlStopReason(p: Task): number {
  return p.dl.yielded ? StopReason.dlYielded : StopReason.dlBudgetSpent;
}

/** First tick that finds the budget of the running `p` spent, if nothing else happens. */
export function dlTickNs(m: Machine, p: Task): Ns {
  return tickAtOrAfter(m, Math.max(m.nowNs + 1, chargedUntilNs(p) + Math.max(0, p.dl.runtimeNs)));
}

/** HRTICK_DL: a timer at the exact end of the budget of the task that runs. Source: start_hrtick_dl (v7.2). */
export function armDlHrtick(m: Machine, rq: Rq): void {
  if (m.rules.features['HRTICK_DL'] !== true) return;
  const curr = rq.curr;
  if (curr === undefined || curr.classId !== ClassId.dl) return;
  if (curr.dl.throttled || curr.dl.runtimeNs <= 0 || rq.dl.queue[0] !== curr) cancel(m.heap, rq.hrtickSlot);
  else arm(m.heap, rq.hrtickSlot, chargedUntilNs(curr) + Math.max(MIN_HRTICK_NS, curr.dl.runtimeNs));
}
