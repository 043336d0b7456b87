// Gathers rows and records and seals them into chunks whose buffers can be transferred. Sorts the rows of a
// chunk by lane, so that the page copies blocks instead of single rows. Knows no clock: when a chunk
// is due is decided by pump.ts.

import type { Ns } from '../base/units.ts';
import type { RecordChunk, SegmentChunk, TraceChunk } from '../trace/chunks.ts';
import type { TaskInfo } from '../trace/meta.ts';
import { appendRecords, copyRecords } from '../trace/record_columns.ts';
import { createRecords, type RecordColumns } from '../trace/records.ts';
import type { SegmentRows } from '../trace/segment_rows.ts';
import type { LaneInfo } from '../trace/segments.ts';

/** Bytes of one row in a chunk's columns, the lane included. */
export const SEGMENT_ROW_BYTES = 27;
export const RECORD_ROW_BYTES = 28;

/** The tables that a chunk's rows refer to; they only grow. */
export interface GrowingTables {
  readonly lanes: readonly LaneInfo[];
  readonly tasks: readonly TaskInfo[];
  readonly texts: readonly string[];
}

export interface Chunker {
  /** Written by a segmenter; emptied by each seal. */
  readonly rows: SegmentRows;
  readonly records: RecordColumns;
  readonly tables: GrowingTables;
  /** Entries of the tables that earlier chunks have brought. */
  readonly sent: { lanes: number; tasks: number; texts: number };
}

/** `knownTasks`: tasks that the reader has from the trace's meta. */
export function createChunker(rows: SegmentRows, tables: GrowingTables, knownTasks: number): Chunker {
  return { rows, tables, records: createRecords(), sent: { lanes: 0, tasks: knownTasks, texts: 0 } };
}

/** Adds records to the chunk that is being gathered. */
export function gatherRecords(chunker: Chunker, records: RecordColumns): void {
  if (records.count > 0) appendRecords(chunker.records, records);
}

/** Everything gathered since the last seal, in buffers of its own. About 25 ns a row. */
export function sealChunk(chunker: Chunker, watermarkNs: Ns): TraceChunk {
  const { tables, sent } = chunker;
  const chunk: TraceChunk = {
    watermarkNs,
    newLanes: tables.lanes.slice(sent.lanes),
    newTasks: tables.tasks.slice(sent.tasks),
    newTexts: tables.texts.slice(sent.texts),
    segments: sortedByLane(chunker.rows, tables.lanes.length),
    records: sealRecords(chunker.records),
  };
  sent.lanes = tables.lanes.length;
  sent.tasks = tables.tasks.length;
  sent.texts = tables.texts.length;
  chunker.rows.count = 0;
  return chunk;
}

/** The chunk's buffers, to be moved instead of copied when it crosses to another thread. */
export function buffersOf(chunk: TraceChunk): ArrayBuffer[] {
  const s = chunk.segments;
  const r = chunk.records;
  const columns = [s.lane, s.startNs, s.kind, s.flags, s.who, s.prio, s.reason, s.arg, s.arg2];
  return [...columns, r.tsNs, r.kind, r.reason, r.cpu, r.task, r.a, r.b, r.c].map((column) => column.buffer);
}

/** Size of the chunk's columns: what counts against the credit. */
export function chunkBytes(chunk: TraceChunk): number {
  return chunk.segments.count * SEGMENT_ROW_BYTES + chunk.records.count * RECORD_ROW_BYTES;
}

function sealRecords(records: RecordColumns): RecordChunk {
  const sealed = copyRecords(records, 0, records.count);
  records.count = 0;
  return sealed;
}

/** Counting sort by lane; rows of one lane keep their order. */
function sortedByLane(rows: SegmentRows, laneCount: number): SegmentChunk {
  const { count, lane } = rows;
  const place = new Uint32Array(laneCount + 1);
  for (let i = 0; i < count; i++) place[lane[i]! + 1]!++;
  for (let id = 0; id < laneCount; id++) place[id + 1]! += place[id]!;
  const out = {
    count,
    lane: new Uint16Array(count),
    startNs: new Float64Array(count),
    kind: new Uint8Array(count),
    flags: new Uint8Array(count),
    who: new Int32Array(count),
    prio: new Int16Array(count),
    reason: new Uint8Array(count),
    arg: new Int32Array(count),
    arg2: new Int32Array(count),
  };
  for (let i = 0; i < count; i++) {
    const id = lane[i]!;
    const to = place[id]!;
    place[id] = to + 1;
    out.lane[to] = id;
    out.startNs[to] = rows.startNs[i]!;
    out.kind[to] = rows.kind[i]!;
    out.flags[to] = rows.flags[i]!;
    out.who[to] = rows.who[i]!;
    out.prio[to] = rows.prio[i]!;
    out.reason[to] = rows.reason[i]!;
    out.arg[to] = rows.arg[i]!;
    out.arg2[to] = rows.arg2[i]!;
  }
  return out;
}
