// Progress of the current task of a CPU in closed form: wall time, less what interrupts and ticks took, less
// what the machine charged to the task. Ticks and interrupts that change nothing are no events; they are
// counted here by their period.

import type { Ns } from '../base/units.ts';
import { advancePauses } from './locking/pauses.ts';
import { advanceSpin } from './locking/spin_progress.ts';
import type { Machine } from './machine.ts';
import type { IrqLoad, Rq } from './rq.ts';
import { ClassId, RunMode, type Task } from './task.ts';

/** Adds `cpu` to the CPUs of this event and accounts it up to now. Every change of a CPU's state begins with this. */
export function touch(m: Machine, rq: Rq): void {
  if (!rq.isTouched) {
    rq.isTouched = true;
    m.touched[m.touchedCount++] = rq.cpu;
  }
  if (rq.settledNs !== m.nowNs) settle(m, rq);
}

/** Accounts the progress of the current task up to now. Interrupts of [settledNs, now) are counted; one at `now` is still to come. */
export function settle(m: Machine, rq: Rq): void {
  const from = rq.settledNs;
  const to = m.nowNs;
  if (to === from) return;
  rq.settledNs = to;
  const task = rq.curr;
  if (task === undefined) return;
  if (task.policy === 'rr' && task.classId === ClassId.rt) countRrTicks(m, rq, task, from, to);
  if (task.rttimeLimitNs !== undefined && task.classId === ClassId.rt) task.rttimeTicks += quietTicks(m, rq, from, to);
  const progress = progressOf(m, rq, task, from, to);
  if (progress > 0) applyProgress(m, task, progress);
}

/** Ticks in [from, to) that were no events. */
function quietTicks(m: Machine, rq: Rq, from: Ns, to: Ns): number {
  const notBefore = Math.max(from, rq.tickDoneNs + 1);
  return countPeriodic(m.scenario.machine.firstTickNs, m.rules.tickNs, notBefore, to);
}

/** Ticks that were no events used up the RR quantum all the same; an RR task alone in its list refills it (fact 4.4). */
function countRrTicks(m: Machine, rq: Rq, task: Task, from: Ns, to: Ns): void {
  const ticks = quietTicks(m, rq, from, to);
  const left = (task.timeSliceTicks - ticks - 1) % m.rules.rrTicks;
  task.timeSliceTicks = (left < 0 ? left + m.rules.rrTicks : left) + 1;
}

function applyProgress(m: Machine, task: Task, progress: Ns): void {
  if (task.mode === RunMode.work) task.workLeftNs = Math.max(0, task.workLeftNs - progress);
  else if (task.mode === RunMode.spin) advanceSpin(m, task, progress);
  else if (task.mode === RunMode.pause) advancePauses(task, progress);
}

/** Instant of the first tick at or after `t`. */
export function tickAtOrAfter(m: Machine, t: Ns): Ns {
  const first = m.scenario.machine.firstTickNs;
  if (t <= first) return first;
  return first + Math.ceil((t - first) / m.rules.tickNs) * m.rules.tickNs;
}

/** Number of instants first + k * period in [from, to). */
export function countPeriodic(first: Ns, period: Ns, from: Ns, to: Ns): number {
  if (to <= first) return 0;
  const upTo = Math.ceil((to - first) / period);
  const before = from <= first ? 0 : Math.ceil((from - first) / period);
  return upTo - before;
}

/** A source of interrupts of one CPU, part of whose firings may be counted already. */
interface Source extends IrqLoad {
  /** Firings before this instant are counted already. */
  readonly notBefore: Ns;
}

function sourcesOf(m: Machine, rq: Rq, from: Ns): Source[] {
  const sources: Source[] = [];
  if (m.costs.tickNs > 0) {
    // A tick that was an event of its own has charged its cost already.
    const notBefore = Math.max(from, rq.tickDoneNs + 1);
    sources.push({ first: m.scenario.machine.firstTickNs, period: m.rules.tickNs, cost: m.costs.tickNs, notBefore });
  }
  for (const load of rq.irqLoads) sources.push({ ...load, notBefore: from });
  return sources;
}

/** CPU time that the task had for itself in [from, to). Updates task.debtNs. Exact: O(arrivals) when few, else O(arrivals in the last instants). */
function progressOf(m: Machine, rq: Rq, task: Task, from: Ns, to: Ns): Ns {
  if (rq.irqLoads.length === 0) {
    if (m.costs.tickNs === 0) return payDebt(task, to - from);
    const notBefore = Math.max(from, rq.tickDoneNs + 1);
    if (countPeriodic(m.scenario.machine.firstTickNs, m.rules.tickNs, notBefore, to) === 0)
      return payDebt(task, to - from);
  }
  const sources = sourcesOf(m, rq, from);
  let arrivals = 0;
  for (const s of sources) arrivals += countPeriodic(s.first, s.period, s.notBefore, to);
  if (arrivals === 0) return payDebt(task, to - from);
  if (arrivals <= 16) return progressStepwise(task, sources, from, to);
  // The closed form needs a stretch so long that any debt at its start is paid long before its end.
  if (to - from <= 2 * longestBacklog(sources, task.debtNs)) return progressStepwise(task, sources, from, to);
  let cost = task.debtNs;
  for (const s of sources) cost += countPeriodic(s.first, s.period, s.notBefore, to) * s.cost;
  task.debtNs = backlogAt(sources, to);
  return to - from - cost + task.debtNs;
}

function payDebt(task: Task, elapsed: Ns): Ns {
  const paid = Math.min(task.debtNs, elapsed);
  task.debtNs -= paid;
  return elapsed - paid;
}

/** Walks through the interrupts of [from, to) in order of time. */
function progressStepwise(task: Task, sources: readonly Source[], from: Ns, to: Ns): Ns {
  let at = from;
  let progress = 0;
  let notBefore = from;
  for (;;) {
    let next = to;
    for (const s of sources) next = Math.min(next, nextFiring(s, notBefore));
    progress += payDebt(task, next - at);
    if (next === to) return progress;
    for (const s of sources) {
      if (nextFiring(s, notBefore) === next) task.debtNs += s.cost;
    }
    at = next;
    notBefore = next + 1;
  }
}

function nextFiring(s: Source, notBefore: Ns): Ns {
  const from = Math.max(notBefore, s.notBefore);
  return s.first + Math.max(0, Math.ceil((from - s.first) / s.period)) * s.period;
}

/** Longest time for which a backlog of these sources can last; Infinity when they take the whole CPU. */
export function longestBacklog(sources: readonly IrqLoad[], debt: Ns): Ns {
  let load = 0;
  let burst = debt;
  for (const s of sources) {
    load += s.cost / s.period;
    burst += s.cost;
  }
  return load < 1 ? Math.ceil(burst / (1 - load)) + 1 : Number.POSITIVE_INFINITY;
}

/** Work that interrupts before `t` have left at `t` (Lindley): the largest excess of their cost over the time since, over all starts of a burst. */
function backlogAt(sources: readonly IrqLoad[], t: Ns): Ns {
  const since = t - longestBacklog(sources, 0);
  const arrivals: { at: Ns; cost: Ns }[] = [];
  for (const s of sources) {
    for (
      let at = s.first + Math.ceil((t - s.first) / s.period - 1) * s.period;
      at >= s.first && at > since;
      at -= s.period
    ) {
      arrivals.push({ at, cost: s.cost });
    }
  }
  arrivals.sort((a, b) => b.at - a.at);
  let sum = 0;
  let backlog = 0;
  for (const arrival of arrivals) {
    sum += arrival.cost;
    backlog = Math.max(backlog, sum - (t - arrival.at));
  }
  return backlog;
}

/** Charges a tick that is an event to whoever runs, and keeps the CPU in the interrupt for that long. */
export function chargeTick(m: Machine, rq: Rq): void {
  chargeInterrupt(m, rq, m.costs.tickNs);
  rq.tickDoneNs = m.nowNs;
}

/** Charges a timer interrupt to whoever it hits; the CPU is in it for that long. */
export function chargeTimerInterrupt(m: Machine, rq: Rq): void {
  chargeInterrupt(m, rq, m.costs.timerInterruptNs);
}

/** Charges `cost` of interrupt work to whoever it hits; the CPU is in it for that long, after what it is in already. */
export function chargeInterrupt(m: Machine, rq: Rq, cost: Ns): void {
  holdInIrq(m, rq, cost);
  if (rq.curr !== undefined) rq.curr.debtNs += cost;
}

/** End of the interrupts that the CPU is in, those that are no events included; a switch waits for it. */
export function irqBusyUntilNs(m: Machine, rq: Rq): Ns {
  const backlog = rq.irqLoads.length === 0 ? 0 : backlogAt(rq.irqLoads, m.nowNs);
  return Math.max(rq.irqEndNs, m.nowNs + backlog);
}

/** The CPU stays in interrupt context for `cost` more; a switch waits for the end of it. */
export function holdInIrq(m: Machine, rq: Rq, cost: Ns): void {
  rq.irqEndNs = Math.max(rq.irqEndNs, m.nowNs) + cost;
}
