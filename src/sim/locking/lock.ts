// Locks by kind: taking, trying, releasing, waking and giving up.

import { assertNever } from '../../base/assert.ts';
import { WaitReason, WakeReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { FindingKind, recordFinding, recordLockAbort, WaitMode } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import { adaptiveContended } from './adaptive.ts';
import { futexContended, futexRetry, futexWakeOne } from './futex.ts';
import { handoffContended, handoffUnlock } from './handoff.ts';
import { kernelContended, kernelRetry, kernelUnlock, leaveQueue } from './kernel_mutex.ts';
import type { Lock } from './lock_state.ts';
import { dropCeiling, raiseToCeiling } from './protect.ts';
import { adjustPrioChain, piContended, piLeaveQueue, piSleepsOn, piUnlock } from './rt_mutex_pi.ts';
import {
  isFreeToWrite,
  ownToWrite,
  readUnlock,
  rwLeaveQueue,
  rwRetry,
  writeContended,
  writeUnlock,
} from './rw_lock.ts';
import { semRetry } from './semaphore.ts';
import { noticeSpinners, spinContended } from './spin.ts';
import { enqueueWaiter, removeWaiter } from './wait_queue.ts';
import { abandonWait, disown, goToElse, isSpinning, own } from './wait_records.ts';

/** `p`, running, takes `lock` or begins to wait for it. True: it goes on, with the lock or without (EINVAL, EDEADLK). `limitNs`: instant at which it gives up; Infinity: never. */
export function acquire(m: Machine, rq: Rq, lock: Lock, p: Task, limitNs: number): boolean {
  const { kind } = lock.spec;
  if (kind === 'rw') {
    if (isFreeToWrite(lock)) {
      ownToWrite(m, lock, p, false);
      return true;
    }
  } else {
    if (kind === 'protect' && !raiseToCeiling(m, lock, p)) {
      goToElse(m, p);
      return true;
    }
    if (lock.owner === undefined) {
      own(m, lock, p, false);
      return true;
    }
  }
  if (lock.owner === p || (kind === 'rw' && p.held.includes(lock.id)))
    recordFinding(m, p, FindingKind.relockHeld, `${p.name} locks ${lock.spec.name}, which it holds already`);
  p.timedOut = false;
  p.waitUntilNs = limitNs;
  return contend(m, rq, lock, p);
}

/** True: `p` goes on all the same. */
function contend(m: Machine, rq: Rq, lock: Lock, p: Task): boolean {
  const { kind } = lock.spec;
  switch (kind) {
    case 'spin':
      spinContended(m, lock, p);
      return false;
    case 'futex':
    case 'protect':
      futexContended(m, rq, lock, p);
      return false;
    case 'adaptive':
      adaptiveContended(m, rq, lock, p);
      return false;
    case 'pi':
      return piContended(m, rq, lock, p);
    case 'handoff':
      handoffContended(m, rq, lock, p);
      return false;
    case 'kernel':
      kernelContended(m, rq, lock, p);
      return false;
    case 'rw':
      writeContended(m, rq, lock, p);
      return false;
    case 'sem':
    case 'cond':
    case 'barrier':
      // No lock step names one of these: the scenario's reader sees to it.
      return true;
    default:
      return assertNever(kind);
  }
}

/** Takes the lock if it is free. Never waits. */
export function tryAcquire(m: Machine, lock: Lock, p: Task): boolean {
  const { kind } = lock.spec;
  if (kind === 'rw') {
    if (!isFreeToWrite(lock)) return false;
    ownToWrite(m, lock, p, false);
    return true;
  }
  if (kind === 'protect' && !raiseToCeiling(m, lock, p)) return false;
  if (lock.owner !== undefined) {
    if (kind === 'protect') dropCeiling(m, lock, p);
    return false;
  }
  own(m, lock, p, false);
  return true;
}

/** `p` releases what it holds. Releasing what one does not hold is a finding and changes nothing. */
export function release(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  if (lock.owner !== p) {
    if (lock.spec.kind === 'rw' && p.held.includes(lock.id)) readUnlock(m, rq, lock, p);
    else recordFinding(m, p, FindingKind.unlockNotHeld, `${p.name} unlocks ${lock.spec.name}, which it does not hold`);
    return;
  }
  switch (lock.spec.kind) {
    case 'pi':
      piUnlock(m, rq, lock, p);
      return;
    case 'handoff':
      handoffUnlock(m, rq, lock, p);
      return;
    case 'kernel':
      kernelUnlock(m, rq, lock, p);
      return;
    case 'rw':
      writeUnlock(m, rq, lock, p);
      return;
    default:
      disown(m, lock, p, undefined);
      // One that parked or slept is woken and tries again; spinners on a CPU see the free word at their next attempt.
      futexWakeOne(m, rq, lock, p);
      noticeSpinners(m, lock);
      if (p.ceilings.length > 0) dropCeiling(m, lock, p);
  }
}

/** `p` runs again inside a lock operation in which it slept. True: it has the lock, or has given up, and goes on with its program. */
export function retry(m: Machine, rq: Rq, p: Task): boolean {
  if (p.granted) {
    p.granted = false;
    p.mode = RunMode.step;
    return true;
  }
  const lock = m.locks[p.waitsFor]!;
  switch (lock.spec.kind) {
    case 'futex':
    case 'adaptive':
      return futexRetry(m, rq, lock, p);
    case 'protect': {
      const goesOn = futexRetry(m, rq, lock, p);
      if (goesOn && lock.owner !== p) dropCeiling(m, lock, p);
      return goesOn;
    }
    case 'pi':
      if (!p.timedOut) {
        piSleepsOn(m, rq, lock, p);
        return false;
      }
      piLeaveQueue(m, lock, p);
      abandonWait(m, lock, p);
      return true;
    case 'kernel':
      return kernelRetry(m, rq, lock, p);
    case 'rw':
      return rwRetry(m, rq, lock, p);
    case 'sem':
      return semRetry(m, rq, lock, p);
    default:
      // A waiter of a lock with hand-off that was not given it has timed out.
      abandonWait(m, lock, p);
      return true;
  }
}

/** The time limit of a wait has passed: one that sleeps is woken to give up, one that spins gives up at its next attempt. */
export function waitTimedOut(m: Machine, p: Task, cpu: number): void {
  const lock = m.locks[p.waitsFor];
  if (lock === undefined) return;
  p.timedOut = true;
  if (isSpinning(p) && p.state === TaskState.running) {
    touch(m, m.rqs[p.cpu]!);
    return;
  }
  if (p.state !== TaskState.blocked && p.state !== TaskState.uninterruptible) return;
  leaveWaiters(m, lock, p, cpu);
  tryToWakeUp(m, p, { cpu, task: undefined, reason: WakeReason.timer, waitReason: WaitReason.wokenByTimer });
}

function leaveWaiters(m: Machine, lock: Lock, p: Task, cpu: number): void {
  switch (lock.spec.kind) {
    case 'pi':
      piLeaveQueue(m, lock, p);
      return;
    case 'rw':
      rwLeaveQueue(m, lock, p, cpu);
      return;
    case 'kernel':
      leaveQueue(lock, p);
      return;
    default:
      removeWaiter(lock, p);
  }
}

/** `p`, asleep, waits in the queue of `lock` from now on. */
export function queueSleeper(m: Machine, lock: Lock, p: Task): void {
  p.mode = RunMode.lockRetry;
  enqueueWaiter(lock, p);
  if (lock.spec.kind === 'pi' && lock.owner !== undefined && lock.waiters[0] === p) adjustPrioChain(m, lock.owner);
}

/** `p` runs again after a sleep that belonged to the lock's former kind: it tries anew. True: it goes on. */
export function contendAnew(m: Machine, rq: Rq, p: Task): boolean {
  const lock = m.locks[p.waitsFor]!;
  p.waitsFor = -1;
  p.mode = RunMode.step;
  recordLockAbort(m, p, lock.id, WaitMode.block);
  return acquire(m, rq, lock, p, p.waitUntilNs);
}
