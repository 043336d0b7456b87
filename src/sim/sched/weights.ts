// Nice values as weights. Source: core.c sched_prio_to_weight and sched_prio_to_wmult (v6.1, unchanged in 7.3). Fact 1.5.

import { mulShift32 } from '../../base/mul_shift.ts';
import type { Ns } from '../../base/units.ts';

/** Index: nice + 20. */
export const PRIO_TO_WEIGHT: readonly number[] = [
  88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991,
  1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

const PRIO_TO_WMULT: readonly number[] = [
  48388, 59856, 76040, 92818, 118348, 147320, 184698, 229616, 287308, 360437, 449829, 563644, 704093, 875809, 1099582,
  1376151, 1717300, 2157191, 2708050, 3363326, 4194304, 5237765, 6557202, 8165337, 10153587, 12820798, 15790321,
  19976592, 24970740, 31350126, 39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708,
  238609294, 286331153,
];

export const NICE_0_WEIGHT = 1024;
export const WEIGHT_IDLEPRIO = 3;
const WMULT_IDLEPRIO = 1431655765;
const WMULT_CONST = 0xffffffff;

/** Weight of a fair task by its policy and nice. */
export function weightOf(policy: string, nice: number): number {
  return policy === 'idle' ? WEIGHT_IDLEPRIO : PRIO_TO_WEIGHT[nice + 20]!;
}

/** 2^32 / weight as the kernel tabulates it; for sums of weights as __update_inv_weight computes it. */
export function inverseWeight(weight: number): number {
  if (weight === WEIGHT_IDLEPRIO) return WMULT_IDLEPRIO;
  const at = PRIO_TO_WEIGHT.indexOf(weight);
  return at >= 0 ? PRIO_TO_WMULT[at]! : Math.floor(WMULT_CONST / weight);
}

/**
 * Virtual time of `deltaNs` of CPU at this weight: floor(delta * 1024 * inverse / 2^32), exactly delta at weight 1024.
 * Source: fair.c calc_delta_fair, __calc_delta (v6.1). Fact 1.6.
 */
export function calcDeltaFair(deltaNs: Ns, weight: number, inverse: number): number {
  if (weight === NICE_0_WEIGHT) return deltaNs;
  return mulShift32(deltaNs, NICE_0_WEIGHT * inverse);
}

/**
 * floor(delta * weight / total): a slice's share of a period. The kernel multiplies by a truncated inverse of the
 * total and can be 2 ns short; the exact value is taken here, as checks V3, V8 and V9 do. Exact below 2^53.
 */
export function shareOf(deltaNs: Ns, weight: number, totalWeight: number): number {
  return Math.floor((deltaNs * weight) / totalWeight);
}
