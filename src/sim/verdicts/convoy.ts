// convoy: a lock goes from hand to hand, almost each time to one that waited asleep while others wait on: a switch for
// each critical section, however short. Catalogue 2.

import type { Machine } from '../machine.ts';
import type { Queueing } from './state.ts';

/** So many hand-overs make a convoy. */
const HANDOVERS = 20;
/** At most one in so many times the lock may be found free. */
const FREE_ONE_IN = 4;

/** Somebody goes to sleep for `lock`. */
export function noteWaitOn(m: Machine, lock: number): void {
  const { queueing } = m.tracker;
  if (queueing.some((q) => q.lock === lock)) return;
  queueing.push(newQueueing(m, lock));
}

function newQueueing(m: Machine, lock: number): Queueing {
  return {
    lock,
    fromNs: m.nowNs,
    handovers: 0,
    foundFree: 0,
    waitersSum: 0,
    heldSinceNs: m.nowNs,
    holdSumNs: 0,
    tasks: [],
  };
}

/** `task` has the lock. */
export function noteTaken(m: Machine, task: number, lock: number, waited: boolean): void {
  const { queueing } = m.tracker;
  const at = queueing.findIndex((q) => q.lock === lock);
  if (at < 0) return;
  const q = queueing[at]!;
  const { kind } = m.locks[lock]!.spec;
  const hasOwner = kind !== 'sem' && kind !== 'cond' && kind !== 'barrier' && kind !== 'rw';
  const waiting = m.locks[lock]!.waiters.length;
  if (!waited) q.foundFree++;
  if (!hasOwner || q.foundFree > 1 + Math.floor(q.handovers / FREE_ONE_IN)) {
    queueing.splice(at, 1);
    pushConvoy(m, q, true);
    if (hasOwner && waiting > 0) queueing.push(newQueueing(m, lock));
    return;
  }
  if (q.handovers > 0) q.holdSumNs += m.nowNs - q.heldSinceNs;
  q.heldSinceNs = m.nowNs;
  if (!waited) return;
  q.handovers++;
  q.waitersSum += waiting;
  if (!q.tasks.includes(task)) q.tasks.push(task);
}

function pushConvoy(m: Machine, q: Queueing, ended: boolean): void {
  const waiters = Math.round(q.waitersSum / q.handovers);
  if (q.handovers < HANDOVERS || waiters === 0) return;
  m.tracker.done.push({
    kind: 'convoy',
    fromNs: q.fromNs,
    toNs: m.nowNs,
    forever: false,
    ended,
    tasks: q.tasks,
    locks: [q.lock],
    facts: [
      {
        fact: 'queueOn',
        lock: q.lock,
        waiters,
        handovers: q.handovers,
        holdNs: Math.round(q.holdSumNs / (q.handovers + q.foundFree - 1)),
      },
    ],
  });
}

/** The end of the run. */
export function endConvoys(m: Machine): void {
  for (const q of m.tracker.queueing) pushConvoy(m, q, false);
}
