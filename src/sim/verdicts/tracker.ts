// Findings while they form: who looks at what, and when. The machine tells this module of switches, locks and
// priorities; at the end of an event each kind of finding looks at the state at rest. Plain data, part of the machine.

import { VERDICT_KINDS, type Verdict } from '../../trace/verdicts.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import { endBoosts, watchBoost } from './boost_without_weight.ts';
import { endConvoys } from './convoy.ts';
import { endDeadlocks } from './deadlock.ts';
import { endOverload } from './overload.ts';
import { endInversions, noteStintEnds } from './priority_inversion.ts';
import { endHangs, lookForHangs } from './rt_spin_hang.ts';
import { endStarvation, starvedUntilNow } from './starvation.ts';
import { endThrottles } from './throttled.ts';
import { watchRecords } from './watch.ts';

/** `p` is runnable and has no CPU from now on. */
export function noteWaiting(m: Machine, p: Task): void {
  m.tracker.waitingSinceNs[p.id] = m.nowNs;
  const { queue } = m.rqs[p.cpu]!.rt;
  const first = queue[0] === p ? queue[1] : queue[0];
  m.tracker.waitsBehind[p.id] = first === undefined ? -1 : first.id;
  // One that wakes joins a queue; what a switch means, noteSwitch says.
  if (!p.onCpu) m.tracker.dirty = true;
}

/** A CPU switched tasks. */
export function noteSwitch(m: Machine, rq: Rq, prev: Task | undefined, next: Task | undefined): void {
  if (!staysSpinner(rq, prev) || !staysSpinner(rq, next)) m.tracker.dirty = true;
  noteStintEnds(m, rq, prev, next);
  if (next !== undefined) {
    starvedUntilNow(m, rq, prev, next);
    m.tracker.waitingSinceNs[next.id] = -1;
  }
}

/** A switch between spinners that stay queued and hold nothing changes no proof. Two yielders make one every few microseconds. */
function staysSpinner(rq: Rq, p: Task | undefined): boolean {
  return (
    p !== undefined &&
    p.mode === RunMode.spin &&
    p.state === TaskState.running &&
    p.held.length === 0 &&
    !rq.rt.throttled
  );
}

/** A lock was taken, given away, waited for. */
export function noteLockChanged(m: Machine): void {
  m.tracker.dirty = true;
}

/** The priority or weight of `p` changed. */
export function noteAttrs(m: Machine, p: Task): void {
  watchBoost(m, p);
  m.tracker.dirty = true;
}

/** The end of an event: all CPUs are at rest. */
export function lookForFindings(m: Machine): void {
  if (!m.tracker.dirty) return;
  m.tracker.dirty = false;
  lookForHangs(m);
}

/** The end of the run: what is open gets its bound. */
export function finishVerdicts(m: Machine): void {
  watchRecords(m);
  lookForHangs(m);
  endHangs(m);
  endStarvation(m);
  endBoosts(m);
  endDeadlocks(m);
  endInversions(m);
  endConvoys(m);
  endThrottles(m);
  endOverload(m);
}

/** Findings so far, worst first, then by time. */
export function listVerdicts(m: Machine): readonly Verdict[] {
  return [...m.tracker.done].sort(
    (a, b) => VERDICT_KINDS.indexOf(a.kind) - VERDICT_KINDS.indexOf(b.kind) || a.fromNs - b.fromNs,
  );
}
