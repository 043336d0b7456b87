// What records about locks change: who holds one, who waits, and since when. Called by the segmenter.

import type { Ns } from '../base/units.ts';
import { NONE } from './ids.ts';
import { addLane, MAX_LANES, showOnLane } from './lane_writer.ts';
import { PRIO_NONE } from './prio.ts';
import { SpinReason, StopReason, WakeReason } from './reasons.ts';
import { WaitMode } from './records.ts';
import { blank, lockOf, prioFlags, showLock, showTask, taskOf } from './segment_show.ts';
import type { LockCell, Segmenter, WaitCell } from './segment_state.ts';
import { SegKind } from './segments.ts';

export function readLockWait(s: Segmenter, t: Ns, taskId: number, lockId: number, mode: number, holder: number): void {
  const lock = lockOf(s, lockId);
  const wait = waitOf(s, t, lock, lockId, taskId);
  if (!wait.waiting) lock.waiters++;
  wait.waiting = true;
  if (wait.lane !== NONE) {
    const task = taskOf(s, taskId);
    const spins = mode === WaitMode.spin;
    const kind = spins ? SegKind.spin : SegKind.blocked;
    const reason = spins ? SpinReason.contended : StopReason.lockBlocked;
    showOnLane(s.writer, wait.lane, t, kind, prioFlags(task), taskId, task.prio, reason, lockId, holder);
  }
  showLock(s, lock, t);
}

export function readLockAcquire(s: Segmenter, t: Ns, taskId: number, lockId: number): void {
  const lock = lockOf(s, lockId);
  endWait(s, t, lockId, taskId, SpinReason.acquired);
  if (lock.holding === 'none') {
    showLock(s, lock, t);
    return;
  }
  if (lock.holding === 'several') addReader(s, t, lock, taskId);
  else setHolder(s, t, lock, taskId, SpinReason.acquired);
}

export function readLockRelease(s: Segmenter, t: Ns, taskId: number, lockId: number, handedTo: number): void {
  const lock = lockOf(s, lockId);
  if (lock.holding === 'none') return;
  if (lock.holding === 'several') {
    dropReader(s, t, lock, taskId, handedTo);
    return;
  }
  setHolder(s, t, lock, handedTo, handedTo === NONE ? WakeReason.unlock : WakeReason.handoff);
}

export function readLockAbort(s: Segmenter, t: Ns, taskId: number, lockId: number): void {
  endWait(s, t, lockId, taskId, SpinReason.left);
  showLock(s, lockOf(s, lockId), t);
}

/** One more reader (or the writer): the lane shows the first of them. */
function addReader(s: Segmenter, t: Ns, lock: LockCell, taskId: number): void {
  if (!lock.holders.includes(taskId)) {
    lock.holders.push(taskId);
    changeHolds(s, t, taskId, 1);
  }
  showFirst(s, t, lock, SpinReason.acquired);
}

function dropReader(s: Segmenter, t: Ns, lock: LockCell, taskId: number, handedTo: number): void {
  const at = lock.holders.indexOf(taskId);
  if (at >= 0) {
    lock.holders.splice(at, 1);
    changeHolds(s, t, taskId, -1);
  }
  if (handedTo !== NONE && !lock.holders.includes(handedTo)) {
    lock.holders.push(handedTo);
    changeHolds(s, t, handedTo, 1);
  }
  showFirst(s, t, lock, handedTo === NONE ? WakeReason.unlock : WakeReason.handoff);
}

function showFirst(s: Segmenter, t: Ns, lock: LockCell, reason: number): void {
  const first = lock.holders[0] ?? NONE;
  if (first !== lock.holder) {
    lock.before = lock.holder;
    lock.holder = first;
    lock.reason = reason;
  }
  showLock(s, lock, t);
}

function setHolder(s: Segmenter, t: Ns, lock: LockCell, holder: number, reason: number): void {
  const before = lock.holder;
  if (holder !== before) {
    lock.holder = holder;
    lock.before = before;
    lock.reason = reason;
    if (before !== NONE) changeHolds(s, t, before, -1);
    if (holder !== NONE) changeHolds(s, t, holder, 1);
  }
  showLock(s, lock, t);
}

function changeHolds(s: Segmenter, t: Ns, taskId: number, by: number): void {
  const task = taskOf(s, taskId);
  task.holds += by;
  showTask(s, task, t);
}

function endWait(s: Segmenter, t: Ns, lockId: number, taskId: number, reason: number): void {
  const lock = lockOf(s, lockId);
  const wait = lock.waits.get(taskId);
  if (wait === undefined || !wait.waiting) return;
  wait.waiting = false;
  lock.waiters--;
  if (wait.lane !== NONE) showOnLane(s.writer, wait.lane, t, SegKind.absent, 0, NONE, PRIO_NONE, reason, lockId, NONE);
}

function waitOf(s: Segmenter, t: Ns, lock: LockCell, lockId: number, taskId: number): WaitCell {
  const known = lock.waits.get(taskId);
  if (known !== undefined) return known;
  const hasRoom = s.lanes.length < MAX_LANES;
  const info = { kind: 'lockWait', subject: lockId, task: taskId } as const;
  const lane = hasRoom ? addLane(s.writer, info, t, blank(SegKind.absent, 0, PRIO_NONE)) : NONE;
  const wait = { lane, waiting: false };
  lock.waits.set(taskId, wait);
  return wait;
}
