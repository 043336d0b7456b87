// Policy, nice and priority numbers of a task. Facts 1.3-1.5.

import type { Ns } from '../../base/units.ts';
import type { Policy } from '../../trace/meta.ts';
import { ClassId, type Task } from '../task.ts';
import { inverseWeight, weightOf } from './weights.ts';

export function isRtPolicy(policy: Policy): boolean {
  return policy === 'fifo' || policy === 'rr';
}

/** Kernel prio by policy, before inheritance. Source: core.c __normal_prio. */
export function normalPrioOf(policy: Policy, rtPrio: number, nice: number): number {
  if (policy === 'deadline') return -1;
  return isRtPolicy(policy) ? 99 - rtPrio : 120 + nice;
}

export function classIdOf(prio: number): ClassId {
  if (prio < 0) return ClassId.dl;
  return prio < 100 ? ClassId.rt : ClassId.fair;
}

/** Fills in what follows from policy, rtPrio and nice, for a task that is not queued and not boosted. */
export function initAttrs(p: Task, rrTicks: number): void {
  p.normalPrio = normalPrioOf(p.policy, p.rtPrio, p.nice);
  p.prio = p.normalPrio;
  p.classId = classIdOf(p.prio);
  p.se.idle = p.policy === 'idle';
  p.se.weight = weightOf(p.policy, p.nice);
  p.se.inverse = inverseWeight(p.se.weight);
  p.timeSliceTicks = rrTicks;
}

/** Fair threads' slack where nothing says otherwise. */
const DEFAULT_SLACK_NS = 50_000;

/** Timer slack: how late a sleep of `p` may end. Fact 8.2. */
export function slackOf(p: Task): Ns {
  return p.timerSlackNs;
}

/** Slack of a thread that nobody forked, or whose document says it. */
export function initSlack(p: Task, givenNs: Ns | undefined): void {
  p.defaultSlackNs = givenNs ?? DEFAULT_SLACK_NS;
  p.timerSlackNs = givenNs ?? (hasNoSlack(p.policy) ? 0 : DEFAULT_SLACK_NS);
}

/** The child of a real-time thread has a default of 0, so that it has no slack as a fair one either. Source: fork.c copy_process. */
export function inheritSlack(child: Task, parent: Task): void {
  child.defaultSlackNs = parent.timerSlackNs;
  child.timerSlackNs = parent.timerSlackNs;
}

/** A policy was set (the policy counts, not an inherited priority). Source: syscalls.c __setscheduler_params (v6.12, v6.1.176). */
export function slackAfterPolicy(p: Task): void {
  if (hasNoSlack(p.policy)) p.timerSlackNs = 0;
  else if (p.timerSlackNs === 0) p.timerSlackNs = p.defaultSlackNs;
}

function hasNoSlack(policy: Policy): boolean {
  return isRtPolicy(policy) || policy === 'deadline';
}
