// Reader-writer locks. Source: glibc nptl/pthread_rwlock_common.c (2.36), in its own terms:
// - The first writer to come while readers hold the lock is the primary one: the last reader gives it the lock.
// - All further writers wait for their turn; a release wakes one of them, and it tries when it runs (no hand-off).
// - Preferring readers (glibc's default, and PTHREAD_RWLOCK_PREFER_WRITER_NP too): while readers hold the lock every
//   reader joins them, even when a writer waits; a writer that releases gives the lock to all waiting readers at once.
// - Preferring writers (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP): readers stay out while a primary writer waits; a
//   writer that releases leaves the lock to a waiting writer, if there is one.
// Left out: wake-ups inside glibc that lead to nothing but another wait.

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { recordLockAcquire, recordLockRelease, SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import { noteLockChanged } from '../verdicts/tracker.ts';
import type { Lock } from './lock_state.ts';
import { enqueueWaiter, insertWaiter, removeFrom } from './wait_queue.ts';
import { abandonWait, beginBlock, disown, endWait, grant, own } from './wait_records.ts';

function prefersWriters(lock: Lock): boolean {
  return lock.spec.kind === 'rw' && lock.spec.prefer === 'writers';
}

/** A writer that comes now has the lock at once. */
export function isFreeToWrite(lock: Lock): boolean {
  return lock.owner === undefined && lock.rw.readers === 0 && lock.rw.primary === undefined;
}

function isOpenToReaders(lock: Lock): boolean {
  if (lock.owner !== undefined || lock.rw.forWriter) return false;
  return lock.rw.primary === undefined || !prefersWriters(lock);
}

/** `p`, running, takes the lock for reading, or sleeps until it has it. */
export function readLock(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  if (isOpenToReaders(lock)) {
    addReader(m, lock, p, false);
    return;
  }
  beginBlock(m, lock, p);
  insertWaiter(lock, lock.rw.waitingReaders, p);
  sleepHere(m, rq, lock, p);
}

function addReader(m: Machine, lock: Lock, p: Task, waited: boolean): void {
  lock.rw.readers++;
  p.held.push(lock.id);
  recordLockAcquire(m, p, lock.id, waited);
  noteLockChanged(m);
}

/** A writer, running, finds that it can't have the lock. */
export function writeContended(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  beginBlock(m, lock, p);
  waitToWrite(m, rq, lock, p);
}

function waitToWrite(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  if (lock.owner === undefined && lock.rw.primary === undefined) lock.rw.primary = p;
  else enqueueWaiter(lock, p);
  sleepHere(m, rq, lock, p);
}

function sleepHere(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  p.debtNs += m.costs.syscallNs;
  p.mode = RunMode.lockRetry;
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner?.id ?? -1);
}

/** `p` has the lock for writing. */
export function ownToWrite(m: Machine, lock: Lock, p: Task, waited: boolean): void {
  lock.rw.forWriter = false;
  own(m, lock, p, waited);
}

/** A writer runs again after a wake-up, without having been given the lock. True: it goes on with its program. */
export function rwRetry(m: Machine, rq: Rq, lock: Lock, p: Task): boolean {
  if (isFreeToWrite(lock)) {
    endWait(m, p);
    p.mode = RunMode.step;
    ownToWrite(m, lock, p, true);
    return true;
  }
  if (p.timedOut) {
    abandonWait(m, lock, p);
    return true;
  }
  waitToWrite(m, rq, lock, p);
  return false;
}

/** The writer `p` releases. */
export function writeUnlock(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  disown(m, lock, p, undefined);
  if (prefersWriters(lock) && lock.waiters.length > 0) {
    lock.rw.forWriter = true;
    wakeWriter(m, lock, rq.cpu, p);
    return;
  }
  const toWake = admitReaders(m, lock);
  const calls = toWake.length > 0 || lock.waiters.length > 0;
  if (calls) p.debtNs += m.costs.syscallNs;
  wakeReaders(m, toWake, rq.cpu, p);
  wakeWriter(m, lock, rq.cpu, p);
}

/** All waiting readers have the lock from this instant on; they are woken afterwards, together. */
function admitReaders(m: Machine, lock: Lock): readonly Task[] {
  const readers = lock.rw.waitingReaders;
  if (readers.length === 0 || !isOpenToReaders(lock)) return [];
  lock.rw.waitingReaders = [];
  for (const reader of readers) {
    endWait(m, reader);
    reader.granted = true;
    addReader(m, lock, reader, true);
  }
  return readers;
}

function wakeReaders(m: Machine, readers: readonly Task[], cpu: number, waker: Task | undefined): void {
  for (const reader of readers) wake(m, reader, cpu, waker, WakeReason.handoff);
}

/** Wakes the next writer, which tries when it runs. */
function wakeWriter(m: Machine, lock: Lock, cpu: number, waker: Task | undefined): void {
  const writer = lock.waiters.shift();
  if (writer !== undefined) wake(m, writer, cpu, waker, WakeReason.unlock);
}

function wake(m: Machine, p: Task, cpu: number, waker: Task | undefined, reason: number): void {
  tryToWakeUp(m, p, { cpu, task: waker, reason, waitReason: WaitReason.wokenByUnlock });
}

/** The reader `p` releases; the last one gives the lock to the writer that waits for it. */
export function readUnlock(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  p.held.splice(p.held.indexOf(lock.id), 1);
  lock.rw.readers--;
  const next = lock.rw.readers === 0 ? lock.rw.primary : undefined;
  recordLockRelease(m, p, lock.id, next);
  noteLockChanged(m);
  if (next === undefined) return;
  p.debtNs += m.costs.syscallNs;
  lock.rw.primary = undefined;
  grant(m, lock, next);
  wake(m, next, rq.cpu, p, WakeReason.handoff);
}

/** The writer `p`, asleep, gives up. When it was the primary one, readers that it kept out come in, and another writer gets its chance. */
export function rwLeaveQueue(m: Machine, lock: Lock, p: Task, cpu: number): void {
  if (lock.rw.primary !== p) {
    removeFrom(lock.waiters, p);
    return;
  }
  lock.rw.primary = undefined;
  wakeReaders(m, admitReaders(m, lock), cpu, undefined);
  wakeWriter(m, lock, cpu, undefined);
}

/** An intervention changed who is preferred: readers that only a waiting writer kept out come in. */
export function rwChanged(m: Machine, lock: Lock): void {
  for (const reader of admitReaders(m, lock)) wake(m, reader, reader.cpu, undefined, WakeReason.kindChanged);
}
