// Policy, nice and priority numbers of a task. Facts 1.3-1.5.

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

/** Timer slack: 50 us, none for real-time policies (the policy counts, not an inherited priority). Fact 8.2. */
export function slackOf(p: Task): number {
  return p.timerSlackNs ?? (isRtPolicy(p.policy) || p.policy === 'deadline' ? 0 : 50_000);
}
