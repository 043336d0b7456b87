// One trace as readers see it: lanes with their columns and pyramids, records, tables. Lives outside React
// and the store, in a registry keyed by run. Filled chunk by chunk; readers never see half a chunk.

import type { Ns } from '../base/units.ts';
import { type AttrColumns, createAttrs, lastWeight, pushAttrs } from './attr_history.ts';
import type { RecordChunk, SegmentChunk, TraceChunk } from './chunks.ts';
import { NONE } from './ids.ts';
import { appendRows, createLaneColumns } from './lane_columns.ts';
import { createPyramid, extendPyramid, type LanePyramid } from './lod.ts';
import type { TaskInfo, TraceMeta } from './meta.ts';
import { normalPrioOf } from './prio.ts';
import { appendRecords } from './record_columns.ts';
import { createRecords, type RecordColumns, RecordKind } from './records.ts';
import type { LaneInfo, SegmentColumns } from './segments.ts';

export interface TraceStore {
  readonly meta: TraceMeta;
  /** Grows with forks; meta.tasks are its first entries. */
  readonly tasks: TaskInfo[];
  readonly texts: string[];
  readonly lanes: LaneInfo[];
  /** By lane id. */
  readonly columns: SegmentColumns[];
  /** By lane id. */
  readonly pyramids: LanePyramid[];
  /** By task id: prio and weight over time. */
  readonly attrs: AttrColumns[];
  /** Lane ids by CPU, task and lock; undefined before the lane's chunk has come. */
  readonly laneOf: { readonly cpu: number[]; readonly thread: number[]; readonly lock: number[] };
  /** By lock id: its wait lanes, in order of appearance. */
  readonly waitLanes: number[][];
  readonly records: RecordColumns;
  watermarkNs: Ns;
  /** Goes up with every chunk. */
  dataVersion: number;
}

/** A trace with its tables and no rows yet. */
export function createTraceStore(meta: TraceMeta): TraceStore {
  return {
    meta,
    tasks: [...meta.tasks],
    texts: [],
    lanes: [],
    columns: [],
    pyramids: [],
    attrs: meta.tasks.map(() => createAttrs()),
    laneOf: { cpu: [], thread: [], lock: [] },
    waitLanes: meta.locks.map(() => []),
    records: createRecords(),
    watermarkNs: 0,
    dataVersion: 0,
  };
}

/**
 * Takes a chunk in. Its buffers are copied and may be reused. 50 ns a row when the rows of each lane
 * stand together (as the chunker sorts them), half of it for the pyramids; more when they are mixed.
 */
export function appendChunk(store: TraceStore, chunk: TraceChunk): void {
  const progress = Math.min(1, chunk.watermarkNs / store.meta.durationNs);
  addTables(store, chunk);
  appendSegments(store, chunk.segments, progress);
  appendRecords(store.records, chunk.records, progress);
  appendAttrs(store, chunk.records);
  store.watermarkNs = chunk.watermarkNs;
  store.dataVersion++;
}

function addTables(store: TraceStore, chunk: TraceChunk): void {
  for (const task of chunk.newTasks) {
    store.tasks.push(task);
    store.attrs.push(createAttrs());
  }
  for (const text of chunk.newTexts) store.texts.push(text);
  for (const lane of chunk.newLanes) addLane(store, lane);
}

function addLane(store: TraceStore, lane: LaneInfo): void {
  store.lanes.push(lane);
  store.columns.push(createLaneColumns(lane.id));
  store.pyramids.push(createPyramid(lane.kind));
  if (lane.kind === 'lockWait') store.waitLanes[lane.subject]?.push(lane.id);
  else store.laneOf[lane.kind][lane.subject] = lane.id;
}

function appendSegments(store: TraceStore, chunk: SegmentChunk, progress: number): void {
  if (chunk.laneEnds === undefined) appendMixed(store, chunk, progress);
  else appendSorted(store, chunk, chunk.laneEnds, progress);
  // A lane's pyramid is brought up to date once a chunk, however often the lane comes in it.
  for (let id = 0; id < store.lanes.length; id++) extendPyramid(store.pyramids[id]!, store.columns[id]!);
}

function appendSorted(store: TraceStore, chunk: SegmentChunk, laneEnds: Uint32Array, progress: number): void {
  let from = 0;
  for (let id = 0; id < laneEnds.length; id++) {
    const to = laneEnds[id]!;
    if (to > from) appendRows(store.columns[id]!, chunk, from, to, progress);
    from = to;
  }
}

function appendMixed(store: TraceStore, chunk: SegmentChunk, progress: number): void {
  const { lane, count } = chunk;
  for (let from = 0; from < count; ) {
    const laneId = lane[from]!;
    let to = from + 1;
    while (to < count && lane[to] === laneId) to++;
    appendRows(store.columns[laneId]!, chunk, from, to, progress);
    from = to;
  }
}

function appendAttrs(store: TraceStore, r: RecordChunk): void {
  const { kind, count } = r;
  for (let i = 0; i < count; i++) {
    if (kind[i] === RecordKind.taskAttrs) {
      const attrs = store.attrs[r.task[i]!]!;
      pushAttrs(attrs, r.tsNs[i]!, r.a[i]!, r.c[i]!, r.b[i]!);
    } else if (kind[i] === RecordKind.schedPiSetprio) {
      appendInherited(store, r, i);
    }
  }
}

// Recorded traces have sched_pi_setprio alone: the weight stays what it was. The simulation says the
// rest in a taskAttrs record at the same instant, which then replaces this row.
function appendInherited(store: TraceStore, r: RecordChunk, i: number): void {
  const task = r.task[i]!;
  const attrs = store.attrs[task]!;
  const known = attrs.count > 0 ? attrs.normalPrio[attrs.count - 1]! : normalPrioOf(store.tasks[task]!);
  const normalPrio = r.c[i] === NONE ? r.b[i]! : known;
  pushAttrs(attrs, r.tsNs[i]!, r.b[i]!, normalPrio, lastWeight(attrs));
}
