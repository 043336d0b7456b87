// The queue of those who sleep on a lock: real-time waiters by priority, all fair ones behind them first-come.

import type { Lock } from '../machine.ts';
import type { Task } from '../task.ts';

/** Every fair task has this key, whatever its nice. */
const FAIR_KEY = 120;

/**
 * Sort key of a waiter. A PI mutex looks at the effective prio (rtmutex.c __waiter_prio, fact 6.2), a plain futex at
 * the task's own (futex/core.c __futex_queue, fact 6.8).
 */
export function waiterKey(lock: Lock, p: Task): number {
  const prio = lock.spec.kind === 'pi' ? p.prio : p.normalPrio;
  return prio < 100 ? prio : FAIR_KEY;
}

/** Puts `p` behind all waiters with an equal or stronger key. */
export function enqueueWaiter(lock: Lock, p: Task): void {
  const key = waiterKey(lock, p);
  let at = lock.waiters.length;
  while (at > 0 && waiterKey(lock, lock.waiters[at - 1]!) > key) at--;
  lock.waiters.splice(at, 0, p);
}

/** Takes `p` out of the queue; nothing happens when it is not in it. */
export function removeWaiter(lock: Lock, p: Task): void {
  const at = lock.waiters.indexOf(p);
  if (at >= 0) lock.waiters.splice(at, 1);
}
