// A chunk as it crosses to the page: all its columns in one buffer, about a quarter of their size, and back. Lossless.
// Rows are sorted by lane as the chunker leaves them, or carry their lanes.

import { assert } from '../../base/assert.ts';
import type { OperandChunk, RecordChunk, SegmentChunk, TraceChunk } from '../../trace/chunks.ts';
import { ownsOperands } from '../../trace/records.ts';
import { type ByteReader, type ByteWriter, putUint32, SLACK_BYTES, takeUint32 } from './codes.ts';
import { putFloats, putInts, takeFloats, takeInts } from './columns.ts';

/** A TraceChunk whose columns are packed. */
export type PackedChunk = Pick<TraceChunk, 'watermarkNs' | 'newLanes' | 'newTasks' | 'newTexts'> & {
  readonly bytes: Uint8Array<ArrayBuffer>;
};

/** Begins the bytes; another number for another form. */
const FORM = 0x53_4c_57_01;

/** More rows than this are refused: few bytes could claim any number. */
const MAX_ROWS = 1 << 22;
const UNSORTED = 0xffff_ffff;
const MAX_LANES = 1 << 16;

type Ints = Int32Array<ArrayBuffer>;

/** Packs the columns; the chunk stays as it is. */
export function packChunk(chunk: TraceChunk): PackedChunk {
  const { watermarkNs, newLanes, newTasks, newTexts, segments, records } = chunk;
  assert(segments.count <= MAX_ROWS && records.count <= MAX_ROWS, 'a chunk is a piece of a trace');
  const w: ByteWriter = { bytes: new Uint8Array(1024 + (segments.count + records.count) * 16), at: 0 };
  putUint32(w, FORM);
  putRecords(w, records);
  putSegments(w, segments);
  for (let i = 0; i < SLACK_BYTES; i += 4) putUint32(w, 0);
  return { watermarkNs, newLanes, newTasks, newTexts, bytes: w.bytes.slice(0, w.at) };
}

/** The chunk with columns of its own. Undefined where the bytes were not made by `packChunk`. */
export function unpackChunk(packed: PackedChunk): TraceChunk | undefined {
  const { watermarkNs, newLanes, newTasks, newTexts, bytes } = packed;
  if (!(bytes instanceof Uint8Array)) return undefined;
  const r: ByteReader = { bytes, at: 0 };
  if (takeUint32(r) !== FORM) return undefined;
  const records = takeRecords(r);
  const segments = records && takeSegments(r);
  if (records === undefined || segments === undefined || r.at + SLACK_BYTES !== bytes.length) return undefined;
  return { watermarkNs, newLanes, newTasks, newTexts, segments, records };
}

function putRecords(w: ByteWriter, records: RecordChunk): void {
  const { count, kind, reason, tsNs } = records;
  putUint32(w, count);
  const none = new Int32Array(count);
  const column = new Int32Array(count);
  const noContext = new Uint8Array(count);
  const put = (values: ArrayLike<number>, context: Uint8Array, beside: Ints): void => {
    column.set(values);
    putInts(w, column, count, { context, beside });
  };
  put(kind.subarray(0, count), noContext, none);
  put(reason.subarray(0, count), kind, none);
  put(records.cpu.subarray(0, count), kind, none);
  put(records.task.subarray(0, count), kind, none);
  put(records.a.subarray(0, count), kind, records.task);
  put(records.b.subarray(0, count), kind, records.a);
  put(records.c.subarray(0, count), kind, records.task);
  putFloats(w, tsNs, count, { context: kind, beside: new Float64Array(count) });
  const owners = ownersOf(records);
  assert(owners.tsNs.length === records.operands.count, 'a pair of operands for each record that owns one');
  putFloats(w, records.operands.x, owners.tsNs.length, { context: owners.context, beside: owners.tsNs });
  putFloats(w, records.operands.y, owners.tsNs.length, { context: owners.context, beside: records.operands.x });
}

function takeRecords(r: ByteReader): RecordChunk | undefined {
  const count = takeUint32(r);
  if (count > MAX_ROWS || r.at > r.bytes.length) return undefined;
  const none = new Int32Array(count);
  const kind = takeKinds(r, count);
  if (kind === undefined) return undefined;
  const reason = takeInts(r, count, { context: kind, beside: none });
  const cpu = reason && takeInts(r, count, { context: kind, beside: none });
  const task = cpu && takeInts(r, count, { context: kind, beside: none });
  const a = task && takeInts(r, count, { context: kind, beside: task });
  const b = a && takeInts(r, count, { context: kind, beside: a });
  const c = b && takeInts(r, count, { context: kind, beside: task });
  const tsNs = c && takeFloats(r, count, { context: kind, beside: new Float64Array(count) });
  if (tsNs === undefined || c === undefined) return undefined;
  const rows = {
    count,
    tsNs,
    kind,
    reason: new Uint8Array(reason!),
    cpu: new Int16Array(cpu!),
    task: task!,
    a: a!,
    b: b!,
    c,
  };
  const operands = takeOperands(r, rows);
  return operands && { ...rows, operands };
}

function takeOperands(r: ByteReader, rows: Omit<RecordChunk, 'operands'>): OperandChunk | undefined {
  const owners = ownersOf(rows);
  const count = owners.tsNs.length;
  const x = takeFloats(r, count, { context: owners.context, beside: owners.tsNs });
  const y = x && takeFloats(r, count, { context: owners.context, beside: x });
  return y && { count, x: x!, y };
}

/** Time and context of the rows that own a pair of operands, in order. */
function ownersOf({ count, kind, reason, tsNs }: Omit<RecordChunk, 'operands'>) {
  const times = new Float64Array(count);
  const context = new Uint8Array(count);
  let pairs = 0;
  for (let i = 0; i < count; i++) {
    if (!ownsOperands(kind[i]!)) continue;
    times[pairs] = tsNs[i]!;
    context[pairs++] = reason[i]!;
  }
  return { tsNs: times.subarray(0, pairs), context };
}

function putSegments(w: ByteWriter, segments: SegmentChunk): void {
  const { count, kind, laneEnds } = segments;
  putUint32(w, count);
  putUint32(w, laneEnds === undefined ? UNSORTED : laneEnds.length);
  const column = new Int32Array(Math.max(count, laneEnds?.length ?? 0));
  const none = new Int32Array(column.length);
  const put = (values: ArrayLike<number>, rows: number, context: Uint8Array, beside: Ints): void => {
    column.set(values);
    putInts(w, column, rows, { context, beside });
  };
  if (laneEnds === undefined) put(segments.lane.subarray(0, count), count, new Uint8Array(count), none);
  else put(laneEnds, laneEnds.length, new Uint8Array(laneEnds.length), none);
  put(kind.subarray(0, count), count, new Uint8Array(count), none);
  put(segments.flags.subarray(0, count), count, kind, none);
  put(segments.who.subarray(0, count), count, kind, none);
  put(segments.prio.subarray(0, count), count, kind, none);
  put(segments.reason.subarray(0, count), count, kind, none);
  put(segments.arg.subarray(0, count), count, kind, segments.who);
  put(segments.arg2.subarray(0, count), count, kind, segments.arg);
  putFloats(w, segments.startNs, count, { context: kind, beside: new Float64Array(count) });
}

function takeSegments(r: ByteReader): SegmentChunk | undefined {
  const count = takeUint32(r);
  const lanes = takeUint32(r);
  if (count > MAX_ROWS || (lanes > MAX_LANES && lanes !== UNSORTED) || r.at > r.bytes.length) return undefined;
  const laneEnds = lanes === UNSORTED ? undefined : takeLaneEnds(r, lanes, count);
  const none = new Int32Array(count);
  const lane = lanes === UNSORTED ? takeLanes(r, count) : laneEnds && lanesUpTo(laneEnds, count);
  const kind = lane && takeKinds(r, count);
  if (lane === undefined || kind === undefined) return undefined;
  const flags = takeInts(r, count, { context: kind, beside: none });
  const who = flags && takeInts(r, count, { context: kind, beside: none });
  const prio = who && takeInts(r, count, { context: kind, beside: none });
  const reason = prio && takeInts(r, count, { context: kind, beside: none });
  const arg = reason && takeInts(r, count, { context: kind, beside: who! });
  const arg2 = arg && takeInts(r, count, { context: kind, beside: arg });
  const startNs = arg2 && takeFloats(r, count, { context: kind, beside: new Float64Array(count) });
  if (startNs === undefined || arg2 === undefined) return undefined;
  const columns = {
    count,
    lane,
    startNs,
    kind,
    flags: new Uint8Array(flags!),
    who: who!,
    prio: new Int16Array(prio!),
    reason: new Uint8Array(reason!),
    arg: arg!,
    arg2,
  };
  return laneEnds === undefined ? columns : { ...columns, laneEnds };
}

function takeLaneEnds(r: ByteReader, lanes: number, count: number): Uint32Array<ArrayBuffer> | undefined {
  const ends = takeInts(r, lanes, { context: new Uint8Array(lanes), beside: new Int32Array(lanes) });
  if (ends === undefined) return undefined;
  let before = 0;
  for (const end of ends) {
    if (end < before) return undefined;
    before = end;
  }
  return before === count ? new Uint32Array(ends) : undefined;
}

function takeLanes(r: ByteReader, count: number): Uint16Array<ArrayBuffer> | undefined {
  const lanes = takeInts(r, count, { context: new Uint8Array(count), beside: new Int32Array(count) });
  return lanes && new Uint16Array(lanes);
}

function lanesUpTo(laneEnds: Uint32Array, count: number): Uint16Array<ArrayBuffer> {
  const lane = new Uint16Array(count);
  for (let id = 0; id < laneEnds.length; id++) lane.fill(id, id === 0 ? 0 : laneEnds[id - 1]!, laneEnds[id]!);
  return lane;
}

/** The column that is the context of the others has none itself. */
function takeKinds(r: ByteReader, count: number): Uint8Array<ArrayBuffer> | undefined {
  const kinds = takeInts(r, count, { context: new Uint8Array(count), beside: new Int32Array(count) });
  return kinds && new Uint8Array(kinds);
}
