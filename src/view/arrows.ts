// Arrows of a selected segment: who woke it, whom it woke nearby, whose priority it inherited. Found in the records.

import { NONE } from '../trace/ids.ts';
import { lastRowAt } from '../trace/lane_search.ts';
import { firstRecordFrom } from '../trace/query.ts';
import { WaitReason } from '../trace/reasons.ts';
import { RecordKind } from '../trace/records.ts';
import type { TraceStore } from '../trace/trace_store.ts';

export interface Arrow {
  readonly kind: 'wake' | 'boost';
  readonly fromLaneId: number;
  readonly fromNs: number;
  readonly toLaneId: number;
  readonly toNs: number;
}

/** Records looked through on each side: a selection must not cost a walk through the whole trace. */
const MOST_RECORDS = 4_000;
const MOST_ARROWS = 12;

/** Arrows to and from the segment of `laneId` that covers `startNs`. Between thread lanes; CPU and lock lanes have none. */
export function arrowsOf(trace: TraceStore, laneId: number, startNs: number): readonly Arrow[] {
  const lane = trace.lanes[laneId];
  const columns = trace.columns[laneId];
  if (lane?.kind !== 'thread' || columns === undefined) return [];
  const row = lastRowAt(columns, startNs);
  if (row < 0) return [];
  const fromNs = columns.startNs[row]!;
  const toNs = row + 1 < columns.count ? columns.startNs[row + 1]! : trace.watermarkNs;
  const reason = columns.reason[row]!;
  const displacer = isPreemption(reason) ? columns.arg[row]! : NONE;
  return [
    ...incoming(trace, lane.subject, fromNs),
    // Who took the CPU away was woken by somebody: that is where the story goes on.
    ...(displacer === NONE ? [] : incoming(trace, displacer, fromNs)),
    ...within(trace, lane.subject, fromNs, toNs),
  ];
}

function isPreemption(reason: number): boolean {
  return reason === WaitReason.preemptedByClass || reason === WaitReason.preemptedByWakeup;
}

/** The wake-up that the segment goes back to. */
function incoming(trace: TraceStore, task: number, atNs: number): readonly Arrow[] {
  const { tsNs, kind, task: tasks, a } = trace.records;
  const first = firstRecordFrom(trace, atNs + 1) - 1;
  for (let i = first; i >= Math.max(0, first - MOST_RECORDS); i--) {
    if (tasks[i] !== task) continue;
    // What it did before its last switch off the CPU has nothing to do with this segment.
    if (kind[i] === RecordKind.schedSwitch && tsNs[i]! < atNs) return [];
    if (kind[i] === RecordKind.schedWaking) return arrow(trace, 'wake', a[i]!, task, tsNs[i]!, atNs);
  }
  return [];
}

/** Wake-ups that the segment gives, priorities that it inherits or lends. */
function within(trace: TraceStore, task: number, fromNs: number, toNs: number): readonly Arrow[] {
  const { tsNs, kind, task: tasks, a, c, count } = trace.records;
  const arrows: Arrow[] = [];
  const first = firstRecordFrom(trace, fromNs);
  const last = Math.min(count, first + MOST_RECORDS);
  for (let i = first; i < last && tsNs[i]! <= toNs && arrows.length < MOST_ARROWS; i++) {
    const atNs = tsNs[i]!;
    if (kind[i] === RecordKind.schedWaking && a[i] === task) {
      arrows.push(...arrow(trace, 'wake', task, tasks[i]!, atNs, atNs));
    } else if (kind[i] === RecordKind.schedPiSetprio && c[i] !== NONE && (c[i] === task || tasks[i] === task)) {
      arrows.push(...arrow(trace, 'boost', c[i]!, tasks[i]!, atNs, atNs));
    }
  }
  return arrows;
}

function arrow(
  trace: TraceStore,
  kind: Arrow['kind'],
  from: number,
  to: number,
  fromNs: number,
  toNs: number,
): readonly Arrow[] {
  const fromLaneId = trace.laneOf.thread[from];
  const toLaneId = trace.laneOf.thread[to];
  if (from === NONE || fromLaneId === undefined || toLaneId === undefined || from === to) return [];
  return [{ kind, fromLaneId, fromNs, toLaneId, toNs }];
}
