// Writes the remembered state of tasks and locks to their lanes.

import { assert } from '../base/assert.ts';
import type { Ns } from '../base/units.ts';
import { NONE } from './ids.ts';
import { addLane, showOnLane } from './lane_writer.ts';
import { isRtPrio, PRIO_NONE } from './prio.ts';
import { StopReason, WaitReason } from './reasons.ts';
import { createTaskCell, type LockCell, type Segmenter, type TaskCell } from './segment_state.ts';
import { SegFlag, SegKind } from './segments.ts';

/** Writes the task's state on its own lane and, while it runs, on its CPU's. */
export function showTask(s: Segmenter, task: TaskCell, t: Ns): void {
  const { kind, reason, arg } = task.state;
  if (task.onCpu === NONE) {
    const waits = kind === SegKind.runnable || kind === SegKind.throttled;
    const flags = taskFlags(task) | (waits && task.preempted ? SegFlag.preempted : 0);
    showOnLane(s.writer, task.lane, t, kind, flags, waits ? task.cpu : NONE, task.prio, reason, arg, task.state.arg2);
    return;
  }
  // Picked while spinning: the reason is the pick's, so the lock stands in arg2.
  const spins = task.spinning;
  const shown = spins ? SegKind.spin : SegKind.run;
  const arg2 = spins && reason < WaitReason.none ? task.spinLock : task.state.arg2;
  const flags = taskFlags(task) | (task.fairServer ? SegFlag.fairServer : 0);
  const taskId = s.curr[task.onCpu]!;
  showOnLane(s.writer, task.onCpu, t, shown, flags, taskId, task.prio, reason, arg, arg2);
  showOnLane(s.writer, task.lane, t, shown, flags, task.onCpu, task.prio, reason, arg, arg2);
}

export function showLock(s: Segmenter, lock: LockCell, t: Ns): void {
  if (lock.holder === NONE) {
    showOnLane(s.writer, lock.lane, t, SegKind.free, 0, NONE, PRIO_NONE, lock.reason, lock.waiters, lock.before);
    return;
  }
  const holder = taskOf(s, lock.holder);
  showOnLane(
    s.writer,
    lock.lane,
    t,
    SegKind.held,
    prioFlags(holder),
    lock.holder,
    holder.prio,
    lock.reason,
    lock.waiters,
    lock.before,
  );
}

function taskFlags(task: TaskCell): number {
  return prioFlags(task) | (task.holds > 0 ? SegFlag.holdsLock : 0);
}

export function prioFlags(task: TaskCell): number {
  const boosted = task.prio < task.normalPrio ? SegFlag.boosted : 0;
  if (task.prio < 0) return boosted | SegFlag.dl;
  return isRtPrio(task.prio) ? boosted | SegFlag.rt : boosted;
}

export function taskOf(s: Segmenter, task: number): TaskCell {
  const cell = s.tasks[task];
  if (cell !== undefined) return cell;
  assert(task >= 0 && task < s.table.length, 'a record names a task of the table');
  while (s.tasks.length <= task) addTaskLane(s, s.nowNs);
  return s.tasks[task]!;
}

/** Lane and memory of the next task of the table, absent from `fromNs` on. */
export function addTaskLane(s: Segmenter, fromNs: Ns): void {
  const task = s.tasks.length;
  const shown = blank(SegKind.absent, StopReason.notStarted, PRIO_NONE);
  const cell = createTaskCell(
    addLane(s.writer, { kind: 'thread', subject: task, task: NONE }, fromNs, shown),
    s.table[task]!,
  );
  s.tasks.push(cell);
  showTask(s, cell, fromNs);
}

export function lockOf(s: Segmenter, lock: number): LockCell {
  const cell = s.locks[lock];
  assert(cell !== undefined, 'a record names a lock of the table');
  return cell;
}

export function blank(kind: SegKind, reason: number, prio: number) {
  return { kind, flags: 0, who: NONE, prio, reason, arg: NONE, arg2: NONE };
}
