// Gathers rows and records and seals them into chunks. Sorts the rows of a
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
export const OPERAND_PAIR_BYTES = 16;

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

/** Size of the chunk's columns: what counts against the credit. */
export function chunkBytes(chunk: TraceChunk): number {
  const { segments, records } = chunk;
  return (
    segments.count * SEGMENT_ROW_BYTES + records.count * RECORD_ROW_BYTES + records.operands.count * OPERAND_PAIR_BYTES
  );
}

function sealRecords(records: RecordColumns): RecordChunk {
  const sealed = copyRecords(records, 0, records.count);
  records.count = 0;
  records.operands.count = 0;
  return sealed;
}

/** Counting sort by lane; rows of one lane keep their order. */
function sortedByLane(rows: SegmentRows, laneCount: number): SegmentChunk {
  const { count } = rows;
  const laneEnds = countByLane(rows, laneCount);
  const place = placesOf(rows, laneEnds);
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
    laneEnds,
  };
  // A column at a time: each loop touches two arrays only.
  scatter16(rows.lane, out.lane, place);
  scatterF64(rows.startNs, out.startNs, place);
  scatter8(rows.kind, out.kind, place);
  scatter8(rows.flags, out.flags, place);
  scatter32(rows.who, out.who, place);
  scatterI16(rows.prio, out.prio, place);
  scatter8(rows.reason, out.reason, place);
  scatter32(rows.arg, out.arg, place);
  scatter32(rows.arg2, out.arg2, place);
  return out;
}

/** By lane id: where its rows will end. */
function countByLane(rows: SegmentRows, laneCount: number): Uint32Array<ArrayBuffer> {
  const { lane, count } = rows;
  const ends = new Uint32Array(laneCount);
  for (let i = 0; i < count; i++) ends[lane[i]!]!++;
  for (let id = 1; id < laneCount; id++) ends[id]! += ends[id - 1]!;
  return ends;
}

/** By row: where it goes. */
function placesOf(rows: SegmentRows, laneEnds: Uint32Array): Uint32Array {
  const { lane, count } = rows;
  const next = new Uint32Array(laneEnds.length);
  if (next.length > 0) next.set(laneEnds.subarray(0, laneEnds.length - 1), 1);
  const place = new Uint32Array(count);
  for (let i = 0; i < count; i++) place[i] = next[lane[i]!]!++;
  return place;
}

// One function a type of column, so that each is compiled for its own.
function scatterF64(from: Float64Array, to: Float64Array, place: Uint32Array): void {
  for (let i = 0; i < place.length; i++) to[place[i]!] = from[i]!;
}

function scatter32(from: Int32Array, to: Int32Array, place: Uint32Array): void {
  for (let i = 0; i < place.length; i++) to[place[i]!] = from[i]!;
}

function scatter16(from: Uint16Array, to: Uint16Array, place: Uint32Array): void {
  for (let i = 0; i < place.length; i++) to[place[i]!] = from[i]!;
}

function scatterI16(from: Int16Array, to: Int16Array, place: Uint32Array): void {
  for (let i = 0; i < place.length; i++) to[place[i]!] = from[i]!;
}

function scatter8(from: Uint8Array, to: Uint8Array, place: Uint32Array): void {
  for (let i = 0; i < place.length; i++) to[place[i]!] = from[i]!;
}
