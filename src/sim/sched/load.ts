// Load averages that decay as PELT's do (half-life 32 periods of 1024 us), kept only where balancing needs
// them: how much of a CPU real-time tasks take, and how much fair tasks want it.
// Source: kernel/sched/pelt.c (v6.12). Not modelled: per-entity averages, frequency and CPU invariance.

import type { Ns } from '../../base/units.ts';
import type { Machine } from '../machine.ts';
import { type LoadAverage, nrRunnable, type Rq } from '../rq.ts';
import { ClassId } from '../task.ts';

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

/** Fair tasks want clearly more than this CPU has for them. Source: fair.c group_is_overloaded (imbalance_pct 117). */
export function isOverloaded(m: Machine, rq: Rq): boolean {
  if (nrRunnable(rq) + rq.rt.queue.length + rq.dl.queue.length < 2) return false;
  noteFairLoad(m, rq);
  return fairCapacity(m, rq) * 117 < rq.fairLoad.value * 100;
}
