// PTHREAD_MUTEX_ADAPTIVE_NP: up to min(spins, 2 * average + 10) tries, a pause before each, whether the owner runs or
// not; then as a plain futex. The average learns. Source: glibc nptl/pthread_mutex_lock.c (2.36). Fact 6.9.

import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { RunMode, type Task } from '../task.ts';
import { futexContended, sleepOnFutex } from './futex.ts';
import type { Lock } from './lock_state.ts';
import { isTryDue } from './pauses.ts';
import { abandonWait, beginSpin, endSpinAcquired, goToSleepInstead } from './wait_records.ts';

/** The lock is held: `p`, running, tries a number of times, or sleeps at once where it may not try. */
export function adaptiveContended(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  const spins = lock.spec.kind === 'adaptive' ? lock.spec.spins : 0;
  const tries = Math.min(spins, 2 * lock.averageTries + 10);
  if (tries === 0) {
    learn(lock, 1);
    futexContended(m, rq, lock, p);
    return;
  }
  lock.spinners.push(p);
  p.mode = RunMode.pause;
  p.spinTriesLeft = tries;
  p.spinPaidNs = 0;
  beginSpin(m, lock, p);
}

/** A pause is over: `p` tries. True when it goes on with its program. */
export function adaptiveBoundary(m: Machine, rq: Rq, p: Task): boolean {
  const lock = m.locks[p.waitsFor]!;
  if (!isTryDue(p)) return false;
  if (lock.owner === undefined) {
    stopTrying(lock, p);
    learn(lock, p.spinIterations + 1);
    endSpinAcquired(m, lock, p);
    return true;
  }
  p.spinIterations++;
  if (p.timedOut) {
    stopTrying(lock, p);
    abandonWait(m, lock, p);
    return true;
  }
  if (p.spinIterations < p.spinTriesLeft) return false;
  stopTrying(lock, p);
  learn(lock, p.spinIterations + 1);
  goToSleepInstead(m, lock, p);
  sleepOnFutex(m, rq, lock, p);
  return false;
}

function stopTrying(lock: Lock, p: Task): void {
  lock.spinners.splice(lock.spinners.indexOf(p), 1);
}

/** glibc's counter is one more than the tries of a call that gave up; the division rounds toward zero. */
function learn(lock: Lock, count: number): void {
  lock.averageTries += Math.trunc((count - lock.averageTries) / 8);
}
