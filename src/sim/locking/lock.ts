// Locks by kind: taking, trying, releasing, and what changes when an intervention changes the kind.

import type { LockSpec } from '../../scenario/scenario.ts';
import { SpinReason, StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Lock, Machine } from '../machine.ts';
import {
  FindingKind,
  recordFinding,
  recordLockAbort,
  recordLockWait,
  recordSpinCount,
  recordSpinState,
  recordTaskState,
  SegKind,
  SpinCountAt,
  WaitMode,
} from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { deactivateTask, tryToWakeUp } from '../sched/core.ts';
import { reschedCurr } from '../sched/resched.ts';
import { RunMode, SpinStage, type Task, TaskState } from '../task.ts';
import { futexContended, futexRetry, futexWakeOne } from './futex.ts';
import { adjustPrioChain, grantTo, piContended, piLeaveQueue, piUnlock } from './rt_mutex_pi.ts';
import { noticeSpinners, spinContended } from './spin.ts';
import { enqueueWaiter, removeWaiter } from './wait_queue.ts';
import { abandonWait, disown, own } from './wait_records.ts';

/** `p`, running, takes `lock` or begins to wait for it. True: it has it and goes on. `limitNs`: instant at which it gives up; Infinity: never. */
export function acquire(m: Machine, rq: Rq, lock: Lock, p: Task, limitNs: number): boolean {
  if (lock.owner === undefined) {
    own(m, lock, p, false);
    return true;
  }
  if (lock.owner === p)
    recordFinding(m, p, FindingKind.relockHeld, `${p.name} locks ${lock.spec.name}, which it holds already`);
  p.timedOut = false;
  p.waitUntilNs = limitNs;
  contend(m, rq, lock, p);
  return false;
}

function contend(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  switch (lock.spec.kind) {
    case 'spin':
      spinContended(m, lock, p);
      return;
    case 'futex':
      futexContended(m, rq, lock, p);
      return;
    case 'pi':
      piContended(m, rq, lock, p);
  }
}

/** Takes the lock if it is free. Never waits. */
export function tryAcquire(m: Machine, lock: Lock, p: Task): boolean {
  if (lock.owner !== undefined) return false;
  own(m, lock, p, false);
  return true;
}

/** `p` releases what it holds. Releasing what one does not hold is a finding and changes nothing. */
export function release(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  if (lock.owner !== p) {
    recordFinding(m, p, FindingKind.unlockNotHeld, `${p.name} unlocks ${lock.spec.name}, which it does not hold`);
    return;
  }
  if (lock.spec.kind === 'pi') {
    piUnlock(m, rq, lock, p);
    return;
  }
  disown(m, lock, p, undefined);
  // One that parked or slept is woken and tries again; spinners on a CPU see the free word at their next attempt.
  futexWakeOne(m, rq, lock, p);
  noticeSpinners(m, lock);
}

/** `p` runs again inside a lock operation in which it slept. True: it has the lock, or has given up, and goes on with its program. */
export function retry(m: Machine, rq: Rq, p: Task): boolean {
  if (p.granted) {
    p.granted = false;
    p.mode = RunMode.step;
    return true;
  }
  const lock = m.locks[p.waitsFor]!;
  if (lock.spec.kind === 'futex') return futexRetry(m, rq, lock, p);
  // A pi waiter that was not granted the lock has timed out.
  abandonWait(m, lock, p);
  return true;
}

/** The time limit of a wait has passed: one that sleeps is woken to give up, one that spins gives up at its next attempt. */
export function waitTimedOut(m: Machine, p: Task, cpu: number): void {
  const lock = m.locks[p.waitsFor];
  if (lock === undefined) return;
  p.timedOut = true;
  if (p.mode === RunMode.spin && p.state === TaskState.running) {
    touch(m, m.rqs[p.cpu]!);
    return;
  }
  if (p.state !== TaskState.blocked) return;
  if (lock.spec.kind === 'pi') piLeaveQueue(m, lock, p);
  else removeWaiter(lock, p);
  tryToWakeUp(m, p, { cpu, task: undefined, reason: WakeReason.timer, waitReason: WaitReason.wokenByTimer });
}

/**
 * An intervention gives the lock another kind or back-off. The holder stays holder; waiters enter the new kind in the
 * order of their queue; one that sleeps in a back-off finishes that sleep (scenario format, section toggles).
 */
export function changeKind(m: Machine, lock: Lock, spec: LockSpec): void {
  const before = lock.spec.kind;
  const holder = lock.owner;
  if (before === spec.kind) {
    lock.spec = spec;
    noticeSpinners(m, lock);
    return;
  }
  noticeSpinners(m, lock);
  const spinners = [...lock.spinners];
  const sleepers = [...lock.waiters];
  lock.spinners.length = 0;
  lock.waiters.length = 0;
  lock.quickSpinner = undefined;
  lock.spec = spec;
  if (before === 'pi' && holder !== undefined) adjustPrioChain(m, holder);
  for (const p of sleepers) sleeperChangesKind(m, lock, p);
  for (const p of spinners) spinnerChangesKind(m, lock, p);
  if (lock.owner === undefined && lock.waiters.length > 0) serveFirst(m, lock);
}

/** A sleeping waiter: stays asleep in the new queue, or is woken to spin. */
function sleeperChangesKind(m: Machine, lock: Lock, p: Task): void {
  if (lock.spec.kind === 'spin') {
    lock.spinners.push(p);
    startSpinning(m, lock, p);
    tryToWakeUp(m, p, {
      cpu: p.cpu,
      task: undefined,
      reason: WakeReason.kindChanged,
      waitReason: WaitReason.wokenByUnlock,
    });
    return;
  }
  queueAsleep(m, lock, p);
}

function startSpinning(m: Machine, lock: Lock, p: Task): void {
  p.mode = RunMode.spin;
  p.spinStage = SpinStage.attempt;
  p.spinIterations = 0;
  recordLockAbort(m, p, lock.id, WaitMode.block);
  recordLockWait(m, p, lock.id, WaitMode.spin, lock.owner);
  recordSpinState(m, p, true, SpinReason.contended, lock.id, lock.owner);
}

function queueAsleep(m: Machine, lock: Lock, p: Task): void {
  p.mode = RunMode.lockRetry;
  enqueueWaiter(lock, p);
  if (lock.spec.kind === 'pi' && lock.owner !== undefined && lock.waiters[0] === p) adjustPrioChain(m, lock.owner);
}

/** A spinner: on a CPU or runnable it goes to sleep in the new kind's queue; in a back-off's sleep it finishes that first. */
function spinnerChangesKind(m: Machine, lock: Lock, p: Task): void {
  recordSpinCount(m, p, lock.id, SpinCountAt.aborted);
  recordSpinState(m, p, false, SpinReason.left, lock.id, undefined);
  recordLockAbort(m, p, lock.id, WaitMode.spin);
  recordLockWait(m, p, lock.id, WaitMode.block, lock.owner);
  p.spinIterations = 0;
  p.mode = RunMode.lockRetry;
  if (p.state === TaskState.blocked) {
    queueAsleep(m, lock, p);
    return;
  }
  if (p.state !== TaskState.running) {
    // It finishes its sleep and then finds a lock of the new kind: it tries, and queues there.
    p.mode = RunMode.contendAnew;
    return;
  }
  const rq = m.rqs[p.cpu]!;
  touch(m, rq);
  queueAsleep(m, lock, p);
  recordTaskState(m, p, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner?.id ?? -1);
  p.state = TaskState.blocked;
  deactivateTask(m, rq, p);
  if (rq.curr === p) reschedCurr(m, rq);
}

/** Nobody holds the lock that was changed: the first in its queue gets its turn. */
function serveFirst(m: Machine, lock: Lock): void {
  const first = lock.waiters.shift()!;
  if (lock.spec.kind === 'pi') grantTo(m, lock, first);
  tryToWakeUp(m, first, {
    cpu: first.cpu,
    task: undefined,
    reason: WakeReason.kindChanged,
    waitReason: WaitReason.wokenByUnlock,
  });
}

/** `p` runs again after a sleep that belonged to the lock's former kind: it tries anew. True: it has the lock and goes on. */
export function contendAnew(m: Machine, rq: Rq, p: Task): boolean {
  const lock = m.locks[p.waitsFor]!;
  p.waitsFor = -1;
  p.mode = RunMode.step;
  recordLockAbort(m, p, lock.id, WaitMode.block);
  return acquire(m, rq, lock, p, p.waitUntilNs);
}
