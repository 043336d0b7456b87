// Priority ceilings (PTHREAD_PRIO_PROTECT): a thread gives itself the ceiling's priority when it locks, before it knows
// whether the lock is free, and takes it back after it has unlocked. Both are sched_setscheduler calls of its own.
// Source: glibc nptl/tpp.c, pthread_mutex_lock.c (2.36). Fact 6.10; places in the lists: fact 4.2.

import type { Machine } from '../machine.ts';
import { FindingKind, recordFinding } from '../recorder.ts';
import { isRtPolicy } from '../sched/attrs.ts';
import { setScheduler } from '../sched/setprio.ts';
import type { Task } from '../task.ts';
import type { Lock } from './lock_state.ts';

/** `p`, running, takes on the ceiling of `lock`. False: EINVAL, its policy is not real-time or it is stronger than the ceiling. */
export function raiseToCeiling(m: Machine, lock: Lock, p: Task): boolean {
  const ceiling = ceilingOf(lock);
  const own = p.ceilings.length > 0 ? p.ownRtPrio : p.rtPrio;
  if (!isRtPolicy(p.policy) || own > ceiling) {
    const why = isRtPolicy(p.policy)
      ? `its priority ${own} is above the ceiling ${ceiling}`
      : 'its policy is not real-time';
    recordFinding(m, p, FindingKind.protectRefused, `EINVAL: ${p.name} locks ${lock.spec.name}, and ${why}`);
    return false;
  }
  p.ownRtPrio = own;
  p.ceilings.push(lock.id);
  applyCeilings(m, p);
  return true;
}

/** `p` gives the ceiling of `lock` up; nothing happens when it has not taken it on. */
export function dropCeiling(m: Machine, lock: Lock, p: Task): void {
  const at = p.ceilings.indexOf(lock.id);
  if (at < 0) return;
  p.ceilings.splice(at, 1);
  applyCeilings(m, p);
}

/** The real-time priority that `p` has when its own is `ownRtPrio`: at least that of the ceilings it has taken on. Source: pthread_setschedparam. */
export function withCeilings(m: Machine, p: Task, ownRtPrio: number): number {
  let rtPrio = ownRtPrio;
  for (const id of p.ceilings) rtPrio = Math.max(rtPrio, ceilingOf(m.locks[id]!));
  return rtPrio;
}

function applyCeilings(m: Machine, p: Task): void {
  if (!isRtPolicy(p.policy)) return;
  const rtPrio = withCeilings(m, p, p.ownRtPrio);
  if (rtPrio === p.rtPrio) return;
  p.debtNs += m.costs.syscallNs;
  setScheduler(m, p, { policy: p.policy, rtPrio, nice: p.nice });
}

function ceilingOf(lock: Lock): number {
  return lock.spec.kind === 'protect' ? lock.spec.ceiling : 0;
}
