// Spinning for a kernel mutex while its owner is on a CPU. What the scheduler's core must tell the spinners: that the
// owner left its CPU, and that a spinner lost its own. Source: kernel/locking/mutex.c mutex_spin_on_owner (v6.12).

import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { RunMode, type Task } from '../task.ts';
import type { Lock } from './lock_state.ts';
import { goToSleepInstead } from './wait_records.ts';

/** A thread on `rq` may spin: the owner is on a CPU, and nobody asks for this one. */
export function canSpinOnOwner(rq: Rq, lock: Lock): boolean {
  return lock.owner?.onCpu === true && !rq.needResched;
}

/** What `p` spins for has changed: the lock is free, or its owner no longer runs. Those in line behind the first wait for their turn. */
export function onOwnerMatters(m: Machine, rq: Rq, p: Task): boolean {
  if (p.timedOut) return true;
  const lock = m.locks[p.waitsFor]!;
  if (lock.spinners[0] !== p && lock.waiters[0] !== p) return false;
  return lock.owner === undefined || !canSpinOnOwner(rq, lock);
}

/** `p` spins no more; the next in line is the first now. */
export function endSpinOnOwner(m: Machine, lock: Lock, p: Task): void {
  const at = lock.spinners.indexOf(p);
  if (at < 0) return;
  lock.spinners.splice(at, 1);
  if (at === 0) noteFirstSpinner(m, lock);
}

/** Those who are first to see a change look again. */
export function noteFirstSpinner(m: Machine, lock: Lock): void {
  const inLine = lock.spinners[0];
  if (inLine !== undefined) touch(m, m.rqs[inLine.cpu]!);
  const waiter = lock.waiters[0];
  if (waiter !== undefined && waiter.mode === RunMode.onOwner) touch(m, m.rqs[waiter.cpu]!);
}

/**
 * `p` is about to leave its CPU. A spinner stops: it tries and then sleeps when it runs again. Who spins for what it
 * holds looks again. Called before the records of the switch. O(1) for a thread that neither holds nor spins.
 */
export function leavesCpu(m: Machine, p: Task): void {
  if (p.mode === RunMode.onOwner) {
    const lock = m.locks[p.waitsFor]!;
    endSpinOnOwner(m, lock, p);
    goToSleepInstead(m, lock, p);
    p.mode = RunMode.lockRetry;
  }
  for (const id of p.held) {
    const lock = m.locks[id]!;
    if (lock.spec.kind === 'kernel') noteFirstSpinner(m, lock);
  }
}
