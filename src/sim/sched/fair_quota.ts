// The quota of a group: what a CPU takes from the pool, uses and gives back. What follows when nothing is left is in
// fair_throttle.ts. Source: kernel/sched/fair.c __assign_cfs_rq_runtime, __account_cfs_rq_runtime,
// return_cfs_rq_runtime, start_cfs_bandwidth (v6.1, v6.12). Fact 11.3.

import { arm } from '../../base/indexed_heap.ts';
import { msToNs, type Ns } from '../../base/units.ts';
import type { CfsRq } from '../entity.ts';
import type { Group } from '../group.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { reschedCurr } from './resched.ts';

/** What a CPU keeps when it gives back. Source: min_cfs_rq_runtime. */
const KEPT_NS = msToNs(1);
const SLACK_PERIOD_NS = msToNs(5);
const MIN_EXPIRATION_NS = msToNs(2);

/** True where `cfs` belongs to a group with a quota. Source: runtime_enabled. */
export function hasQuota(m: Machine, cfs: CfsRq): boolean {
  return cfs.group >= 0 && m.groups[cfs.group]!.bandwidth.quotaNs !== undefined;
}

/** Takes from the pool until `cfs` has `targetNs`, or the pool is empty. True when it has time to run. Source: __assign_cfs_rq_runtime. */
export function assignRuntime(m: Machine, cfs: CfsRq, targetNs: Ns): boolean {
  const group = m.groups[cfs.group]!;
  const bandwidth = group.bandwidth;
  startPeriodTimer(m, group);
  if (bandwidth.poolNs > 0) {
    const amount = Math.min(bandwidth.poolNs, targetNs - cfs.runtimeRemainingNs);
    bandwidth.poolNs -= amount;
    bandwidth.idle = false;
    cfs.runtimeRemainingNs += amount;
  }
  return cfs.runtimeRemainingNs > 0;
}

/** The period timer runs from the first use on, on the grid of the group's phase. Source: start_cfs_bandwidth. */
export function startPeriodTimer(m: Machine, group: Group): void {
  const bandwidth = group.bandwidth;
  if (bandwidth.periodActive || bandwidth.quotaNs === undefined) return;
  bandwidth.periodActive = true;
  const { phaseNs, periodNs } = bandwidth;
  arm(m.heap, group.periodSlot, phaseNs + (Math.floor((m.nowNs - phaseNs) / periodNs) + 1) * periodNs);
}

/** Charges CPU time that a group used on a CPU. Asks for a switch when it can't get more. Source: __account_cfs_rq_runtime. */
export function accountQuota(m: Machine, rq: Rq, cfs: CfsRq, deltaNs: Ns): void {
  if (!hasQuota(m, cfs)) return;
  cfs.runtimeRemainingNs -= deltaNs;
  if (cfs.runtimeRemainingNs > 0 || cfs.throttled) return;
  if (!assignRuntime(m, cfs, m.rules.cfsBandwidthSliceNs) && cfs.curr !== undefined) reschedCurr(m, rq);
}

/** A CPU whose queue of the group went empty gives back what it has above 1 ms. Source: return_cfs_rq_runtime. */
export function returnQuota(m: Machine, cfs: CfsRq): void {
  if (!hasQuota(m, cfs) || cfs.nrRunning > 0) return;
  const slack = cfs.runtimeRemainingNs - KEPT_NS;
  if (slack <= 0) return;
  const group = m.groups[cfs.group]!;
  const bandwidth = group.bandwidth;
  bandwidth.poolNs += slack;
  cfs.runtimeRemainingNs -= slack;
  if (bandwidth.poolNs <= m.rules.cfsBandwidthSliceNs || bandwidth.throttledCpus.length === 0 || bandwidth.slackStarted)
    return;
  if (refreshWithin(m, group, SLACK_PERIOD_NS + MIN_EXPIRATION_NS)) return;
  bandwidth.slackStarted = true;
  arm(m.heap, group.slackSlot, m.nowNs + SLACK_PERIOD_NS);
}

/** The slack timer has fired: how much of the pool may be handed out now. Source: do_sched_cfs_slack_timer. */
export function slackToShare(m: Machine, group: Group): Ns {
  group.bandwidth.slackStarted = false;
  if (refreshWithin(m, group, MIN_EXPIRATION_NS)) return 0;
  return group.bandwidth.poolNs > m.rules.cfsBandwidthSliceNs ? group.bandwidth.poolNs : 0;
}

/** The next refill is so near that it is not worth while to hand out the rest. Source: runtime_refresh_within. */
function refreshWithin(m: Machine, group: Group, spanNs: Ns): boolean {
  return group.bandwidth.periodActive && m.heap.whenNs[group.periodSlot]! - m.nowNs < spanNs;
}
