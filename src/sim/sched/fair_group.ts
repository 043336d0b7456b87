// Groups of tasks: what a group's entity weighs on each CPU. Source: kernel/sched/fair.c update_cfs_group,
// calc_group_shares; core.c cpu_weight_write_u64 (v6.12). Facts 11.1, 11.2.
// Not modelled: the load averages (PELT) behind a group's load; the weights of the moment take their place.

import type { GroupSpec } from '../../scenario/scenario.ts';
import type { CfsRq, SchedEntity } from '../entity.ts';
import { sharesOf } from '../group.ts';
import type { Machine } from '../machine.ts';
import type { Task } from '../task.ts';
import { reweightCfs } from './fair_cfs.ts';
import { reweightEevdf } from './fair_eevdf.ts';
import { inverseWeight, WEIGHT_IDLEPRIO } from './weights.ts';

const MIN_SHARES = 2;

/** The queue of the fair class that `p` belongs to on its CPU. */
export function cfsRqOf(m: Machine, p: Task): CfsRq {
  return p.group < 0 ? m.rqs[p.cpu]!.cfs : m.groups[p.group]!.cfsRqs[p.cpu]!;
}

/** A group's entity takes the part of the group's shares that its CPU's load is of the group's load. Source: update_cfs_group. O(CPUs). */
export function updateGroupShares(m: Machine, se: SchedEntity): void {
  const own = se.groupQueue;
  // An empty group keeps its weight: it may be waiting out its lag.
  if (own === undefined || own.throttleCount > 0 || own.loadWeight === 0) return;
  const group = m.groups[own.group]!;
  let load = 0;
  for (const cfs of group.cfsRqs) load += cfs.loadWeight;
  const weight = group.spec.idle
    ? WEIGHT_IDLEPRIO
    : Math.max(MIN_SHARES, Math.floor((group.shares * own.loadWeight) / load));
  if (weight === se.weight) return;
  if (m.rules.isEevdf) reweightEevdf(m, se.cfsRq!, se, weight, inverseWeight(weight));
  else reweightCfs(m, se.cfsRq!, se, weight, inverseWeight(weight));
}

/** An intervention gives the groups other weights. Quotas: fair_bandwidth.ts. */
export function groupWeightsChanged(m: Machine, specs: readonly GroupSpec[]): void {
  for (const group of m.groups) {
    const spec = specs.find((s) => s.name === group.spec.name);
    if (spec === undefined || (spec.weight === group.spec.weight && spec.idle === group.spec.idle)) continue;
    group.spec = { ...group.spec, weight: spec.weight, idle: spec.idle };
    group.shares = sharesOf(spec);
    for (const cfs of group.cfsRqs) {
      const se = cfs.entity!;
      if (se.onRq && se.idle !== spec.idle) se.cfsRq!.nrIdle += spec.idle ? 1 : -1;
      se.idle = spec.idle;
      updateGroupShares(m, se);
    }
  }
}
