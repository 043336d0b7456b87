// The tick, and which ticks matter. A tick that can change nothing is no event: its cost is counted by clock.ts.

import { arm, cancel } from '../base/indexed_heap.ts';
import type { Ns } from '../base/units.ts';
import { chargeTick, tickAtOrAfter, touch } from './clock.ts';
import type { Machine } from './machine.ts';
import type { Rq } from './rq.ts';
import { classOf } from './sched/classes.ts';
import { dlTickNs } from './sched/dl_budget.ts';
import { aloneInList } from './sched/rt.ts';
import { throttleTickNs } from './sched/rt_bandwidth.ts';
import { enforceRttime, rttimeTickNs } from './sched/rttime.ts';
import { awaitsInterrupt, enterSoftirq } from './softirq.ts';
import { ClassId, type Task } from './task.ts';
import { expireTimers } from './timers.ts';

/** A tick of this CPU. Source: core.c sched_tick (v6.12). */
export function onTick(m: Machine, rq: Rq, fireTimer: (m: Machine, p: Task, cpu: number) => void): void {
  touch(m, rq);
  chargeTick(m, rq);
  expireTimers(m, rq, fireTimer);
  if (rq.curr !== undefined) classOf(rq.curr).taskTick(m, rq, rq.curr);
  enforceRttime(m, rq);
  enterSoftirq(m, rq);
}

/** Arms the next tick that can change something; none on an idle CPU (nohz). */
export function armTick(m: Machine, rq: Rq): void {
  const dueNs = nextTickNs(m, rq);
  if (dueNs === undefined) cancel(m.heap, rq.tickSlot);
  else arm(m.heap, rq.tickSlot, dueNs);
}

function nextTickNs(m: Machine, rq: Rq): Ns | undefined {
  const curr = rq.curr;
  if (curr === undefined) return undefined;
  const isRr = curr.policy === 'rr';
  const awaits = awaitsInterrupt(m, rq);
  const isFree = curr.classId === ClassId.rt && curr.rttimeLimitNs === undefined;
  const isQuiet = isFree && !isRr && !awaits && rq.timers.length === 0 && m.rules.rtThrottle === undefined;
  if (isQuiet && curr.classId !== ClassId.fair) return undefined;
  const next = tickAtOrAfter(m, Math.max(m.nowNs, rq.tickDoneNs + 1));
  // Fair: every tick accounts, may renew a request and may end a slice.
  if (curr.classId === ClassId.fair) return next;
  let due = earlier(throttleTickNs(m, rq), awaits ? next : undefined);
  if (isRr && !aloneInList(rq, curr)) due = earlier(due, next + (curr.timeSliceTicks - 1) * m.rules.tickNs);
  if (curr.classId === ClassId.dl) due = earlier(due, dlTickNs(m, curr));
  else due = earlier(due, rttimeTickNs(m, curr, next));
  for (const p of rq.timers) {
    const tick = tickAtOrAfter(m, Math.max(p.timerSoftNs, next));
    if (tick < p.timerHardNs) due = earlier(due, tick);
  }
  return due;
}

function earlier(a: Ns | undefined, b: Ns | undefined): Ns | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}
