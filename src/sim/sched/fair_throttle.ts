// Groups that are out of quota leave their CPU until they get more. Source: kernel/sched/fair.c throttle_cfs_rq,
// unthrottle_cfs_rq, distribute_cfs_runtime, do_sched_cfs_period_timer (v6.1, v6.12). Fact 11.3.
// Not modelled: 7.x throttles each task on its way back to user space; here the queue stops as a whole on all kernels.

import { arm, cancel } from '../../base/indexed_heap.ts';
import type { Ns } from '../../base/units.ts';
import type { GroupSpec } from '../../scenario/scenario.ts';
import { DecisionRule, StopReason, WaitReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import { type CfsRq, parentOf, type SchedEntity } from '../entity.ts';
import type { Group } from '../group.ts';
import type { Machine } from '../machine.ts';
import { recordDecision, recordGroupThrottle, recordTaskState, SegKind } from '../recorder.ts';
import { nrRunnable, type Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import { noteWaiting } from '../verdicts/tracker.ts';
import { QueueFlag } from './class.ts';
import { dequeueEntity, enqueueEntity } from './fair_entity.ts';
import { accountQuota, assignRuntime, hasQuota, slackToShare, startPeriodTimer } from './fair_quota.ts';
import { startFairServer, stopFairServer } from './fair_server.ts';
import { noteFairLoad } from './load.ts';
import { reschedCurr } from './resched.ts';

/** Does `group` lie in the group `top`, or is it that? */
function isWithin(m: Machine, group: number, top: number): boolean {
  let at = group;
  while (at > top) at = m.groups[at]!.parent;
  return at === top;
}

function countThrottle(m: Machine, cfs: CfsRq, by: 1 | -1): void {
  for (const group of m.groups) {
    if (isWithin(m, group.id, cfs.group)) group.cfsRqs[cfs.cpu]!.throttleCount += by;
  }
}

/** Tasks queued in a group and in groups below, without the running one and those that are blocked. */
function waitingIn(cfs: CfsRq, out: Task[]): Task[] {
  const add = (se: SchedEntity) => {
    if (se.groupQueue !== undefined) waitingIn(se.groupQueue, out);
    else if (se.task !== undefined && !se.task.onCpu && !se.schedDelayed) out.push(se.task);
  };
  if (cfs.curr?.onRq === true) add(cfs.curr);
  for (const se of cfs.queue) add(se);
  return out;
}

/** Out of quota? Then the queue is throttled, unless the pool has something after all. True: it is throttled. Source: check_cfs_rq_runtime. */
export function checkQuota(m: Machine, rq: Rq, cfs: CfsRq): boolean {
  if (!hasQuota(m, cfs) || cfs.runtimeRemainingNs > 0) return false;
  return cfs.throttled || throttle(m, rq, cfs);
}

/** The first entity came to a queue that was empty: may it run? Source: check_enqueue_throttle. */
export function checkEnqueueThrottle(m: Machine, rq: Rq, cfs: CfsRq): void {
  if (cfs.nrRunning !== 1 || !hasQuota(m, cfs) || cfs.curr !== undefined || cfs.throttled) return;
  accountQuota(m, rq, cfs, 0);
  if (cfs.runtimeRemainingNs <= 0) throttle(m, rq, cfs);
}

/** Takes the entity of `cfs` off, and with it groups above that are left empty; up to a group that is off already. */
function leaveQueues(m: Machine, cfs: CfsRq): void {
  let takesOff = true;
  for (let se = cfs.entity; se?.onRq === true; se = parentOf(se)) {
    const above = se.cfsRq!;
    if (takesOff) {
      const how = se.schedDelayed ? QueueFlag.delayed : QueueFlag.special;
      dequeueEntity(m, se, QueueFlag.sleep | how);
    }
    above.hNrQueued -= cfs.hNrQueued;
    above.hNrDelayed -= cfs.hNrDelayed;
    if (above.loadWeight > 0) takesOff = false;
  }
}

function throttle(m: Machine, rq: Rq, cfs: CfsRq): boolean {
  if (assignRuntime(m, cfs, 1)) return false;
  const group = m.groups[cfs.group]!;
  noteFairLoad(m, rq);
  group.bandwidth.throttledCpus.push(cfs.cpu);
  countThrottle(m, cfs, 1);
  const couldRun = nrRunnable(rq) > 0;
  const waiting = waitingIn(cfs, []);
  leaveQueues(m, cfs);
  if (couldRun && nrRunnable(rq) === 0) stopFairServer(m, rq);
  cfs.throttled = true;
  recordGroupThrottle(m, cfs.cpu, cfs.group, true);
  const subject = rq.curr ?? waiting[0];
  if (subject !== undefined)
    recordDecision(
      m,
      subject,
      DecisionRule.groupQuota,
      undefined,
      true,
      group.bandwidth.poolNs,
      1 - cfs.runtimeRemainingNs,
    );
  for (const p of waiting) noteThrottled(m, p, cfs.group);
  return true;
}

/** Writes that a runnable task can't run because of a group's quota. */
export function noteThrottled(m: Machine, p: Task, group: number): void {
  recordTaskState(m, p, SegKind.throttled, StopReason.quotaSpent, group, -1);
  noteWaiting(m, p);
}

/** The group whose quota holds `cfs` up: itself or the nearest above. Call where throttleCount > 0. */
export function throttledBy(m: Machine, cfs: CfsRq): number {
  let at = cfs.group;
  while (at >= 0 && !m.groups[at]!.cfsRqs[cfs.cpu]!.throttled) at = m.groups[at]!.parent;
  return at;
}

/** Source: unthrottle_cfs_rq. */
function unthrottle(m: Machine, cfs: CfsRq): void {
  const rq = m.rqs[cfs.cpu]!;
  touch(m, rq);
  noteFairLoad(m, rq);
  cfs.throttled = false;
  countThrottle(m, cfs, -1);
  recordGroupThrottle(m, cfs.cpu, cfs.group, false);
  const couldRun = nrRunnable(rq) > 0;
  if (cfs.loadWeight > 0) requeue(m, rq, cfs);
  if (!couldRun && nrRunnable(rq) > 0) startFairServer(m, rq);
  for (const p of waitingIn(cfs, [])) {
    if (p.se.cfsRq!.throttleCount > 0) continue;
    recordTaskState(m, p, SegKind.runnable, WaitReason.quotaRefilled, cfs.group, -1);
    noteWaiting(m, p);
  }
  if (rq.curr === undefined && rq.cfs.nrRunning > 0) reschedCurr(m, rq);
}

function requeue(m: Machine, rq: Rq, cfs: CfsRq): void {
  let se = cfs.entity;
  for (; se !== undefined && !se.onRq; se = parentOf(se)) {
    const above = se.cfsRq!;
    enqueueEntity(m, above, se, QueueFlag.sleep);
    checkEnqueueThrottle(m, rq, above);
    above.hNrQueued += cfs.hNrQueued;
    above.hNrDelayed += cfs.hNrDelayed;
    if (above.throttled) return;
  }
  for (; se !== undefined; se = parentOf(se)) {
    se.cfsRq!.hNrQueued += cfs.hNrQueued;
    se.cfsRq!.hNrDelayed += cfs.hNrDelayed;
    if (se.cfsRq!.throttled) return;
  }
}

/** Hands out up to `budgetNs` to throttled CPUs in the order of their throttling; each gets what it owes and 1 ns. Source: distribute_cfs_runtime. */
function distribute(m: Machine, group: Group, budgetNs: Ns): void {
  const bandwidth = group.bandwidth;
  let left = budgetNs;
  for (const cpu of [...bandwidth.throttledCpus]) {
    if (left <= 0) return;
    const cfs = group.cfsRqs[cpu]!;
    const amount = Math.min(left, 1 - cfs.runtimeRemainingNs);
    left -= amount;
    bandwidth.poolNs -= amount;
    cfs.runtimeRemainingNs += amount;
    if (cfs.runtimeRemainingNs <= 0) return;
    bandwidth.throttledCpus.splice(bandwidth.throttledCpus.indexOf(cpu), 1);
    unthrottle(m, cfs);
  }
}

/** The period timer: refills the pool and lets throttled CPUs go; stops when nothing was used for a period. Source: do_sched_cfs_period_timer. */
export function onCfsPeriod(m: Machine, group: Group): void {
  const bandwidth = group.bandwidth;
  const throttled = bandwidth.throttledCpus.length > 0;
  if (bandwidth.quotaNs === undefined || (bandwidth.idle && !throttled)) {
    refill(group);
    bandwidth.periodActive = false;
    return;
  }
  refill(group);
  arm(m.heap, group.periodSlot, m.nowNs + bandwidth.periodNs);
  if (!throttled) {
    bandwidth.idle = true;
    return;
  }
  distribute(m, group, bandwidth.poolNs);
  bandwidth.idle = false;
}

function refill(group: Group): void {
  const bandwidth = group.bandwidth;
  if (bandwidth.quotaNs === undefined) return;
  bandwidth.poolNs = Math.min(bandwidth.poolNs + bandwidth.quotaNs, bandwidth.quotaNs + bandwidth.burstNs);
}

/** The slack timer: what idle CPUs gave back goes to throttled ones. Source: do_sched_cfs_slack_timer. */
export function onCfsSlack(m: Machine, group: Group): void {
  distribute(m, group, slackToShare(m, group));
}

/** An intervention changes quotas. Source: tg_set_cfs_bandwidth. */
export function quotasChanged(m: Machine, specs: readonly GroupSpec[]): void {
  for (const group of m.groups) {
    const is = specs.find((s) => s.name === group.spec.name);
    if (is !== undefined && quotaKey(is) !== quotaKey(group.spec)) setQuota(m, group, is);
  }
}

function quotaKey(spec: GroupSpec): string {
  return [spec.quotaNs, spec.periodNs, spec.burstNs, spec.periodPhaseNs].join();
}

function setQuota(m: Machine, group: Group, is: GroupSpec): void {
  const bandwidth = group.bandwidth;
  const { quotaNs, periodNs, burstNs, periodPhaseNs } = is;
  group.spec = { ...is, weight: group.spec.weight, idle: group.spec.idle };
  bandwidth.quotaNs = quotaNs;
  bandwidth.periodNs = periodNs;
  bandwidth.burstNs = burstNs;
  bandwidth.phaseNs = periodPhaseNs;
  bandwidth.poolNs = quotaNs ?? 0;
  bandwidth.periodActive = false;
  cancel(m.heap, group.periodSlot);
  startPeriodTimer(m, group);
  bandwidth.throttledCpus.length = 0;
  for (const cfs of group.cfsRqs) {
    cfs.runtimeRemainingNs = 0;
    if (cfs.throttled) unthrottle(m, cfs);
  }
}
