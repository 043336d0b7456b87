// Becoming, being and ceasing to be a deadline task: admission, new parameters, inheritance, affinity.
// Source: syscalls.c __sched_setscheduler, sched_setaffinity; deadline.c sched_dl_overflow, switched_from_dl; core.c
// rt_mutex_setprio, sched_fork (v6.12). Facts 5.4, 5.6. Bandwidth is given back at once, not at the 0-lag time.

import { admits, dlBandwidth, mayBeDeadline } from '../../scenario/dl_admission.ts';
import type { DlSpec } from '../../scenario/scenario.ts';
import { WaitReason } from '../../trace/reasons.ts';
import { paramsOf } from '../dl_entity.ts';
import type { Machine } from '../machine.ts';
import { FindingKind, recordFinding, recordTaskState, SegKind } from '../recorder.ts';
import { type Task, TaskState } from '../task.ts';
import { QueueFlag } from './class.ts';
import { forgetDlTimer } from './dl_budget.ts';
import { isEarlier } from './dl_queue.ts';

/** Bandwidth of all deadline tasks that live, `except` aside, in 2^-20. O(tasks). */
function admittedBandwidth(m: Machine, except: Task): number {
  let sum = 0;
  for (const p of m.tasks) {
    const params = p.dl.params;
    if (p === except || params === undefined || p.state === TaskState.dead || p.state === TaskState.fresh) continue;
    sum += dlBandwidth(params.runtimeNs, params.periodNs);
  }
  return sum;
}

export function sameParams(a: DlSpec | undefined, b: DlSpec | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.runtimeNs === b.runtimeNs && a.deadlineNs === b.deadlineNs && a.periodNs === b.periodNs;
}

/** The kernel takes `p` on as a deadline task with these parameters; if not, a finding says why. */
export function admitsDl(m: Machine, p: Task, params: DlSpec): boolean {
  if (!mayBeDeadline(m.rules.admission, p.allowedCount)) {
    refuse(m, p, `EPERM: ${p.name} may not become a deadline thread, since it may not run on every CPU`);
    return false;
  }
  if (admits(m.rules.admission, admittedBandwidth(m, p), dlBandwidth(params.runtimeNs, params.periodNs))) return true;
  refuse(m, p, `EBUSY: admission control refuses the deadline parameters of ${p.name}`);
  return false;
}

/** The affinity of a deadline task can't be narrowed while admission is on; a finding says so. */
export function refusesAffinity(m: Machine, p: Task, cpus: number): boolean {
  if (p.policy !== 'deadline' || mayBeDeadline(m.rules.admission, cpus)) return false;
  refuse(m, p, `EBUSY: ${p.name} is a deadline thread, and those may run on every CPU`);
  return true;
}

/** A deadline task can't fork: true, with a finding, when `p` tries. */
export function refusesFork(m: Machine, p: Task): boolean {
  if (p.policy !== 'deadline') return false;
  recordFinding(m, p, FindingKind.forkRefused, `EAGAIN: ${p.name} is a deadline thread, and those can't fork`);
  return true;
}

function refuse(m: Machine, p: Task, text: string): void {
  recordFinding(m, p, FindingKind.admissionRefused, text);
}

/**
 * What a change of the effective prio by inheritance means for the deadline entity. A deadline donor lends its
 * parameters to an owner of a weaker class, and to one with a later deadline; such an owner is never throttled.
 *
 * @returns QueueFlag.replenish where the owner is to begin with a budget, else 0
 */
export function inheritDl(p: Task, prio: number, donor: Task | undefined): number {
  const lends = prio < 0 && donor !== undefined && donor.prio < 0;
  if (lends && (p.normalPrio >= 0 || isEarlier(donor, p))) {
    p.dl.inherited = paramsOf(donor.dl);
    return QueueFlag.replenish;
  }
  p.dl.inherited = undefined;
  return 0;
}

/** `p` has left the deadline class. */
export function leftDl(m: Machine, p: Task): void {
  const waited = p.dl.throttled && p.onRq && !p.onCpu && p.state === TaskState.running;
  forgetDlTimer(m, p);
  p.dl.inherited = undefined;
  if (waited) recordTaskState(m, p, SegKind.runnable, WaitReason.priorityChanged, -1, -1);
}
