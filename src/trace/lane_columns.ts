// Room for the rows of one lane. Growing copies, so a lane takes the room that the whole trace will need if it
// goes on as it began, within bounds, and lanes start out unequal: sixty-four lanes that fill evenly
// must not all be copied between two frames. Room that is never written costs address space only.

import { moveInto } from '../base/columns.ts';
import type { SegmentChunk } from './chunks.ts';
import type { SegmentColumns } from './segments.ts';

/** Runs of rows at least this long are copied as blocks. */
const BLOCK_ROWS = 24;

/** Empty columns of lane `laneId`. */
export function createLaneColumns(laneId: number): SegmentColumns {
  return withCapacity(firstCapacity(laneId));
}

/** Times by which a lane may grow at once. */
const MIN_GROWTH = 1.5;
const MAX_GROWTH = 32;

/**
 * Appends rows [from, to) of a chunk, all of one lane and later than the lane's rows. Amortised O(rows).
 *
 * @param progress how much of the trace has come with this chunk, 0..1; 0: unknown
 */
export function appendRows(
  cols: SegmentColumns,
  chunk: SegmentChunk,
  from: number,
  to: number,
  progress: number,
): void {
  const rows = to - from;
  if (cols.count + rows > cols.startNs.length) grow(cols, cols.count + rows, progress);
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

/** Room for `needed` rows of a column that has `capacity`, and for those that are likely to follow. */
export function nextCapacity(capacity: number, needed: number, progress: number): number {
  const wanted = progress > 0 ? (needed * 1.05) / progress : needed;
  return Math.ceil(Math.max(needed, Math.min(Math.max(wanted, capacity * MIN_GROWTH), capacity * MAX_GROWTH)));
}

function grow(cols: SegmentColumns, needed: number, progress: number): void {
  moveInto(cols, withCapacity(nextCapacity(cols.startNs.length, needed, progress)));
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
