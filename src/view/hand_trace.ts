// Traces written by hand, lane by lane: for tests, the encoding sheet and pictures in documents. A real trace comes
// from the simulation or a file.

import type { Ns } from '../base/units.ts';
import { NONE } from '../trace/ids.ts';
import type { LockInfo, TaskInfo, TraceMeta } from '../trace/meta.ts';
import { createRecords, pushRecord, type RecordColumns, type RecordKind } from '../trace/records.ts';
import type { LaneInfo, LaneKind, SegKind } from '../trace/segments.ts';
import { appendChunk, createTraceStore, type TraceStore } from '../trace/trace_store.ts';

/** A row of a hand-written lane; it lasts until the next one. What is left out is 0 or nobody. */
export interface HandRow {
  readonly atNs: Ns;
  readonly kind: SegKind;
  readonly flags?: number;
  readonly who?: number;
  readonly prio?: number;
  readonly reason?: number;
  readonly arg?: number;
  readonly arg2?: number;
}

export interface HandLane {
  readonly kind: LaneKind;
  readonly subject: number;
  /** Wait lanes: the task that waits. */
  readonly task?: number;
  readonly rows: readonly HandRow[];
}

export interface HandRecord {
  readonly atNs: Ns;
  readonly kind: RecordKind;
  readonly task: number;
  readonly a?: number;
  readonly b?: number;
  readonly c?: number;
}

export interface HandTrace {
  readonly endNs: Ns;
  readonly cpus: number;
  readonly tasks: readonly (Partial<TaskInfo> & { readonly name: string })[];
  readonly locks?: readonly LockInfo[];
  readonly irqSources?: TraceMeta['irqSources'];
  readonly lanes: readonly HandLane[];
  readonly records?: readonly HandRecord[];
}

/** The trace with its lanes in the given order. Rows of a lane must be in order of time. */
export function handTrace(spec: HandTrace): TraceStore {
  const store = createTraceStore(metaOf(spec));
  const newLanes: LaneInfo[] = spec.lanes.map((lane, id) => ({
    id,
    kind: lane.kind,
    subject: lane.subject,
    task: lane.task ?? NONE,
  }));
  appendHandRows(store, spec, 0, spec.endNs, newLanes);
  return store;
}

/** Appends the rows of `spec` that begin in [fromNs, toNs), as a chunk that reaches to `toNs`. */
export function appendHandRows(
  store: TraceStore,
  spec: HandTrace,
  fromNs: Ns,
  toNs: Ns,
  newLanes: readonly LaneInfo[] = [],
): void {
  const isLast = toNs >= spec.endNs;
  const rows = spec.lanes.flatMap((lane, id) =>
    lane.rows.filter((row) => row.atNs >= fromNs && (isLast || row.atNs < toNs)).map((row) => ({ ...row, lane: id })),
  );
  appendChunk(store, {
    watermarkNs: toNs,
    newLanes,
    newTasks: [],
    newTexts: [],
    segments: {
      count: rows.length,
      lane: Uint16Array.from(rows, (row) => row.lane),
      startNs: Float64Array.from(rows, (row) => row.atNs),
      kind: Uint8Array.from(rows, (row) => row.kind),
      flags: Uint8Array.from(rows, (row) => row.flags ?? 0),
      who: Int32Array.from(rows, (row) => row.who ?? NONE),
      prio: Int16Array.from(rows, (row) => row.prio ?? 120),
      reason: Uint8Array.from(rows, (row) => row.reason ?? 0),
      arg: Int32Array.from(rows, (row) => row.arg ?? NONE),
      arg2: Int32Array.from(rows, (row) => row.arg2 ?? NONE),
    },
    records: recordsOf(fromNs === 0 ? (spec.records ?? []) : []),
  });
}

function metaOf(spec: HandTrace): TraceMeta {
  return {
    title: '',
    cpus: spec.cpus,
    durationNs: spec.endNs,
    hz: 250,
    firstTickNs: 0,
    tasks: spec.tasks.map((task, i) => ({
      tid: 100 + i,
      policy: 'other',
      rtPrio: 0,
      nice: 0,
      allowedCpus: Array.from({ length: spec.cpus }, (_, cpu) => cpu),
      ...task,
    })),
    locks: spec.locks ?? [],
    irqSources: spec.irqSources ?? [],
  };
}

function recordsOf(list: readonly HandRecord[]): RecordColumns {
  const records = createRecords(Math.max(1, list.length));
  for (const r of list) pushRecord(records, r.atNs, r.kind, 0, 0, r.task, r.a ?? NONE, r.b ?? NONE, r.c ?? NONE);
  return records;
}
