// Queues of those who sleep on a lock: by a key that a waiter gets when it queues, equal keys first-come.
// Sorted arrays; places are found by bisection, so that hundreds of waiters cost little.

import { assertNever } from '../../base/assert.ts';
import type { LockSpec } from '../../scenario/scenario.ts';
import type { Lock } from '../machine.ts';
import type { Task } from '../task.ts';

/** Every fair task has this key, whatever its nice. */
const FAIR_KEY = 120;

/**
 * Sort key of a waiter. A PI mutex looks at the effective prio (rtmutex.c __waiter_prio, fact 6.2), a futex at the
 * task's own (futex/core.c __futex_queue, fact 6.8); the kernel's mutex, hand-off locks and parked spinners are
 * first-come. All fair tasks are equal.
 */
function waiterKey(kind: LockSpec['kind'], p: Task): number {
  switch (kind) {
    case 'pi':
      return p.prio < 100 ? p.prio : FAIR_KEY;
    case 'futex':
    case 'adaptive':
    case 'protect':
    case 'rw':
    case 'sem':
    case 'cond':
    case 'barrier':
      return p.normalPrio < 100 ? p.normalPrio : FAIR_KEY;
    case 'handoff':
    case 'kernel':
    case 'spin':
      return 0;
    default:
      return assertNever(kind);
  }
}

/** Puts `p` behind all waiters with an equal or stronger key. O(log waiters) comparisons. */
export function enqueueWaiter(lock: Lock, p: Task): void {
  insertWaiter(lock, lock.waiters, p);
}

/** The same for another queue of the lock. */
export function insertWaiter(lock: Lock, queue: Task[], p: Task): void {
  setWaitKey(lock, p);
  p.waitSeq = lock.nextWaitSeq++;
  queue.splice(placeOf(queue, p), 0, p);
}

/** The key that `p` would have in the queue of `lock`, as insertWaiter sets it. */
export function setWaitKey(lock: Lock, p: Task): void {
  p.waitKey = waiterKey(lock.spec.kind, p);
  p.waitDeadlineNs = lock.spec.kind === 'pi' && p.waitKey < 0 ? p.dl.deadlineNs : 0;
}

/** Puts `p` back where it stood: its turn among equals is the old one. */
export function putBackWaiter(lock: Lock, p: Task): void {
  setWaitKey(lock, p);
  lock.waiters.splice(placeOf(lock.waiters, p), 0, p);
}

/** Takes `p` out of the queue; nothing happens when it is not in it. */
export function removeWaiter(lock: Lock, p: Task): void {
  removeFrom(lock.waiters, p);
}

/** The same for another queue of the lock. */
export function removeFrom(queue: Task[], p: Task): void {
  const at = placeOf(queue, p);
  if (queue[at] === p) queue.splice(at, 1);
}

/** The key that `p` got when it queued is the one it would get now. */
export function isKeyCurrent(kind: LockSpec['kind'], p: Task): boolean {
  return p.waitKey === waiterKey(kind, p) && (p.waitKey >= 0 || p.waitDeadlineNs === p.dl.deadlineNs);
}

/** Does `a` come before `b`, by key alone? Of two in the deadline class (key below 0) the one with the earlier deadline. */
export function hasStrongerKey(a: Task, b: Task): boolean {
  return a.waitKey < b.waitKey || (a.waitKey === b.waitKey && a.waitDeadlineNs < b.waitDeadlineNs);
}

/** Place of the first waiter that does not come before `p`. */
function placeOf(queue: readonly Task[], p: Task): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(queue[middle]!, p)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function comesBefore(a: Task, b: Task): boolean {
  if (hasStrongerKey(a, b)) return true;
  return a.waitSeq < b.waitSeq && !hasStrongerKey(b, a);
}
