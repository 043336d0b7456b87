// "[" and "]": from a segment to the one that caused it, and to the one that it causes.

import type { SegmentRef } from '../../store/index.ts';
import { NONE } from '../../trace/ids.ts';
import { firstRecordFrom, segmentOf, stateAt } from '../../trace/query.ts';
import { SpinReason, StopReason, WaitReason } from '../../trace/reasons.ts';
import { RecordKind } from '../../trace/records.ts';
import type { Segment } from '../../trace/segments.ts';
import type { TraceStore } from '../../trace/trace_store.ts';

/** Reasons whose first operand is the task that caused them. */
const BY_TASK: readonly number[] = [
  WaitReason.wokenByTask,
  WaitReason.wokenByUnlock,
  WaitReason.preemptedByClass,
  WaitReason.preemptedByWakeup,
  WaitReason.preemptedByServer,
];
/** Reasons whose second operand is the holder of the lock that is waited for. */
const BY_HOLDER: readonly number[] = [StopReason.lockBlocked, SpinReason.contended];

/** The segment of the waker, of the thread that took the CPU, or of the lock's holder. */
export function causeOf(trace: TraceStore, segment: Segment): SegmentRef | undefined {
  const task = BY_TASK.includes(segment.reason)
    ? segment.arg
    : BY_HOLDER.includes(segment.reason)
      ? segment.arg2
      : NONE;
  return task === NONE ? undefined : segmentOfTask(trace, task, segment.startNs);
}

/** The first thread that this one wakes, or that gets the lock it gives away, from the segment's start on. */
export function effectOf(trace: TraceStore, segment: Segment): SegmentRef | undefined {
  const lane = trace.lanes[segment.lane];
  const task = lane?.kind === 'thread' ? lane.subject : segment.who;
  const { tsNs, kind, task: who, a, count } = trace.records;
  for (let row = firstRecordFrom(trace, segment.startNs); row < count && tsNs[row]! <= segment.endNs; row++) {
    if (kind[row] === RecordKind.schedWaking && a[row] === task) return segmentOfTask(trace, who[row]!, tsNs[row]!);
  }
  return undefined;
}

function segmentOfTask(trace: TraceStore, task: number, atNs: number): SegmentRef | undefined {
  const lane = trace.lanes.find((one) => one.kind === 'thread' && one.subject === task);
  const found = lane === undefined ? undefined : stateAt(trace, lane.id, atNs);
  return found === undefined ? undefined : { laneId: found.lane, startNs: found.startNs };
}

/** The segment that a reference names; undefined when the trace has none there. */
export function segmentAt(trace: TraceStore, ref: SegmentRef | undefined): Segment | undefined {
  if (ref === undefined) return undefined;
  const found = stateAt(trace, ref.laneId, ref.startNs);
  return found === undefined ? undefined : segmentOf(trace, found.lane, found.row);
}
