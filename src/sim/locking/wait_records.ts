// What every lock kind does alike: ownership, and the records and engine marks of waits.

import type { Ns } from '../../base/units.ts';
import { SpinReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import {
  recordLockAbort,
  recordLockAcquire,
  recordLockRelease,
  recordLockWait,
  recordMark,
  recordSpinCount,
  recordSpinState,
  SpinCountAt,
  WaitMode,
} from '../recorder.ts';
import { slackOf } from '../sched/attrs.ts';
import { RunMode, type Task } from '../task.ts';
import { startTimer, stopTimer } from '../timers.ts';
import { noteLockChanged } from '../verdicts/tracker.ts';
import type { Lock } from './lock_state.ts';

/** `p` begins to spin on a held lock. */
export function beginSpin(m: Machine, lock: Lock, p: Task): void {
  p.waitsFor = lock.id;
  p.waitSinceNs = m.nowNs;
  p.spinIterations = 0;
  recordLockWait(m, p, lock.id, WaitMode.spin, lock.owner);
  recordSpinState(m, p, true, SpinReason.contended, lock.id, lock.owner);
  markSlowPath(m, lock, p);
  noteLockChanged(m);
}

/** `p` begins to wait asleep. */
export function beginBlock(m: Machine, lock: Lock, p: Task): void {
  p.waitsFor = lock.id;
  p.waitSinceNs = m.nowNs;
  p.spinIterations = 0;
  recordLockWait(m, p, lock.id, WaitMode.block, lock.owner);
  markSlowPath(m, lock, p);
  noteLockChanged(m);
}

/** `p` spun in vain: it goes on waiting for the same lock, asleep. */
export function goToSleepInstead(m: Machine, lock: Lock, p: Task): void {
  stopSpinning(m, lock, p, SpinCountAt.aborted);
  recordLockAbort(m, p, lock.id, WaitMode.spin);
  recordLockWait(m, p, lock.id, WaitMode.block, lock.owner);
  noteLockChanged(m);
}

/** A sleeper, awake again, spins before it sleeps once more. */
export function spinInstead(m: Machine, lock: Lock, p: Task): void {
  p.spinIterations = 0;
  recordLockAbort(m, p, lock.id, WaitMode.block);
  recordLockWait(m, p, lock.id, WaitMode.spin, lock.owner);
  recordSpinState(m, p, true, SpinReason.contended, lock.id, lock.owner);
  noteLockChanged(m);
}

function stopSpinning(m: Machine, lock: Lock, p: Task, at: (typeof SpinCountAt)[keyof typeof SpinCountAt]): void {
  const got = at === SpinCountAt.acquired;
  recordSpinCount(m, p, lock.id, at);
  recordSpinState(m, p, false, got ? SpinReason.acquired : SpinReason.left, lock.id, undefined);
}

/** `p` waits on its CPU, in whatever way. */
export function isSpinning(p: Task): boolean {
  return p.mode === RunMode.spin || p.mode === RunMode.pause || p.mode === RunMode.onOwner;
}

/** `p`, that waits for the lock, owns it from this instant on; it learns of it when it runs next. */
export function grant(m: Machine, lock: Lock, p: Task): void {
  endWait(m, p);
  p.granted = true;
  own(m, lock, p, true);
}

function markSlowPath(m: Machine, lock: Lock, p: Task): void {
  if (lock.spec.marks) recordMark(m, p, `enters the slow path of ${lock.spec.name}`);
}

/** `p` owns the lock from here on. */
export function own(m: Machine, lock: Lock, p: Task, waited: boolean): void {
  lock.owner = p;
  lock.heldSinceNs = m.nowNs;
  p.held.push(lock.id);
  recordLockAcquire(m, p, lock.id, waited);
  noteLockChanged(m);
}

/** `p`, spinning, has got the lock. */
export function endSpinAcquired(m: Machine, lock: Lock, p: Task): void {
  stopSpinning(m, lock, p, SpinCountAt.acquired);
  endWait(m, p);
  own(m, lock, p, true);
  p.mode = RunMode.step;
}

/** `p` was given the lock, and lost it before it ran: it waits again, up to the time limit that it had. */
export function waitAgain(m: Machine, lock: Lock, p: Task, limitNs: Ns): void {
  p.granted = false;
  p.waitsFor = lock.id;
  p.waitSinceNs = m.nowNs;
  p.waitUntilNs = limitNs;
  recordLockWait(m, p, lock.id, WaitMode.block, lock.owner);
  if (limitNs < Number.POSITIVE_INFINITY) startTimer(m, p, limitNs, limitNs + slackOf(p));
  noteLockChanged(m);
}

/** The wait of `p` is over, one way or the other. */
export function endWait(m: Machine, p: Task): void {
  p.waitsFor = -1;
  p.waitUntilNs = Number.POSITIVE_INFINITY;
  stopTimer(m, p);
}

/** `p`, spinning, is about to be given the lock by its owner. */
export function endSpinGranted(m: Machine, lock: Lock, p: Task): void {
  stopSpinning(m, lock, p, SpinCountAt.acquired);
  p.mode = RunMode.lockRetry;
}

/** `p` gives up waiting (its time limit passed, or the kernel refuses it); its program goes on at the else branch. */
export function abandonWait(m: Machine, lock: Lock, p: Task): void {
  const spins = isSpinning(p);
  if (spins) stopSpinning(m, lock, p, SpinCountAt.aborted);
  recordLockAbort(m, p, lock.id, spins ? WaitMode.spin : WaitMode.block);
  endWait(m, p);
  p.timedOut = false;
  p.parked = false;
  p.mode = RunMode.step;
  goToElse(m, p);
  noteLockChanged(m);
}

/** The lock step that `p` is in has an else branch. */
export function takesElse(m: Machine, p: Task): boolean {
  const op = m.programs[p.spec]![p.pc - 1];
  return op !== undefined && op.op === 'lock' && op.elsePc !== p.pc;
}

/** The lock step that `p` is in got no lock: its else branch follows, if it has one. */
export function goToElse(m: Machine, p: Task): void {
  const op = m.programs[p.spec]![p.pc - 1];
  if (op !== undefined && op.op === 'lock') p.pc = op.elsePc;
}

/** `p` gives the lock away. `to`: the task that has it from this instant on; undefined: nobody. */
export function disown(m: Machine, lock: Lock, p: Task, to: Task | undefined): void {
  p.held.splice(p.held.indexOf(lock.id), 1);
  lock.owner = undefined;
  recordLockRelease(m, p, lock.id, to);
  noteLockChanged(m);
}
