// Segments: what stands on a lane. A lane's segments touch: each ends where the next begins, the last
// at the lane's end (the watermark of the trace). So a row holds its start only, and the reason
// why it ended is the reason why the next one began.

import type { Ns } from '../base/units.ts';

/** What a lane shows. */
export type LaneKind = 'cpu' | 'thread' | 'lock' | 'lockWait';

/** State of a segment. `absent`: before the first start or after the exit. `free` and `held` are for lock lanes. */
export const SegKind = {
  absent: 0,
  run: 1,
  /** On a CPU without progress. Its own kind: it is the lesson. */
  spin: 2,
  runnable: 3,
  blocked: 4,
  sleep: 5,
  throttled: 6,
  /** CPU lanes: nothing runs. */
  idle: 7,
  irq: 8,
  /** Recorded traces only: events were lost. */
  unknown: 9,
  /** Lock lanes. */
  free: 10,
  held: 11,
} as const;
export type SegKind = (typeof SegKind)[keyof typeof SegKind];

/** Bits of a segment's `flags`. */
export const SegFlag = {
  /** Effective priority is better than the task's own (inherited). */
  boosted: 1,
  /** The task holds at least one lock. */
  holdsLock: 2,
  /** Runnable because it was put off the CPU, not because it woke. */
  preempted: 4,
  /** Effective class is real-time. */
  rt: 8,
  /** Effective class is deadline. */
  dl: 16,
  /** Runs by grace of the fair server. */
  fairServer: 32,
} as const;

/**
 * Columns of one lane, sorted by startNs, no two rows with the same start. 26 bytes a row.
 *
 * `who`: cpu lane: the task (NONE when idle). thread lane: the CPU it is on or waits for (NONE when asleep).
 * lock lane: the holder (NONE when free). lockWait lane: the waiting task (NONE: it does not wait).
 * `arg`, `arg2`: operands of `reason`. In lock lanes arg = number of waiters, arg2 = the holder before; their reason is
 * SpinReason.acquired, WakeReason.handoff or WakeReason.unlock (0: not used yet). In spin rows that a pick began
 * (reason is a PickReason) arg2 = the lock.
 * A row with the kind, who, reason, arg and arg2 of the row before goes on with it: only flags or prio changed
 * (query.ts, continuesBefore).
 */
export interface SegmentColumns {
  count: number;
  startNs: Float64Array<ArrayBuffer>;
  kind: Uint8Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
  who: Int32Array<ArrayBuffer>;
  /** Effective kernel prio: -1 deadline, 0..98 real-time, 100..139 fair; 140 where it does not apply. */
  prio: Int16Array<ArrayBuffer>;
  reason: Uint8Array<ArrayBuffer>;
  arg: Int32Array<ArrayBuffer>;
  arg2: Int32Array<ArrayBuffer>;
}

/** A lane of the trace. Lane ids index the trace's lane table in order of creation: CPUs, threads, locks, then wait lanes as they appear. */
export interface LaneInfo {
  readonly id: number;
  readonly kind: LaneKind;
  /** cpu lanes: the CPU. thread lanes: the task. lock and lockWait lanes: the lock. */
  readonly subject: number;
  /** lockWait lanes: the task that waits. Else NONE. */
  readonly task: number;
}

/** One row as a plain object, for tooltips and tests. Not for loops. */
export interface Segment {
  readonly lane: number;
  readonly row: number;
  readonly startNs: Ns;
  /** Start of the next row, or the watermark. */
  readonly endNs: Ns;
  readonly kind: SegKind;
  readonly flags: number;
  readonly who: number;
  readonly prio: number;
  readonly reason: number;
  readonly arg: number;
  readonly arg2: number;
}
