// Load averages that decay as PELT's do (half-life 32 periods of 1024 us), kept only where balancing needs
// them: how much of a CPU real-time tasks take, and how much fair tasks want it.
// Source: kernel/sched/pelt.c (v6.12). Not modelled: per-entity averages, frequency and CPU invariance.

import type { Ns } from '../../base/units.ts';
import type { Machine } from '../machine.ts';
import { type LoadAverage, nrRunnable, type Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';

const FULL = 1024;
const PERIOD_NS = 1024 * 1024;
/** y with y^32 = 0.5; powers by multiplication alone, so that every engine gets the same bits. */
const Y = 0.9785720620877001;
const POWERS: readonly number[] = powers(64);

function powers(count: number): number[] {
  const list = [1];
  for (let n = 1; n < count; n++) list.push(list[n - 1]! * Y);
  return list;
}

function decayOver(periods: number): number {
  if (periods >= 64 * 16) return 0;
  let decay = 1;
  let left = periods;
  while (left >= POWERS.length) {
    decay *= POWERS[POWERS.length - 1]!;
    left -= POWERS.length - 1;
  }
  return decay * POWERS[left]!;
}

/** Brings `avg` to `now` as if its input had been `target` since its last update. Whole periods only; the rest is kept. */
function advance(avg: LoadAverage, target: number, now: Ns): void {
  if (now - avg.atNs < PERIOD_NS) return;
  const periods = Math.floor((now - avg.atNs) / PERIOD_NS);
  const decay = decayOver(periods);
  avg.value = avg.value * decay + target * (1 - decay);
  avg.atNs += periods * PERIOD_NS;
}

/** As `advance`, for inputs that change within a period: the broken part of a period decays linearly (off by less than 0.006 %). */
function advanceExactly(avg: LoadAverage, target: number, now: Ns): void {
  const elapsed = (now - avg.atNs) / PERIOD_NS;
  if (elapsed <= 0) return;
  const whole = Math.floor(elapsed);
  const decay = decayOver(whole) * (1 - (elapsed - whole) * (1 - Y));
  avg.value = avg.value * decay + target * (1 - decay);
  avg.atNs = now;
}

/** The CPU goes from its current task to `next`: what fair tasks used of it, and what each of the two did. Call before the change. */
export function noteUse(m: Machine, rq: Rq, next: Task | undefined): void {
  if (m.rqs.length === 1) return;
  const curr = rq.curr;
  noteFairUse(m, rq);
  if (curr !== undefined) advanceExactly(curr.util, FULL, m.nowNs);
  if (next !== undefined) advanceExactly(next.util, 0, m.nowNs);
}

function noteFairUse(m: Machine, rq: Rq): void {
  advanceExactly(rq.fairUtil, rq.curr !== undefined && rq.curr.classId === ClassId.fair ? FULL : 0, m.nowNs);
}

/** What fair tasks use of the CPU, 0..1024. Source: fair.c cpu_util_cfs. */
export function fairUtil(m: Machine, rq: Rq): number {
  noteFairUse(m, rq);
  return rq.fairUtil.value;
}

/** A fair task is about to be queued (it did not want a CPU since it left), or leaves its queue. */
export function noteWants(m: Machine, p: Task, wanted: boolean): void {
  if (m.rqs.length > 1) advanceExactly(p.runnable, wanted ? FULL : 0, m.nowNs);
}

/** A fair task that is not queued goes to another CPU and takes its part of the averages along. Source: fair.c detach_entity_load_avg, attach_entity_load_avg. */
export function moveLoad(m: Machine, p: Task, from: Rq, to: Rq): void {
  if (p.classId !== ClassId.fair) return;
  advanceExactly(p.util, 0, m.nowNs);
  advanceExactly(p.runnable, 0, m.nowNs);
  noteFairLoad(m, from);
  noteFairLoad(m, to);
  from.fairLoad.value = Math.max(0, from.fairLoad.value - p.runnable.value);
  to.fairLoad.value += p.runnable.value;
  noteFairUse(m, from);
  noteFairUse(m, to);
  from.fairUtil.value = Math.max(0, from.fairUtil.value - p.util.value);
  to.fairUtil.value += p.util.value;
}

/** How many fair tasks want the CPU, as an average of 1024 per task. */
export function fairRunnable(m: Machine, rq: Rq): number {
  noteFairLoad(m, rq);
  return rq.fairLoad.value;
}

/** Accounts the number of runnable fair tasks up to now. Call before it changes. */
export function noteFairLoad(m: Machine, rq: Rq): void {
  advance(rq.fairLoad, FULL * nrRunnable(rq), m.nowNs);
}

/** A new task counts as if it had used half of what its CPU has left. Source: fair.c post_init_entity_util_avg (v6.12). Call before it is queued. */
export function addNewTaskLoad(m: Machine, rq: Rq): void {
  noteFairLoad(m, rq);
  rq.fairLoad.value += Math.max(0, (FULL - rq.fairLoad.value) / 2);
}

/** Accounts real-time use of the CPU up to now. Call before its current task changes. */
export function noteRtLoad(m: Machine, rq: Rq): void {
  advance(rq.rtLoad, rq.curr !== undefined && rq.curr.classId <= ClassId.rt ? FULL : 0, m.nowNs);
}

/** What real-time tasks leave of the CPU, 1..1024. Source: fair.c scale_rt_capacity. */
export function fairCapacity(m: Machine, rq: Rq): number {
  noteRtLoad(m, rq);
  return Math.max(1, FULL - rq.rtLoad.value);
}
