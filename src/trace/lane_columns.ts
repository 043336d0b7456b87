// Room for the rows of one lane. Growing copies, so lanes grow by half each time and not all at the same
// row: sixty-four lanes that fill evenly must not all be copied between two frames.

import type { SegmentChunk } from './chunks.ts';
import type { SegmentColumns } from './segments.ts';

/** Runs of rows at least this long are copied as blocks. */
const BLOCK_ROWS = 24;

/** Empty columns of lane `laneId`. */
export function createLaneColumns(laneId: number): SegmentColumns {
  return withCapacity(firstCapacity(laneId));
}

/** Appends rows [from, to) of a chunk, all of one lane and later than the lane's rows. Amortised O(rows). */
export function appendRows(cols: SegmentColumns, chunk: SegmentChunk, from: number, to: number): void {
  const rows = to - from;
  if (cols.count + rows > cols.startNs.length) grow(cols, cols.count + rows);
  if (rows >= BLOCK_ROWS) copyBlock(cols, chunk, from, to);
  else copyRows(cols, chunk, from, to);
  cols.count += rows;
}

function copyRows(cols: SegmentColumns, chunk: SegmentChunk, from: number, to: number): void {
  let at = cols.count;
  for (let i = from; i < to; i++, at++) {
    cols.startNs[at] = chunk.startNs[i]!;
    cols.kind[at] = chunk.kind[i]!;
    cols.flags[at] = chunk.flags[i]!;
    cols.who[at] = chunk.who[i]!;
    cols.prio[at] = chunk.prio[i]!;
    cols.reason[at] = chunk.reason[i]!;
    cols.arg[at] = chunk.arg[i]!;
    cols.arg2[at] = chunk.arg2[i]!;
  }
}

function copyBlock(cols: SegmentColumns, chunk: SegmentChunk, from: number, to: number): void {
  const at = cols.count;
  cols.startNs.set(chunk.startNs.subarray(from, to), at);
  cols.kind.set(chunk.kind.subarray(from, to), at);
  cols.flags.set(chunk.flags.subarray(from, to), at);
  cols.who.set(chunk.who.subarray(from, to), at);
  cols.prio.set(chunk.prio.subarray(from, to), at);
  cols.reason.set(chunk.reason.subarray(from, to), at);
  cols.arg.set(chunk.arg.subarray(from, to), at);
  cols.arg2.set(chunk.arg2.subarray(from, to), at);
}

// Spread over a factor of 1.5, the same by which they grow.
function firstCapacity(laneId: number): number {
  return 64 + ((laneId * 13) & 31);
}

function grow(cols: SegmentColumns, needed: number): void {
  const bigger = withCapacity(Math.max(needed, Math.ceil(cols.startNs.length * 1.5)));
  bigger.startNs.set(cols.startNs);
  bigger.kind.set(cols.kind);
  bigger.flags.set(cols.flags);
  bigger.who.set(cols.who);
  bigger.prio.set(cols.prio);
  bigger.reason.set(cols.reason);
  bigger.arg.set(cols.arg);
  bigger.arg2.set(cols.arg2);
  const { count, ...columns } = bigger;
  void count;
  Object.assign(cols, columns);
}

function withCapacity(capacity: number): SegmentColumns {
  return {
    count: 0,
    startNs: new Float64Array(capacity),
    kind: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    who: new Int32Array(capacity),
    prio: new Int16Array(capacity),
    reason: new Uint8Array(capacity),
    arg: new Int32Array(capacity),
    arg2: new Int32Array(capacity),
  };
}
