// The kernel's own mutex: spins while the owner is on a CPU (one at a time, the others line up behind it), sleeps
// first-come, and forces a hand-off for a first waiter that woke and found the lock taken again.
// Source: kernel/locking/mutex.c, osq_lock.c (v6.12): mutex_optimistic_spin, mutex_spin_on_owner, __mutex_handoff. Fact 6.9.
// Left out: wait-wound mutexes, PREEMPT_RT (where it is an rt_mutex). Charges no call: its users are in the kernel already.

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import type { Lock } from './lock_state.ts';
import { canSpinOnOwner, endSpinOnOwner, noteFirstSpinner } from './on_owner.ts';
import { enqueueWaiter, removeWaiter } from './wait_queue.ts';
import {
  abandonWait,
  beginBlock,
  beginSpin,
  disown,
  endSpinAcquired,
  endSpinGranted,
  endWait,
  goToSleepInstead,
  grant,
  own,
  spinInstead,
} from './wait_records.ts';

/** The lock is held: `p`, running, spins for it or goes to sleep. */
export function kernelContended(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  if (canSpinOnOwner(rq, lock) && lock.owner !== p) {
    lock.spinners.push(p);
    p.mode = RunMode.onOwner;
    beginSpin(m, lock, p);
    return;
  }
  beginBlock(m, lock, p);
  enqueueWaiter(lock, p);
  sleepInQueue(m, rq, lock, p);
}

/** `p` keeps its place in the queue. */
function sleepInQueue(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  p.mode = RunMode.lockRetry;
  const holder = lock.owner?.id ?? -1;
  blockCurrent(m, rq, p, TaskState.uninterruptible, SegKind.blocked, StopReason.lockBlocked, lock.id, holder);
}

/** Something happened to what `p` spins for. True: it has the lock, or has given up, and goes on with its program. */
export function onOwnerBoundary(m: Machine, rq: Rq, p: Task): boolean {
  const lock = m.locks[p.waitsFor]!;
  const isFirstWaiter = lock.waiters[0] === p;
  if (lock.owner === undefined) {
    leave(m, lock, p);
    endSpinAcquired(m, lock, p);
    return true;
  }
  if (p.timedOut) {
    leave(m, lock, p);
    abandonWait(m, lock, p);
    return true;
  }
  if (canSpinOnOwner(rq, lock)) return false;
  endSpinOnOwner(m, lock, p);
  goToSleepInstead(m, lock, p);
  if (!isFirstWaiter) enqueueWaiter(lock, p);
  sleepInQueue(m, rq, lock, p);
  return false;
}

function leave(m: Machine, lock: Lock, p: Task): void {
  endSpinOnOwner(m, lock, p);
  leaveQueue(lock, p);
}

/** Source: __mutex_remove_waiter. */
export function leaveQueue(lock: Lock, p: Task): void {
  if (lock.waiters[0] === p) lock.mustHandOff = false;
  removeWaiter(lock, p);
}

/** `p` runs again: woken by a release, or put off its CPU while it spun. */
export function kernelRetry(m: Machine, rq: Rq, lock: Lock, p: Task): boolean {
  if (lock.owner === undefined) {
    leaveQueue(lock, p);
    endWait(m, p);
    p.mode = RunMode.step;
    own(m, lock, p, true);
    return true;
  }
  if (p.timedOut) {
    leaveQueue(lock, p);
    abandonWait(m, lock, p);
    return true;
  }
  if (lock.waiters[0] === p) {
    lock.mustHandOff = true;
    if (canSpinOnOwner(rq, lock)) {
      p.mode = RunMode.onOwner;
      spinInstead(m, lock, p);
      return false;
    }
  } else {
    // It was put off its CPU while it spun, and is in no queue yet.
    removeWaiter(lock, p);
    enqueueWaiter(lock, p);
  }
  sleepInQueue(m, rq, lock, p);
  return false;
}

/** `p` releases: to the first waiter where it must, else to whoever is first; a spinner is. */
export function kernelUnlock(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  const first = lock.waiters[0];
  if (first !== undefined && lock.mustHandOff) {
    lock.waiters.shift();
    lock.mustHandOff = false;
    disown(m, lock, p, first);
    if (first.mode === RunMode.onOwner) {
      touch(m, m.rqs[first.cpu]!);
      endSpinGranted(m, lock, first);
    }
    grant(m, lock, first);
    tryToWakeUp(m, first, { cpu: rq.cpu, task: p, reason: WakeReason.handoff, waitReason: WaitReason.wokenByUnlock });
    return;
  }
  disown(m, lock, p, undefined);
  noteFirstSpinner(m, lock);
  if (first === undefined) return;
  tryToWakeUp(m, first, { cpu: rq.cpu, task: p, reason: WakeReason.unlock, waitReason: WaitReason.wokenByUnlock });
}
