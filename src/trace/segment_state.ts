// What the segmenter remembers of tasks, CPUs and locks between two records. Plain data, no logic.

import type { Ns } from '../base/units.ts';
import { NONE } from './ids.ts';
import type { LaneWriter } from './lane_writer.ts';
import type { TaskInfo } from './meta.ts';
import { normalPrioOf } from './prio.ts';
import { StopReason, WaitReason } from './reasons.ts';
import type { SegmentRows } from './segment_rows.ts';
import { type LaneInfo, SegKind } from './segments.ts';

/**
 * State between two calls. `lanes` grows in the order of ids: CPUs, threads, locks, then wait lanes and
 * forked threads as they appear. `rows` holds what was settled; its reader empties it with `count = 0`.
 */
export interface Segmenter {
  readonly lanes: readonly LaneInfo[];
  readonly rows: SegmentRows;
  readonly writer: LaneWriter;
  /** Tasks that records may name; one gets its lane with the first record that does. */
  readonly table: TaskInfo[];
  /** Task that runs, by CPU; NONE while idle. */
  readonly curr: number[];
  readonly tasks: TaskCell[];
  readonly locks: LockCell[];
  /** Instant of the last record. */
  nowNs: Ns;
}

/** A state with its reason, as a row shows it. */
export interface StateCode {
  kind: SegKind;
  reason: number;
  arg: number;
  arg2: number;
}

export interface TaskCell {
  readonly lane: number;
  /** CPU it runs on; NONE while it does not run. */
  onCpu: number;
  /** CPU it runs on, waits for or ran on last. */
  cpu: number;
  /** State off the CPU, or reason and operands of the stint on it. */
  readonly state: StateCode;
  /** Told by a taskState record for the switch at the same instant. */
  readonly next: StateCode;
  nextNs: Ns;
  prio: number;
  normalPrio: number;
  /** Locks it holds. */
  holds: number;
  /** It was put off the CPU and has not slept since. */
  preempted: boolean;
  fairServer: boolean;
  spinning: boolean;
  spinLock: number;
  /** From schedWaking, for the wake-up that follows it. */
  wakeReason: number;
  waker: number;
}

/** Who can hold a lock: one task, several readers, or nobody (semaphores, conditions and barriers). */
export type Holding = 'one' | 'several' | 'none';

/** By the kind's name in the scenario format; unknown ones have one holder. */
export function holdingOf(lockKind: string): Holding {
  if (lockKind === 'rw') return 'several';
  return lockKind === 'sem' || lockKind === 'cond' || lockKind === 'barrier' ? 'none' : 'one';
}

export interface LockCell {
  readonly lane: number;
  readonly holding: Holding;
  /** Of several readers: all who hold it, first come first. */
  readonly holders: number[];
  holder: number;
  waiters: number;
  /** Why it is free or held: SpinReason.acquired, WakeReason.handoff, WakeReason.unlock, 0 at first. */
  reason: number;
  /** Who had it before. */
  before: number;
  /** By waiting task. */
  readonly waits: Map<number, WaitCell>;
}

export interface WaitCell {
  /** NONE where the trace has no room for another lane. */
  readonly lane: number;
  waiting: boolean;
}

export function createTaskCell(lane: number, info: Pick<TaskInfo, 'policy' | 'rtPrio' | 'nice'>): TaskCell {
  const prio = normalPrioOf(info);
  return {
    lane,
    onCpu: NONE,
    cpu: NONE,
    state: { kind: SegKind.absent, reason: StopReason.notStarted, arg: NONE, arg2: NONE },
    next: { kind: SegKind.absent, reason: WaitReason.none, arg: NONE, arg2: NONE },
    nextNs: -1,
    prio,
    normalPrio: prio,
    holds: 0,
    preempted: false,
    fairServer: false,
    spinning: false,
    spinLock: NONE,
    wakeReason: 0,
    waker: NONE,
  };
}

export function createLockCell(lane: number, holding: Holding): LockCell {
  return { lane, holding, holders: [], holder: NONE, waiters: 0, reason: 0, before: NONE, waits: new Map() };
}

export function setState(state: StateCode, kind: SegKind, reason: number, arg: number, arg2: number): void {
  state.kind = kind;
  state.reason = reason;
  state.arg = arg;
  state.arg2 = arg2;
}
