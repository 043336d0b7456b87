// task_group as plain data: a control group or a session, with one queue of the fair class per CPU.
// Source: kernel/sched/sched.h task_group, cfs_bandwidth (v6.12).

import type { Ns } from '../base/units.ts';
import type { GroupSpec } from '../scenario/scenario.ts';
import { type CfsRq, createCfsRq, createEntity } from './entity.ts';
import type { Rq } from './rq.ts';
import { inverseWeight, WEIGHT_IDLEPRIO } from './sched/weights.ts';

/** The quota of a group. Source: struct cfs_bandwidth. Fact 11.3. */
export interface Bandwidth {
  /** undefined: no quota. */
  quotaNs: Ns | undefined;
  periodNs: Ns;
  burstNs: Ns;
  /** Periods begin at this instant modulo periodNs. */
  phaseNs: Ns;
  /** CPU time that no CPU has taken yet. */
  poolNs: Ns;
  /** The period timer runs. */
  periodActive: boolean;
  /** Nothing was taken from the pool since the last refill. */
  idle: boolean;
  /** CPUs whose queue of this group is throttled, in the order in which that happened. */
  throttledCpus: number[];
  /** The timer runs that gives returned time to throttled CPUs. */
  slackStarted: boolean;
}

export interface Group {
  readonly id: number;
  spec: GroupSpec;
  /** Index into machine.groups; -1: the root. */
  readonly parent: number;
  /** Weight of the whole group, shared out over the CPUs by their load. */
  shares: number;
  /** By CPU. */
  readonly cfsRqs: readonly CfsRq[];
  readonly bandwidth: Bandwidth;
  readonly periodSlot: number;
  readonly slackSlot: number;
}

/** Kernel shares of a cgroup weight 1..10000: round(weight * 1024 / 100); idle groups weigh 3. Source: sched_weight_from_cgroup. Facts 11.1, 11.2. */
export function sharesOf(spec: GroupSpec): number {
  return spec.idle ? WEIGHT_IDLEPRIO : Math.round((spec.weight * 1024) / 100);
}

/** A group with its queues, empty. Its parent must be in `groups` already. */
export function createGroup(
  spec: GroupSpec,
  groups: readonly Group[],
  rqs: readonly Rq[],
  slots: { readonly period: number; readonly slack: number },
): Group {
  const id = groups.length;
  const shares = sharesOf(spec);
  const cfsRqs = rqs.map((rq) => {
    const cfs = createCfsRq(rq.cpu, id);
    const se = createEntity(undefined, cfs);
    se.cfsRq = spec.parent < 0 ? rq.cfs : groups[spec.parent]!.cfsRqs[rq.cpu]!;
    se.idle = spec.idle;
    se.weight = shares;
    se.inverse = inverseWeight(shares);
    cfs.entity = se;
    return cfs;
  });
  return {
    id,
    spec,
    parent: spec.parent,
    shares,
    cfsRqs,
    bandwidth: {
      quotaNs: spec.quotaNs,
      periodNs: spec.periodNs,
      burstNs: spec.burstNs,
      phaseNs: spec.periodPhaseNs,
      poolNs: spec.quotaNs ?? 0,
      periodActive: false,
      idle: false,
      throttledCpus: [],
      slackStarted: false,
    },
    periodSlot: slots.period,
    slackSlot: slots.slack,
  };
}
