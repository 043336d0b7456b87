// From which CPU a CPU may take fair tasks, and how much. Each CPU is a group of its own. Source: fair.c
// find_busiest_group, group_classify, update_sd_pick_busiest, calculate_imbalance (v6.1, v6.12). Facts 9.3-9.5.
//
// What follows and decides outcomes:
// - a single fair task that waits behind a real-time one is not "too much" for its CPU until real-time use has eaten
//   so much of the capacity that the CPU counts as overloaded;
// - a CPU that has just given a task away has a low utilisation and counts as having room for some 57 ms: with room, a
//   difference of one task is none (half of it, rounded down); only then the loads are compared.

import { parentOf } from '../entity.ts';
import type { Machine } from '../machine.ts';
import { nrRunnable, type Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import { fairCapacity, fairRunnable, fairUtil } from './load.ts';

const IMBALANCE_PCT = 117;

const GroupType = { hasSpare: 0, fullyBusy: 1, overloaded: 2 } as const;
type GroupType = (typeof GroupType)[keyof typeof GroupType];

interface Stats {
  readonly type: GroupType;
  /** Runnable tasks of all classes, and fair ones. */
  readonly nr: number;
  readonly nrFair: number;
  readonly load: number;
  readonly capacity: number;
  readonly avgLoad: number;
}

/** What may be taken: tasks by number, or load in units of 1024 per nice-0 task. */
export interface Imbalance {
  readonly source: Rq;
  readonly byLoad: boolean;
  readonly amount: number;
}

function statsOf(m: Machine, rq: Rq): Stats {
  const nrFair = nrRunnable(rq);
  const nr = nrFair + rq.rt.queue.length + rq.dl.queue.length;
  const capacity = fairCapacity(m, rq);
  const load = rq.cfs.loadWeight;
  return { type: classify(m, rq, nr, capacity), nr, nrFair, load, capacity, avgLoad: (load * 1024) / capacity };
}

/** Source: group_is_overloaded, group_has_capacity. */
function classify(m: Machine, rq: Rq, nr: number, capacity: number): GroupType {
  if (nr === 0) return GroupType.hasSpare;
  const util = fairUtil(m, rq);
  const runnable = fairRunnable(m, rq);
  const tooMuchWanted = capacity * IMBALANCE_PCT < runnable * 100;
  const used = capacity * 100 < util * IMBALANCE_PCT;
  if (nr > 1 && (used || tooMuchWanted)) return GroupType.overloaded;
  return tooMuchWanted || used ? GroupType.fullyBusy : GroupType.hasSpare;
}

/**
 * The CPU that `rq` should take from; undefined: balanced.
 *
 * @param idle `rq` has nothing to run
 * @param hasMovable some waiting task of the source may run on the CPU
 */
export function findBusiest(
  m: Machine,
  rq: Rq,
  idle: boolean,
  hasMovable: (source: Rq, cpu: number) => boolean,
): Imbalance | undefined {
  let source: Rq | undefined;
  let busiest: Stats | undefined;
  // Most CPUs have nobody to give away: what they are busy with is asked only where the average counts.
  for (const other of m.rqs) {
    if (other === rq || nrRunnable(other) === 0 || !hasMovable(other, rq.cpu)) continue;
    const stats = statsOf(m, other);
    if (!isBusier(stats, busiest)) continue;
    source = other;
    busiest = stats;
  }
  if (source === undefined || busiest === undefined) return undefined;
  const local = statsOf(m, rq);
  if (local.type > busiest.type) return undefined;
  const average = local.type === GroupType.hasSpare ? 0 : averageLoad(m);
  if (local.type === GroupType.overloaded) {
    if (local.avgLoad >= busiest.avgLoad || local.avgLoad >= average) return undefined;
    if (100 * busiest.avgLoad <= IMBALANCE_PCT * local.avgLoad) return undefined;
  }
  if (busiest.type !== GroupType.overloaded && (!idle || busiest.nrFair === 1)) return undefined;
  return imbalanceOf(source, local, busiest, average);
}

/** Load of all CPUs by their capacity. */
function averageLoad(m: Machine): number {
  let load = 0;
  let capacity = 0;
  for (const rq of m.rqs) {
    load += rq.cfs.loadWeight;
    capacity += fairCapacity(m, rq);
  }
  return (load * 1024) / capacity;
}

function isBusier(stats: Stats, busiest: Stats | undefined): boolean {
  if (busiest === undefined) return true;
  if (stats.type !== busiest.type) return stats.type > busiest.type;
  return stats.type === GroupType.hasSpare ? stats.nr > busiest.nr : stats.avgLoad > busiest.avgLoad;
}

/** Source: calculate_imbalance. */
function imbalanceOf(source: Rq, local: Stats, busiest: Stats, average: number): Imbalance | undefined {
  if (local.type === GroupType.hasSpare) {
    const amount = Math.floor((busiest.nr - local.nr) / 2);
    return amount > 0 ? { source, byLoad: false, amount } : undefined;
  }
  if (local.avgLoad >= busiest.avgLoad || local.avgLoad >= average) return undefined;
  const amount =
    Math.min((busiest.avgLoad - average) * busiest.capacity, (average - local.avgLoad) * local.capacity) / 1024;
  return amount > 0 ? { source, byLoad: true, amount } : undefined;
}

/** Load of a task as its CPU's root queue sees it: its part of its group's weight there. Source: task_h_load. */
export function hLoad(p: Task): number {
  let load = p.se.weight;
  for (let se = parentOf(p.se); se !== undefined; se = parentOf(se)) {
    load = (load * se.weight) / Math.max(1, se.groupQueue!.loadWeight);
  }
  return load;
}
