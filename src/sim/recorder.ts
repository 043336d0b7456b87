// The only place where the simulation writes trace records. Each function is one event as the trace knows it.

import { NONE } from '../trace/ids.ts';
import { FindingKind, PrevState, pushRecord, RecordKind, SpinCountAt, WaitMode } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import type { Machine } from './machine.ts';
import type { Task } from './task.ts';

/** Operands are 32-bit. */
const MAX_INT = 0x7fffffff;

function idOf(task: Task | undefined): number {
  return task === undefined ? NONE : task.id;
}

/** What `task` does from now on, off the CPU. Written before the switch that takes it off. */
export function recordTaskState(
  m: Machine,
  task: Task,
  kind: SegKind,
  reason: number,
  arg: number,
  arg2: number,
): void {
  pushRecord(m.records, m.nowNs, RecordKind.taskState, reason, task.cpu, task.id, kind, arg, arg2);
}

export function recordSwitch(
  m: Machine,
  cpu: number,
  prev: Task | undefined,
  prevState: number,
  next: Task | undefined,
  reason: number,
  runnerUp: Task | undefined,
  x: number,
  y: number,
): void {
  pushRecord(
    m.records,
    m.nowNs,
    RecordKind.schedSwitch,
    reason,
    cpu,
    idOf(next),
    idOf(prev),
    prevState,
    idOf(runnerUp),
    x,
    y,
  );
}

/** A rule (DecisionRule) has answered `yes` or no about `task`, by comparing x with y; `other` is whom it was measured against. */
export function recordDecision(
  m: Machine,
  task: Task,
  rule: number,
  other: Task | undefined,
  yes: boolean,
  x: number,
  y: number,
): void {
  pushRecord(m.records, m.nowNs, RecordKind.decision, rule, task.cpu, task.id, idOf(other), yes ? 1 : 0, NONE, x, y);
}

export function recordWaking(m: Machine, task: Task, wakerCpu: number, waker: Task | undefined, reason: number): void {
  pushRecord(m.records, m.nowNs, RecordKind.schedWaking, reason, wakerCpu, task.id, idOf(waker), task.cpu, NONE);
}

export function recordWakeup(m: Machine, task: Task, waker: Task | undefined): void {
  pushRecord(m.records, m.nowNs, RecordKind.schedWakeup, 0, task.cpu, task.id, idOf(waker), NONE, NONE);
}

export function recordMigrate(m: Machine, task: Task, from: number, to: number, reason: number): void {
  pushRecord(m.records, m.nowNs, RecordKind.schedMigrateTask, reason, from, task.id, from, to, NONE);
}

export function recordPiSetprio(
  m: Machine,
  task: Task,
  oldPrio: number,
  newPrio: number,
  donor: Task | undefined,
): void {
  pushRecord(m.records, m.nowNs, RecordKind.schedPiSetprio, 0, task.cpu, task.id, oldPrio, newPrio, idOf(donor));
}

export function recordAttrs(m: Machine, task: Task): void {
  pushRecord(
    m.records,
    m.nowNs,
    RecordKind.taskAttrs,
    0,
    task.cpu,
    task.id,
    task.prio,
    task.se.weight,
    task.normalPrio,
  );
}

export function recordLockWait(m: Machine, task: Task, lock: number, mode: WaitMode, holder: Task | undefined): void {
  pushRecord(m.records, m.nowNs, RecordKind.lockWait, 0, task.cpu, task.id, lock, mode, idOf(holder));
}

export function recordLockAcquire(m: Machine, task: Task, lock: number, waited: boolean): void {
  pushRecord(m.records, m.nowNs, RecordKind.lockAcquire, 0, task.cpu, task.id, lock, waited ? 1 : 0, NONE);
}

export function recordLockRelease(m: Machine, task: Task, lock: number, to: Task | undefined): void {
  pushRecord(m.records, m.nowNs, RecordKind.lockRelease, 0, task.cpu, task.id, lock, idOf(to), NONE);
}

/** One more in a semaphore; `poster` undefined: an interrupt. */
export function recordSemPost(m: Machine, cpu: number, poster: Task | undefined, sem: number): void {
  pushRecord(m.records, m.nowNs, RecordKind.lockRelease, 0, cpu, idOf(poster), sem, NONE, NONE);
}

export function recordLockAbort(m: Machine, task: Task, lock: number, mode: WaitMode): void {
  pushRecord(m.records, m.nowNs, RecordKind.lockAbort, 0, task.cpu, task.id, lock, mode, NONE);
}

export function recordSpinState(
  m: Machine,
  task: Task,
  spins: boolean,
  reason: number,
  lock: number,
  holder: Task | undefined,
): void {
  pushRecord(m.records, m.nowNs, RecordKind.spinState, reason, task.cpu, task.id, spins ? 1 : 0, lock, idOf(holder));
}

export function recordSpinCount(
  m: Machine,
  task: Task,
  lock: number,
  at: (typeof SpinCountAt)[keyof typeof SpinCountAt],
): void {
  pushRecord(m.records, m.nowNs, RecordKind.spinCount, at, task.cpu, task.id, lock, task.spinIterations, NONE);
}

export function recordRtThrottle(m: Machine, cpu: number, throttled: boolean): void {
  pushRecord(m.records, m.nowNs, RecordKind.rtThrottle, 0, cpu, NONE, throttled ? 1 : 0, NONE, NONE);
}

/** Interrupt `index` of the scenario has done its work, and that changes something. */
export function recordIrq(m: Machine, cpu: number, index: number): void {
  pushRecord(m.records, m.nowNs, RecordKind.irq, 0, cpu, NONE, index, NONE, NONE);
}

export function recordSoftirq(m: Machine, cpu: number, begins: boolean): void {
  pushRecord(m.records, m.nowNs, RecordKind.softirq, 0, cpu, NONE, begins ? 1 : 0, NONE, NONE);
}

/** Fair tasks of a group on `cpu` are held up by its quota, or run again. */
export function recordGroupThrottle(m: Machine, cpu: number, group: number, throttled: boolean): void {
  pushRecord(m.records, m.nowNs, RecordKind.groupThrottle, 0, cpu, NONE, group, throttled ? 1 : 0, NONE);
}

/** state: 1 begins to run fair tasks at deadline rank, 0 its budget or its tasks ended, 2 armed. */
export function recordFairServer(m: Machine, cpu: number, state: 0 | 1 | 2): void {
  pushRecord(m.records, m.nowNs, RecordKind.fairServer, 0, cpu, NONE, state, NONE, NONE);
}

/** A `period` reached release `number`; `missed`: it was past already. */
export function recordRelease(m: Machine, task: Task, number: number, missed: boolean): void {
  pushRecord(m.records, m.nowNs, RecordKind.release, 0, task.cpu, task.id, number, missed ? 1 : 0, NONE);
}

/** The steps of a `deadlineAt` ended. `lateNs`: 0 in time. */
export function recordDeadlineEnd(m: Machine, task: Task, lateNs: number): void {
  const late = Math.min(lateNs, MAX_INT);
  pushRecord(m.records, m.nowNs, RecordKind.deadlineEnd, 0, task.cpu, task.id, lateNs > 0 ? 0 : 1, late, NONE);
}

export function recordMark(m: Machine, task: Task, text: string): void {
  pushRecord(m.records, m.nowNs, RecordKind.mark, 0, task.cpu, task.id, textId(m, text), NONE, NONE);
}

export function recordNew(m: Machine, task: Task): void {
  pushRecord(m.records, m.nowNs, RecordKind.taskNew, 0, task.cpu, task.id, NONE, NONE, NONE);
}

export function recordExit(m: Machine, task: Task): void {
  pushRecord(m.records, m.nowNs, RecordKind.taskExit, 0, task.cpu, task.id, NONE, NONE, NONE);
}

export function recordIntervention(m: Machine, index: number): void {
  pushRecord(m.records, m.nowNs, RecordKind.intervention, 0, NONE, NONE, index, NONE, NONE);
}

export function recordFinding(m: Machine, task: Task | undefined, kind: FindingKind, text: string): void {
  pushRecord(
    m.records,
    m.nowNs,
    RecordKind.finding,
    0,
    task === undefined ? NONE : task.cpu,
    idOf(task),
    kind,
    textId(m, text),
    NONE,
  );
}

function textId(m: Machine, text: string): number {
  // The key is prefixed so that no text can meet a name of Object.prototype.
  const key = `#${text}`;
  const known = m.textIds[key];
  if (known !== undefined) return known;
  m.texts.push(text);
  m.textIds[key] = m.texts.length - 1;
  return m.texts.length - 1;
}

export { FindingKind, PrevState, SegKind, SpinCountAt, WaitMode };
