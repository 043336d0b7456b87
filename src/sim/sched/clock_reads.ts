// A task that reads its own CPU clock all the time: each clock_gettime(CLOCK_THREAD_CPUTIME_ID) charges the running task
// (task_sched_runtime -> update_curr), and what update_curr finds used up ends the stint at once, not at the next tick.
// The reads themselves are no events: only the first one that finds something is. Source: core.c task_sched_runtime
// (v6.12), fair.c update_curr. Not modelled: the budgets of real-time and deadline tasks, which are seen at ticks all the same.

import type { Ns } from '../../base/units.ts';
import { type CfsRq, parentOf, type SchedEntity } from '../entity.ts';
import type { Machine } from '../machine.ts';
import { ClassId, RunMode, type Task } from '../task.ts';
import { eligible, ineligibleAt, isProtected } from './fair_eevdf.ts';
import { hasQuota } from './fair_quota.ts';

/** Does the running fair task `p` read its clock now? */
export function readsOwnClock(p: Task): boolean {
  return p.readsClock && p.classId === ClassId.fair && (p.mode === RunMode.work || p.mode === RunMode.forever);
}

/** Instant of the first read that changes something for the running `p`; Infinity: none does. After now. O(queued) on 7.x. */
export function nextClockReadNs(m: Machine, p: Task): Ns {
  if (!readsOwnClock(p)) return Number.POSITIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  for (let se: SchedEntity | undefined = p.se; se !== undefined; se = parentOf(se)) {
    const cfs = se.cfsRq;
    if (cfs === undefined || cfs.curr !== se) continue;
    if (m.rules.isEevdf) {
      const virtual = Math.max(0, nextVirtual(m, cfs, se) - se.vruntime);
      due = Math.min(due, se.execStartNs + Math.ceil((virtual * se.weight) / 1024));
    }
    if (hasQuota(m, cfs) && !cfs.throttled) due = Math.min(due, se.execStartNs + Math.max(0, cfs.runtimeRemainingNs));
  }
  return Math.max(m.nowNs + 1, due);
}

/** Virtual time of the current `se` at which its queue asks for a switch, or renews its request. */
function nextVirtual(m: Machine, cfs: CfsRq, se: SchedEntity): number {
  if (cfs.nrRunning === 1) return se.deadline;
  if (isProtected(m, se)) return m.rules.flavour.protection === 'vprot' ? Math.min(se.deadline, se.vprot) : se.deadline;
  if (m.rules.flavour.protection === 'vprot') return Math.min(se.deadline, nextOtherPick(cfs, se));
  return m.rules.features['PREEMPT_SHORT'] === true ? Math.min(se.deadline, ineligibleAt(cfs)) : se.deadline;
}

/** 7.x, protection over: each read asks for a new pick. Virtual time of `se` from which on that takes somebody else. */
function nextOtherPick(cfs: CfsRq, se: SchedEntity): number {
  let at = ineligibleAt(cfs);
  for (const other of cfs.queue) {
    // In order of deadlines; a later one is not picked while `se` is eligible.
    if (other.deadline >= se.deadline) break;
    if (eligible(cfs, other)) return se.vruntime;
    const sum = (other.vruntime - cfs.minVruntime) * (cfs.avgLoad + se.weight) - cfs.avgVruntime;
    at = Math.min(at, cfs.minVruntime + Math.ceil(sum / se.weight));
  }
  return at;
}
