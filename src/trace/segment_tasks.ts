// What records about tasks and CPUs change. Called by the segmenter, one function a kind of record.

import type { Ns } from '../base/units.ts';
import { NONE } from './ids.ts';
import { showOnLane } from './lane_writer.ts';
import { PRIO_NONE } from './prio.ts';
import { PickReason, StopReason, WaitReason, WakeReason } from './reasons.ts';
import { PrevState } from './records.ts';
import { showLock, showTask, taskOf } from './segment_show.ts';
import { type Segmenter, setState, type TaskCell } from './segment_state.ts';
import { SegKind } from './segments.ts';

export function readSwitch(
  s: Segmenter,
  t: Ns,
  cpu: number,
  nextId: number,
  prevId: number,
  prevState: number,
  reason: number,
  c: number,
): void {
  const onCpu = s.curr[cpu]!;
  // In a recorded trace with lost events the task that leaves may not be the one that was seen to come.
  if (onCpu !== NONE && onCpu !== prevId) loseTask(s, t, taskOf(s, onCpu));
  if (prevId !== NONE && prevId !== nextId) switchOut(s, t, taskOf(s, prevId), cpu, prevState, nextId);
  s.curr[cpu] = nextId;
  if (nextId === NONE) {
    showOnLane(s.writer, cpu, t, SegKind.idle, 0, NONE, PRIO_NONE, reason, c, NONE);
    return;
  }
  const next = taskOf(s, nextId);
  if (next.onCpu !== NONE && next.onCpu !== cpu && s.curr[next.onCpu] === nextId) {
    // Seen on two CPUs: the switch that took it off the other one was lost.
    s.curr[next.onCpu] = NONE;
    showOnLane(s.writer, next.onCpu, t, SegKind.unknown, 0, NONE, PRIO_NONE, 0, NONE, NONE);
  }
  next.onCpu = cpu;
  next.cpu = cpu;
  next.preempted = false;
  next.fairServer = reason === PickReason.fairServer;
  setState(next.state, SegKind.run, reason, c, NONE);
  showTask(s, next, t);
}

function switchOut(s: Segmenter, t: Ns, prev: TaskCell, cpu: number, prevState: number, nextId: number): void {
  prev.onCpu = NONE;
  prev.cpu = cpu;
  prev.fairServer = false;
  if (prev.nextNs === t) {
    const n = prev.next;
    setState(prev.state, n.kind, n.reason, n.arg, n.arg2);
  } else {
    setStateFromPrev(prev, prevState, nextId);
  }
  prev.nextNs = -1;
  prev.preempted = prev.state.kind === SegKind.runnable;
  if (prev.state.kind === SegKind.absent) prev.spinning = false;
  showTask(s, prev, t);
}

/** The little that a switch alone says about why prev stopped: all that recorded traces have. */
function setStateFromPrev(prev: TaskCell, prevState: number, nextId: number): void {
  if (prevState === PrevState.runnable) setState(prev.state, SegKind.runnable, WaitReason.none, nextId, NONE);
  else if (prevState === PrevState.throttled)
    setState(prev.state, SegKind.throttled, StopReason.rtThrottled, NONE, NONE);
  else if (prevState === PrevState.blocked) setState(prev.state, SegKind.blocked, StopReason.lockBlocked, NONE, NONE);
  else if (prevState & PrevState.exiting) setState(prev.state, SegKind.absent, StopReason.ended, NONE, NONE);
  else if (prevState & PrevState.uninterruptible) setState(prev.state, SegKind.blocked, 0, NONE, NONE);
  else setState(prev.state, SegKind.sleep, 0, NONE, NONE);
}

function loseTask(s: Segmenter, t: Ns, task: TaskCell): void {
  task.onCpu = NONE;
  task.fairServer = false;
  setState(task.state, SegKind.unknown, 0, NONE, NONE);
  showTask(s, task, t);
}

export function readWakeup(s: Segmenter, t: Ns, task: TaskCell, cpu: number, waker: number): void {
  const reason = task.wakeReason;
  const by = waker !== NONE ? waker : task.waker;
  task.wakeReason = 0;
  task.waker = NONE;
  if (task.onCpu !== NONE) return; // Woken before it had left: it goes on running.
  task.cpu = cpu;
  if (task.state.kind !== SegKind.runnable) {
    task.preempted = false;
    setState(task.state, SegKind.runnable, waitReasonOf(reason, by), by, NONE);
  }
  showTask(s, task, t);
}

function waitReasonOf(wakeReason: number, waker: number): number {
  switch (wakeReason) {
    case WakeReason.timer:
      return WaitReason.wokenByTimer;
    case WakeReason.unlock:
    case WakeReason.handoff:
    case WakeReason.kindChanged:
      return WaitReason.wokenByUnlock;
    case WakeReason.start:
    case WakeReason.fork:
      return WaitReason.started;
    case WakeReason.interrupt:
      return WaitReason.wokenByInterrupt;
    default:
      return waker === NONE ? WaitReason.none : WaitReason.wokenByTask;
  }
}

export function readMigrate(s: Segmenter, t: Ns, task: TaskCell, fromCpu: number, toCpu: number): void {
  if (task.onCpu !== NONE) return; // Recorded traces name the target before the switch; the switch decides.
  task.cpu = toCpu;
  if (task.state.kind === SegKind.runnable) setState(task.state, SegKind.runnable, WaitReason.moved, fromCpu, NONE);
  showTask(s, task, t);
}

export function readTaskState(
  s: Segmenter,
  t: Ns,
  task: TaskCell,
  cpu: number,
  kind: SegKind,
  reason: number,
  arg: number,
  arg2: number,
): void {
  if (task.onCpu !== NONE) {
    setState(task.next, kind, reason, arg, arg2);
    task.nextNs = t;
    return;
  }
  const waited = task.state.kind === SegKind.runnable || task.state.kind === SegKind.throttled;
  if (!waited) task.preempted = false;
  setState(task.state, kind, reason, arg, arg2);
  if (cpu !== NONE) task.cpu = cpu;
  showTask(s, task, t);
}

export function readSpinState(
  s: Segmenter,
  t: Ns,
  task: TaskCell,
  begins: boolean,
  reason: number,
  lock: number,
  holder: number,
): void {
  task.spinning = begins;
  task.spinLock = begins ? lock : NONE;
  if (task.onCpu === NONE) return;
  setState(task.state, SegKind.run, reason, lock, holder);
  showTask(s, task, t);
}

export function readPrio(s: Segmenter, t: Ns, task: TaskCell, prio: number, normalPrio: number): void {
  task.prio = prio;
  task.normalPrio = normalPrio;
  showTask(s, task, t);
  if (task.holds === 0) return;
  for (const lock of s.locks) if (lock.holder !== NONE && s.tasks[lock.holder] === task) showLock(s, lock, t);
}

export function readExit(s: Segmenter, t: Ns, task: TaskCell): void {
  if (task.onCpu !== NONE) {
    setState(task.next, SegKind.absent, StopReason.ended, NONE, NONE);
    task.nextNs = t;
    return;
  }
  setState(task.state, SegKind.absent, StopReason.ended, NONE, NONE);
  task.spinning = false;
  showTask(s, task, t);
}

export function readFairServer(s: Segmenter, t: Ns, cpu: number, phase: number): void {
  const curr = s.curr[cpu]!;
  if (curr === NONE || phase === 2) return;
  const task = taskOf(s, curr);
  // Real-time work that runs on while the server begins is not here by its grace.
  task.fairServer = phase === 1 && task.prio >= 100;
  showTask(s, task, t);
}
