// The kernel's own names for its tunables and scheduler features, and which kernels have them.
// Sources: kernel/sched/features.h and fair.c of 6.1.176, 6.12.117, 7.2.13 (fact sheet, sections 2, 3, 12).

import type { KernelId } from './scenario.ts';

const CFS: readonly KernelId[] = ['6.1'];
const EEVDF: readonly KernelId[] = ['6.6', '6.12', '7.2'];
const BEFORE_6_12: readonly KernelId[] = ['6.1', '6.6'];
const SINCE_6_12: readonly KernelId[] = ['6.12', '7.2'];
const ALL: readonly KernelId[] = ['6.1', '6.6', '6.12', '7.2'];

export const KERNELS: readonly KernelId[] = ALL;

/** Tunables of /sys/kernel/debug/sched and /proc/sys/kernel, with the kernels on which they mean something. */
export const TUNABLES: ReadonlyMap<string, readonly KernelId[]> = new Map([
  ['latency_ns', CFS],
  ['min_granularity_ns', CFS],
  ['wakeup_granularity_ns', CFS],
  ['idle_min_granularity_ns', CFS],
  ['base_slice_ns', EEVDF],
  ['migration_cost_ns', ALL],
  ['sched_rr_timeslice_ms', ALL],
  ['sched_cfs_bandwidth_slice_us', ALL],
  ['sched_deadline_period_min_us', ALL],
  ['sched_deadline_period_max_us', ALL],
]);

/** Scheduler features, as /sys/kernel/debug/sched/features names them. */
export const FEATURES: ReadonlyMap<string, readonly KernelId[]> = new Map([
  ['GENTLE_FAIR_SLEEPERS', CFS],
  ['START_DEBIT', CFS],
  ['LAST_BUDDY', CFS],
  ['ALT_PERIOD', CFS],
  ['BASE_SLICE', CFS],
  ['SIS_PROP', BEFORE_6_12],
  ['DOUBLE_TICK', ['6.1', '6.6', '6.12']],
  ['UTIL_EST_FASTUP', BEFORE_6_12],
  ['PLACE_LAG', EEVDF],
  ['PLACE_DEADLINE_INITIAL', EEVDF],
  ['RUN_TO_PARITY', EEVDF],
  ['PLACE_REL_DEADLINE', SINCE_6_12],
  ['PREEMPT_SHORT', SINCE_6_12],
  ['DELAY_DEQUEUE', SINCE_6_12],
  ['DELAY_ZERO', SINCE_6_12],
  ['PICK_BUDDY', SINCE_6_12],
  ['NI_RANDOM', ALL],
  ['NI_RATE', ['7.2']],
  ['NEXT_BUDDY', ALL],
  ['CACHE_HOT_BUDDY', ALL],
  ['WAKEUP_PREEMPTION', ALL],
  ['HRTICK', ALL],
  ['HRTICK_DL', ALL],
  ['NONTASK_CAPACITY', ALL],
  ['TTWU_QUEUE', ALL],
  ['SIS_UTIL', ALL],
  ['WARN_DOUBLE_CLOCK', ALL],
  ['RT_PUSH_IPI', ALL],
  ['RT_RUNTIME_SHARE', ALL],
  ['LB_MIN', ALL],
  ['ATTACH_AGE_LOAD', ALL],
  ['WA_IDLE', ALL],
  ['WA_WEIGHT', ALL],
  ['WA_BIAS', ALL],
  ['UTIL_EST', ALL],
  ['LATENCY_WARN', ALL],
]);

export function hasRtThrottling(kernel: KernelId): boolean {
  return kernel === '6.1' || kernel === '6.6';
}

export function hasFairServer(kernel: KernelId): boolean {
  return kernel === '6.12' || kernel === '7.2';
}

/** Custom slices of fair threads by sched_setattr (fact 3.10). */
export function hasCustomSlice(kernel: KernelId): boolean {
  return kernel === '6.12' || kernel === '7.2';
}
