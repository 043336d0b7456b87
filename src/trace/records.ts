// Records are the primary output of a simulation and of every importer: instants, shaped like ftrace's
// events. Segments, numbers and levels of detail are all derived from them.
// Columns grow in place; readers see rows [0, count).

import { moveInto } from '../base/columns.ts';
import type { Ns } from '../base/units.ts';

/** Kinds of records. `a` and `b` are operands whose meaning the comment gives; unused ones are NONE. */
export const RecordKind = {
  /** task = next (NONE: idle), a = prev (NONE: idle), b = PrevState of prev. reason = why `task` was picked; c = runner-up task. Owns a pair of operands. */
  schedSwitch: 1,
  /** task = the woken one, cpu = the CPU the waker ran on, a = waker (NONE: a timer or an interrupt), b = the CPU it last ran on. reason = WakeReason. */
  schedWaking: 2,
  /** task is queued on `cpu`; a = waker. Runnable from here. */
  schedWakeup: 3,
  /** task moves; a = from CPU, b = to CPU. reason = why (push, pull, balance, wake-up placement). */
  schedMigrateTask: 4,
  /** a = old effective prio, b = new effective prio, c = donor task (NONE: de-boost). */
  schedPiSetprio: 5,
  /** Attributes of task from here on: a = effective prio, b = weight, c = normal prio (after policy, before inheritance). */
  taskAttrs: 6,
  /** task begins to wait for lock a; b = WaitMode; c = holder. */
  lockWait: 7,
  /** task owns lock a from here on. b = 1 when it had to wait. */
  lockAcquire: 8,
  /** task gave lock a away; b = the task it was handed to (NONE: it is free). */
  lockRelease: 9,
  /** task gave up waiting for lock a (time-out, change of the lock's kind). b = WaitMode. */
  lockAbort: 10,
  /** task's loop on lock a: b = failed attempts since the wait began. Written when the loop ends, at probes and at the run's end. reason = SpinCountAt. */
  spinCount: 11,
  /** RT queue of `cpu` is throttled (a = 1) or runs again (a = 0). */
  rtThrottle: 12,
  /** a = index into the trace's text table; a mark of the program or of the engine. */
  mark: 13,
  /** task starts to exist: its first wake-up follows. cpu = where it is. */
  taskNew: 14,
  /** task has ended. */
  taskExit: 15,
  /** a = index into the scenario's interventions, applied after all events of this instant. */
  intervention: 16,
  /** a = FindingKind, b = index into the trace's text table; something that the program did and that is not an error of the document. */
  finding: 17,
  /** Hardware interrupt that changed something, at the end of its work: a = index into the scenario's interrupts. Others follow from TraceMeta.irqSources. */
  irq: 18,
  /** fair server of `cpu`: a = 1 begins to run fair tasks at deadline rank, 0 ends, 2 armed. */
  fairServer: 19,
  /** sched_yield that changed nothing or something; only written where it led to a decision. */
  yield: 20,
  /**
   * State of task changes without a switch, or at the switch that follows at the same instant. a = SegKind:
   * runnable, blocked, sleep, throttled or absent; reason = WaitReason or StopReason; b = its arg, c = its arg2.
   * cpu = where it waits or last ran. For the task on a CPU it is written immediately before the schedSwitch
   * that takes it off, at the same instant, and says what its next segment is and why (the switch's PrevState
   * alone says less). For any other task it counts from this instant. Nothing else may begin a blocked,
   * sleep, throttled or absent segment with a reason.
   */
  taskState: 21,
  /**
   * task, on its CPU, begins (a = 1) or ends (a = 0) to spin; reason = SpinReason, b = lock, c = holder (NONE).
   * It stays in this state while it is off the CPU: its segments on a CPU are of kind spin until a = 0.
   */
  spinState: 22,
  /** Fair tasks of group a on `cpu` are throttled by its quota (b = 1) or run again (b = 0). */
  groupThrottle: 23,
  /** A scheduling decision that is not a switch: reason = DecisionRule, task = subject, a = opponent, b = 1 yes or 0 no. Owns a pair of operands. */
  decision: 24,
  /** Release of a `period` of task: a = its number, b = releases skipped since the last one, because they were past. */
  release: 25,
  /** End of a `deadlineAt` of task: a = 1 in time, 0 too late; b = how late, ns (at most 2^31 - 1). */
  deadlineEnd: 26,
  /** Softirq work of `cpu`, done at the end of an interrupt, begins (a = 1) or ends (a = 0). Work that ksoftirqd does is that task's run time. */
  softirq: 27,
} as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

/** State in which a task left the CPU (operand b of schedSwitch). Values are the kernel's bits, except `blocked`, which the kernel prints as S too. */
export const PrevState = {
  runnable: 0,
  sleeping: 1,
  uninterruptible: 2,
  exiting: 0x10,
  /** Ours: sleeping inside a wait for a lock (futex), not by its own wish. */
  blocked: 0x1000,
  /** Ours: runnable, but its class is throttled on this CPU. */
  throttled: 0x2000,
} as const;
export type PrevState = (typeof PrevState)[keyof typeof PrevState];

/** How a task waits for a lock. */
export const WaitMode = { spin: 0, block: 1 } as const;
export type WaitMode = (typeof WaitMode)[keyof typeof WaitMode];

/** Why a spinCount record was written (its `reason`). */
export const SpinCountAt = { acquired: 0, aborted: 1, probe: 2, end: 3 } as const;

/** Findings that stand on the timeline instead of stopping the run. */
export const FindingKind = {
  livelock: 1,
  unlockNotHeld: 2,
  relockHeld: 3,
  deadlockDetected: 4,
  limit: 5,
  exitHolding: 6,
  /** A mutex with a ceiling refused a thread: no real-time policy, or a ceiling below its own priority (EINVAL). */
  protectRefused: 7,
  deadlineMissed: 8,
  /** RLIMIT_RTTIME. */
  rttimeKilled: 9,
  /** A change to policy deadline that admission control refused (EBUSY, EPERM). */
  admissionRefused: 10,
  /** condWait by a thread that does not hold the lock. */
  condWithoutLock: 11,
  /** At the end of the run a thread waits for something that nobody can ever give. */
  waitsForEver: 12,
  /** fork of a deadline thread (EAGAIN). */
  forkRefused: 13,
} as const;
export type FindingKind = (typeof FindingKind)[keyof typeof FindingKind];

/** Pairs of deciding operands, in the order of the records that own them. 16 bytes a pair. */
export interface OperandColumns {
  count: number;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
}

/**
 * Growable columns, one row a record, in order of time (ties: order of writing). 28 bytes a row.
 * Records of a decision (`ownsOperands`) have a pair of operands besides, in side columns: the n-th of them owns the n-th pair.
 */
export interface RecordColumns {
  count: number;
  tsNs: Float64Array<ArrayBuffer>;
  kind: Uint8Array<ArrayBuffer>;
  /** One of the codes of reasons.ts; 0 where none applies. */
  reason: Uint8Array<ArrayBuffer>;
  cpu: Int16Array<ArrayBuffer>;
  task: Int32Array<ArrayBuffer>;
  a: Int32Array<ArrayBuffer>;
  b: Int32Array<ArrayBuffer>;
  c: Int32Array<ArrayBuffer>;
  readonly operands: OperandColumns;
}

/** Whether records of this kind have a pair of operands: a switch, and a decision that is not a switch. */
export function ownsOperands(kind: number): boolean {
  return kind === RecordKind.schedSwitch || kind === RecordKind.decision;
}

/** Empty columns with room for `capacity` rows (at least 1). */
export function createRecords(capacity = 1024): RecordColumns {
  return {
    count: 0,
    tsNs: new Float64Array(capacity),
    kind: new Uint8Array(capacity),
    reason: new Uint8Array(capacity),
    cpu: new Int16Array(capacity),
    task: new Int32Array(capacity),
    a: new Int32Array(capacity),
    b: new Int32Array(capacity),
    c: new Int32Array(capacity),
    operands: createOperands(Math.max(1, capacity >> 2)),
  };
}

/** Empty columns of operands with room for `capacity` pairs (at least 1). */
export function createOperands(capacity: number): OperandColumns {
  return { count: 0, x: new Float64Array(capacity), y: new Float64Array(capacity) };
}

/**
 * Appends one row; doubles the columns when full. Amortised O(1).
 *
 * @param x first operand of a decision: what was decided about; any number; not kept for kinds without operands
 * @param y what it was compared with
 */
export function pushRecord(
  r: RecordColumns,
  tsNs: Ns,
  kind: RecordKind,
  reason: number,
  cpu: number,
  task: number,
  a: number,
  b: number,
  c: number,
  x = 0,
  y = 0,
): void {
  if (r.count === r.kind.length) growRecords(r);
  const i = r.count++;
  r.tsNs[i] = tsNs;
  r.kind[i] = kind;
  r.reason[i] = reason;
  r.cpu[i] = cpu;
  r.task[i] = task;
  r.a[i] = a;
  r.b[i] = b;
  r.c[i] = c;
  if (ownsOperands(kind)) pushOperands(r.operands, x, y);
}

function pushOperands(o: OperandColumns, x: number, y: number): void {
  if (o.count === o.x.length) moveInto(o, createOperands(o.x.length * 2));
  const i = o.count++;
  o.x[i] = x;
  o.y[i] = y;
}

function growRecords(r: RecordColumns): void {
  moveInto(r, createRecords(r.kind.length * 2));
}
