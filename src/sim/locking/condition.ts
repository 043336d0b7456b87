// Condition variables. A waiter gives its mutex up and sleeps; woken, it takes the mutex like anybody else.
// Source: glibc nptl/pthread_cond_wait.c, pthread_cond_signal.c (2.36). Since 2.25 waiters form two groups: signals go to
// the older one until it is empty, so that a late comer can't take a signal that an earlier waiter is due; inside a group
// the futex queue's order counts. `requeue`: as before 2.25, one queue, and a broadcast wakes one waiter and moves the
// others to the mutex's queue (FUTEX_CMP_REQUEUE), where that is a queue of sleepers without a ceiling.

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { FindingKind, recordFinding, recordLockAcquire, recordTaskState, SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import { noteLockChanged } from '../verdicts/tracker.ts';
import { acquire, queueSleeper, release } from './lock.ts';
import type { Lock } from './lock_state.ts';
import { closesCircle } from './rt_mutex_pi.ts';
import { insertWaiter } from './wait_queue.ts';
import { beginBlock, endWait } from './wait_records.ts';

/** `p`, running, gives `mutex` up and sleeps until it is signalled. */
export function condWait(m: Machine, rq: Rq, cond: Lock, mutex: Lock, p: Task): void {
  if (mutex.owner === p) release(m, rq, mutex, p);
  else {
    const text = `${p.name} waits for ${cond.spec.name} with ${mutex.spec.name}, which it does not hold`;
    recordFinding(m, p, FindingKind.condWithoutLock, text);
  }
  beginBlock(m, cond, p);
  p.condLock = mutex.id;
  p.debtNs += m.costs.syscallNs;
  p.mode = RunMode.retake;
  insertWaiter(cond, usesRequeue(cond) ? cond.waiters : cond.newcomers, p);
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.condWait, cond.id, mutex.id);
}

function usesRequeue(cond: Lock): boolean {
  return cond.spec.kind === 'cond' && cond.spec.requeue;
}

/** `p` wakes one waiter; without one the signal is lost. */
export function condSignal(m: Machine, rq: Rq, cond: Lock, p: Task): void {
  if (cond.waiters.length === 0) newcomersAreNext(cond);
  const first = cond.waiters.shift();
  if (first === undefined) return;
  p.debtNs += m.costs.syscallNs;
  endCondWait(m, cond, first);
  wake(m, rq, first, p);
}

/** `p` wakes all waiters, or the first one and moves the others to the mutex that they will want. */
export function condBroadcast(m: Machine, rq: Rq, cond: Lock, p: Task): void {
  const older = cond.waiters;
  cond.waiters = [];
  newcomersAreNext(cond);
  const all = older.length === 0 ? cond.waiters : older.concat(cond.waiters);
  cond.waiters = [];
  if (all.length === 0) return;
  p.debtNs += m.costs.syscallNs;
  const woken: Task[] = [];
  for (const waiter of all) {
    const mutex = m.locks[waiter.condLock]!;
    endCondWait(m, cond, waiter);
    if (woken.length > 0 && usesRequeue(cond) && canRequeue(m, mutex, waiter)) moveToMutex(m, mutex, waiter);
    else woken.push(waiter);
  }
  for (const waiter of woken) wake(m, rq, waiter, p);
}

function newcomersAreNext(cond: Lock): void {
  const emptied = cond.waiters;
  cond.waiters = cond.newcomers;
  cond.newcomers = emptied;
}

/** The wait for the condition is over; the one for the mutex begins. */
function endCondWait(m: Machine, cond: Lock, p: Task): void {
  endWait(m, p);
  recordLockAcquire(m, p, cond.id, true);
  noteLockChanged(m);
}

function wake(m: Machine, rq: Rq, p: Task, signaller: Task): void {
  tryToWakeUp(m, p, {
    cpu: rq.cpu,
    task: signaller,
    reason: WakeReason.signal,
    waitReason: WaitReason.wokenBySignal,
  });
}

/**
 * Those moved are served like all who sleep on the mutex: the one that was woken takes it sooner or later, and its release
 * wakes the next. A PI mutex needs an owner to lend to, and no circle.
 */
function canRequeue(m: Machine, mutex: Lock, p: Task): boolean {
  const { kind } = mutex.spec;
  if (kind === 'pi') return mutex.owner !== undefined && !closesCircle(m, mutex, p);
  return kind === 'futex' || kind === 'adaptive' || kind === 'handoff';
}

function moveToMutex(m: Machine, mutex: Lock, p: Task): void {
  p.condLock = -1;
  beginBlock(m, mutex, p);
  recordTaskState(m, p, SegKind.blocked, StopReason.lockBlocked, mutex.id, mutex.owner?.id ?? -1);
  queueSleeper(m, mutex, p);
}

/** `p`, signalled, runs again: it takes its mutex. True: it has it and goes on with its program. */
export function retakeMutex(m: Machine, rq: Rq, p: Task): boolean {
  const mutex = m.locks[p.condLock]!;
  p.condLock = -1;
  p.mode = RunMode.step;
  return acquire(m, rq, mutex, p, Number.POSITIVE_INFINITY);
}
