// Records in, segment rows out: the one place where what happened becomes what stands on a lane. Used by
// the simulation's host and by every importer. Incremental: rows depend on the records alone, never on
// how they were cut into pieces. Knows no scheduler: it believes what the records say.

import { assert } from '../base/assert.ts';
import type { Ns } from '../base/units.ts';
import { NONE } from './ids.ts';
import { addLane, createLaneWriter, type LaneWriter, MAX_LANES, settleLanes, showOnLane } from './lane_writer.ts';
import type { TaskInfo, TraceMeta } from './meta.ts';
import { isRtPrio, PRIO_NONE } from './prio.ts';
import { PickReason, SpinReason, StopReason, WaitReason, WakeReason } from './reasons.ts';
import { PrevState, type RecordColumns, RecordKind, WaitMode } from './records.ts';
import type { SegmentRows } from './segment_rows.ts';
import {
  createLockCell,
  createTaskCell,
  type LockCell,
  setState,
  type TaskCell,
  type WaitCell,
} from './segment_state.ts';
import { type LaneInfo, SegFlag, SegKind } from './segments.ts';

/**
 * State between two calls. `lanes` grows in the order of ids: CPUs, threads, locks, then wait lanes and
 * forked threads as they appear. `rows` holds what was settled; its reader empties it with `count = 0`.
 */
export interface Segmenter {
  readonly lanes: readonly LaneInfo[];
  readonly rows: SegmentRows;
  readonly writer: LaneWriter;
  /** Task that runs, by CPU; NONE while idle. */
  readonly curr: number[];
  readonly tasks: TaskCell[];
  readonly locks: LockCell[];
  /** Instant of the last record. */
  nowNs: Ns;
}

/** A segmenter at instant 0: CPUs idle, tasks absent, locks free. */
export function createSegmenter(meta: Pick<TraceMeta, 'cpus' | 'tasks' | 'locks'>): Segmenter {
  const writer = createLaneWriter();
  const s: Segmenter = { lanes: writer.lanes, rows: writer.rows, writer, curr: [], tasks: [], locks: [], nowNs: 0 };
  for (let cpu = 0; cpu < meta.cpus; cpu++) {
    s.curr.push(NONE);
    addLane(writer, { kind: 'cpu', subject: cpu, task: NONE }, 0, blank(SegKind.idle, PickReason.idle, PRIO_NONE));
  }
  addTasks(s, meta.tasks);
  for (let lock = 0; lock < meta.locks.length; lock++) {
    const lane = addLane(writer, { kind: 'lock', subject: lock, task: NONE }, 0, {
      ...blank(SegKind.free, 0, PRIO_NONE),
      arg: 0,
    });
    s.locks.push(createLockCell(lane));
  }
  return s;
}

/** Makes the tasks from the first unknown one on known. Call with the whole table, before the records that name them. */
export function addTasks(s: Segmenter, table: readonly TaskInfo[]): void {
  for (let task = s.tasks.length; task < table.length; task++) {
    const info = table[task]!;
    const shown = blank(SegKind.absent, StopReason.notStarted, PRIO_NONE);
    const lane = addLane(s.writer, { kind: 'thread', subject: task, task: NONE }, s.nowNs, shown);
    const cell = createTaskCell(lane, info);
    s.tasks.push(cell);
    showTask(s, cell, s.nowNs);
  }
}

/** Reads records [from, to), which are in order of time and not earlier than any before. About 0.1 us each. */
export function feedRecords(s: Segmenter, r: RecordColumns, from = 0, to = r.count): void {
  for (let i = from; i < to; i++) {
    const tsNs = r.tsNs[i]!;
    assert(tsNs >= s.nowNs, 'records come in order of time');
    s.nowNs = tsNs;
    readRecord(s, r, i);
  }
}

/** Settles what began before `watermarkNs`: call when no record earlier than that can follow. */
export function settle(s: Segmenter, watermarkNs: Ns): void {
  settleLanes(s.writer, watermarkNs);
}

function readRecord(s: Segmenter, r: RecordColumns, i: number): void {
  const t = r.tsNs[i]!;
  const a = r.a[i]!;
  const b = r.b[i]!;
  const c = r.c[i]!;
  const reason = r.reason[i]!;
  const taskId = r.task[i]!;
  switch (r.kind[i]) {
    case RecordKind.schedSwitch:
      readSwitch(s, t, r.cpu[i]!, taskId, a, b, reason, c);
      break;
    case RecordKind.schedWaking: {
      const task = taskOf(s, taskId);
      task.wakeReason = reason;
      task.waker = a;
      break;
    }
    case RecordKind.schedWakeup:
      readWakeup(s, t, taskOf(s, taskId), r.cpu[i]!, a);
      break;
    case RecordKind.schedMigrateTask:
      readMigrate(s, t, taskOf(s, taskId), a, b);
      break;
    case RecordKind.taskState:
      readTaskState(s, t, taskOf(s, taskId), r.cpu[i]!, a as SegKind, reason, b, c);
      break;
    case RecordKind.spinState:
      readSpinState(s, t, taskOf(s, taskId), a === 1, reason, b, c);
      break;
    case RecordKind.taskAttrs:
      readPrio(s, t, taskOf(s, taskId), a, c);
      break;
    case RecordKind.schedPiSetprio: {
      const task = taskOf(s, taskId);
      readPrio(s, t, task, b, c === NONE ? b : task.normalPrio);
      break;
    }
    case RecordKind.lockWait:
      readLockWait(s, t, taskId, a, b, c);
      break;
    case RecordKind.lockAcquire:
      readLockAcquire(s, t, taskId, a);
      break;
    case RecordKind.lockRelease:
      readLockRelease(s, t, a, b);
      break;
    case RecordKind.lockAbort:
      endWait(s, t, a, taskId, SpinReason.left);
      showLock(s, lockOf(s, a), t);
      break;
    case RecordKind.taskNew:
      taskOf(s, taskId).cpu = r.cpu[i]!;
      break;
    case RecordKind.taskExit:
      readExit(s, t, taskOf(s, taskId));
      break;
    case RecordKind.fairServer:
      readFairServer(s, t, r.cpu[i]!, a);
      break;
    default:
      break; // Marks, findings, counts and interrupts stand on no lane.
  }
}

function readSwitch(
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

function readWakeup(s: Segmenter, t: Ns, task: TaskCell, cpu: number, waker: number): void {
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

function readMigrate(s: Segmenter, t: Ns, task: TaskCell, fromCpu: number, toCpu: number): void {
  if (task.onCpu !== NONE) return; // Recorded traces name the target before the switch; the switch decides.
  task.cpu = toCpu;
  if (task.state.kind === SegKind.runnable) setState(task.state, SegKind.runnable, WaitReason.moved, fromCpu, NONE);
  showTask(s, task, t);
}

function readTaskState(
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

function readSpinState(
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

function readPrio(s: Segmenter, t: Ns, task: TaskCell, prio: number, normalPrio: number): void {
  task.prio = prio;
  task.normalPrio = normalPrio;
  showTask(s, task, t);
  if (task.holds === 0) return;
  for (const lock of s.locks) if (lock.holder !== NONE && s.tasks[lock.holder] === task) showLock(s, lock, t);
}

function readExit(s: Segmenter, t: Ns, task: TaskCell): void {
  if (task.onCpu !== NONE) {
    setState(task.next, SegKind.absent, StopReason.ended, NONE, NONE);
    task.nextNs = t;
    return;
  }
  setState(task.state, SegKind.absent, StopReason.ended, NONE, NONE);
  task.spinning = false;
  showTask(s, task, t);
}

function readFairServer(s: Segmenter, t: Ns, cpu: number, phase: number): void {
  const curr = s.curr[cpu]!;
  if (curr === NONE || phase === 2) return;
  const task = taskOf(s, curr);
  // Real-time work that runs on while the server begins is not here by its grace.
  task.fairServer = phase === 1 && task.prio >= 100;
  showTask(s, task, t);
}

function readLockWait(s: Segmenter, t: Ns, taskId: number, lockId: number, mode: number, holder: number): void {
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

function readLockAcquire(s: Segmenter, t: Ns, taskId: number, lockId: number): void {
  const lock = lockOf(s, lockId);
  endWait(s, t, lockId, taskId, SpinReason.acquired);
  setHolder(s, t, lock, taskId, SpinReason.acquired);
}

function readLockRelease(s: Segmenter, t: Ns, lockId: number, handedTo: number): void {
  setHolder(s, t, lockOf(s, lockId), handedTo, handedTo === NONE ? WakeReason.unlock : WakeReason.handoff);
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

/** Writes the task's state on its own lane and, while it runs, on its CPU's. */
function showTask(s: Segmenter, task: TaskCell, t: Ns): void {
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

function showLock(s: Segmenter, lock: LockCell, t: Ns): void {
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

function prioFlags(task: TaskCell): number {
  const boosted = task.prio < task.normalPrio ? SegFlag.boosted : 0;
  if (task.prio < 0) return boosted | SegFlag.dl;
  return isRtPrio(task.prio) ? boosted | SegFlag.rt : boosted;
}

function taskOf(s: Segmenter, task: number): TaskCell {
  const cell = s.tasks[task];
  assert(cell !== undefined, 'a record names a task of the table');
  return cell;
}

function lockOf(s: Segmenter, lock: number): LockCell {
  const cell = s.locks[lock];
  assert(cell !== undefined, 'a record names a lock of the table');
  return cell;
}

function blank(kind: SegKind, reason: number, prio: number) {
  return { kind, flags: 0, who: NONE, prio, reason, arg: NONE, arg2: NONE };
}
