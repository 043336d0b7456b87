// An intervention gives a lock another kind, or other numbers of its kind.

import type { LockSpec } from '../../scenario/scenario.ts';
import { SpinReason, StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import {
  recordLockAbort,
  recordLockWait,
  recordSpinCount,
  recordSpinState,
  recordTaskState,
  SegKind,
  SpinCountAt,
  WaitMode,
} from '../recorder.ts';
import { deactivateTask, tryToWakeUp } from '../sched/core.ts';
import { reschedCurr } from '../sched/resched.ts';
import { RunMode, SpinStage, type Task, TaskState } from '../task.ts';
import { barrierChanged } from './barrier.ts';
import { queueSleeper } from './lock.ts';
import type { Lock } from './lock_state.ts';
import { dropCeiling } from './protect.ts';
import { adjustPrioChain } from './rt_mutex_pi.ts';
import { rwChanged } from './rw_lock.ts';
import { noticeSpinners } from './spin.ts';
import { goToSleepInstead, grant, isSpinning } from './wait_records.ts';

/**
 * The holder stays holder; waiters enter the new kind in the order of their queue; one that sleeps in a back-off
 * finishes that sleep, one that is awake already tries anew (scenario format, section toggles). Threads that took on a
 * ceiling give it up. O(threads).
 */
export function changeKind(m: Machine, lock: Lock, spec: LockSpec): void {
  const before = lock.spec.kind;
  noticeSpinners(m, lock);
  if (before === spec.kind) {
    lock.spec = spec;
    if (spec.kind === 'barrier') barrierChanged(m, lock);
    if (spec.kind === 'rw') rwChanged(m, lock);
    return;
  }
  const waiters = takeWaiters(lock);
  lock.spec = spec;
  if (before === 'pi' && lock.owner !== undefined) adjustPrioChain(m, lock.owner);
  for (const p of m.tasks) {
    if (before === 'protect') dropCeiling(m, lock, p);
    // Woken, or put off its CPU: it has yet to try, and finds a lock of the new kind.
    const isAwake = p.state === TaskState.running || p.state === TaskState.waking;
    if (p.waitsFor === lock.id && p.mode === RunMode.lockRetry && isAwake && !p.timedOut) p.mode = RunMode.contendAnew;
  }
  for (const p of waiters) {
    if (p.mode === RunMode.contendAnew) continue;
    if (isSpinning(p) && !isParked(p)) spinnerChangesKind(m, lock, p);
    else sleeperChangesKind(m, lock, p);
  }
  if (lock.owner === undefined && lock.waiters.length > 0) serveFirst(m, lock);
}

/** All who wait, those in queues first. */
function takeWaiters(lock: Lock): Task[] {
  const { primary } = lock.rw;
  const waiters = primary === undefined ? lock.waiters : [primary, ...lock.waiters];
  const all = [...waiters, ...lock.spinners.filter((p) => !waiters.includes(p))];
  lock.waiters = [];
  lock.spinners = [];
  lock.quickSpinner = undefined;
  lock.mustHandOff = false;
  lock.rw.primary = undefined;
  lock.rw.forWriter = false;
  return all;
}

/** A spinner whose back-off has put it to sleep until the lock is released. */
function isParked(p: Task): boolean {
  return p.mode === RunMode.spin && p.state === TaskState.blocked;
}

/** A sleeping waiter: stays asleep in the new queue, or is woken to spin. */
function sleeperChangesKind(m: Machine, lock: Lock, p: Task): void {
  if (isParked(p)) endSpin(m, lock, p);
  if (lock.spec.kind !== 'spin') {
    queueSleeper(m, lock, p);
    return;
  }
  recordLockAbort(m, p, lock.id, WaitMode.block);
  beginSpinning(m, lock, p);
  tryToWakeUp(m, p, {
    cpu: p.cpu,
    task: undefined,
    reason: WakeReason.kindChanged,
    waitReason: WaitReason.wokenByUnlock,
  });
}

function endSpin(m: Machine, lock: Lock, p: Task): void {
  goToSleepInstead(m, lock, p);
  p.spinIterations = 0;
}

/** `p` enters the loop of the lock that is a spin lock now. */
function beginSpinning(m: Machine, lock: Lock, p: Task): void {
  lock.spinners.push(p);
  p.mode = RunMode.spin;
  p.spinStage = SpinStage.attempt;
  p.spinIterations = 0;
  recordLockWait(m, p, lock.id, WaitMode.spin, lock.owner);
  recordSpinState(m, p, true, SpinReason.contended, lock.id, lock.owner);
}

/** A spinner: on a CPU or runnable it goes on in the new kind's way; in a back-off's sleep it finishes that first. */
function spinnerChangesKind(m: Machine, lock: Lock, p: Task): void {
  if (p.onCpu) touch(m, m.rqs[p.cpu]!);
  if (lock.spec.kind === 'spin') {
    recordSpinCount(m, p, lock.id, SpinCountAt.aborted);
    recordSpinState(m, p, false, SpinReason.left, lock.id, undefined);
    recordLockAbort(m, p, lock.id, WaitMode.spin);
    beginSpinning(m, lock, p);
    return;
  }
  endSpin(m, lock, p);
  if (p.state !== TaskState.running) {
    // It finishes its sleep and then finds a lock of the new kind: it tries, and queues there.
    p.mode = RunMode.contendAnew;
    return;
  }
  const rq = m.rqs[p.cpu]!;
  touch(m, rq);
  queueSleeper(m, lock, p);
  recordTaskState(m, p, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner?.id ?? -1);
  p.state = TaskState.blocked;
  deactivateTask(m, rq, p);
  if (rq.curr === p) reschedCurr(m, rq);
}

/** Nobody holds the lock that was changed: the first in its queue gets its turn. */
function serveFirst(m: Machine, lock: Lock): void {
  const first = lock.waiters[0]!;
  const { kind } = lock.spec;
  if (kind !== 'kernel') lock.waiters.shift();
  if (kind === 'pi' || kind === 'handoff') grant(m, lock, first);
  if (kind === 'pi') adjustPrioChain(m, first);
  tryToWakeUp(m, first, {
    cpu: first.cpu,
    task: undefined,
    reason: WakeReason.kindChanged,
    waitReason: WaitReason.wokenByUnlock,
  });
}
