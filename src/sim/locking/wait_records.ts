// What every lock kind does alike: ownership, and the records and engine marks of waits.

import { SpinReason } from '../../trace/reasons.ts';
import type { Lock, Machine } from '../machine.ts';
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
import { RunMode, type Task } from '../task.ts';
import { stopTimer } from '../timers.ts';
import { noteLockChanged } from '../verdicts/tracker.ts';

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

/** `p` begins to wait asleep (futex, pi). */
export function beginBlock(m: Machine, lock: Lock, p: Task): void {
  p.waitsFor = lock.id;
  p.waitSinceNs = m.nowNs;
  p.spinIterations = 0;
  recordLockWait(m, p, lock.id, WaitMode.block, lock.owner);
  markSlowPath(m, lock, p);
  noteLockChanged(m);
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
  recordSpinCount(m, p, lock.id, SpinCountAt.acquired);
  recordSpinState(m, p, false, SpinReason.acquired, lock.id, undefined);
  endWait(m, p);
  own(m, lock, p, true);
  p.mode = RunMode.step;
}

/** The wait of `p` is over, one way or the other. */
export function endWait(m: Machine, p: Task): void {
  p.waitsFor = -1;
  p.waitUntilNs = Number.POSITIVE_INFINITY;
  stopTimer(m, p);
}

/** `p` gives up waiting (its time limit passed); its program goes on at the else branch. */
export function abandonWait(m: Machine, lock: Lock, p: Task): void {
  const spins = p.mode === RunMode.spin;
  if (spins) {
    recordSpinCount(m, p, lock.id, SpinCountAt.aborted);
    recordSpinState(m, p, false, SpinReason.left, lock.id, undefined);
  }
  recordLockAbort(m, p, lock.id, spins ? WaitMode.spin : WaitMode.block);
  endWait(m, p);
  p.timedOut = false;
  p.mode = RunMode.step;
  const op = m.programs[p.spec]![p.pc - 1];
  if (op !== undefined && op.op === 'lock') p.pc = op.elsePc;
  noteLockChanged(m);
}

/** `p` gives the lock away. `to`: the task that has it from this instant on; undefined: nobody. */
export function disown(m: Machine, lock: Lock, p: Task, to: Task | undefined): void {
  p.held.splice(p.held.indexOf(lock.id), 1);
  lock.owner = undefined;
  recordLockRelease(m, p, lock.id, to);
  noteLockChanged(m);
}
