// Rows of many lanes in one set of growable columns: what the segmenter and the synthetic source write
// and the chunker reads. Rows of one lane are in order; lanes mix as they come.

import { moveInto } from '../base/columns.ts';

/** Growable twin of a SegmentChunk. Readers see rows [0, count). */
export interface SegmentRows {
  count: number;
  lane: Uint16Array<ArrayBuffer>;
  startNs: Float64Array<ArrayBuffer>;
  kind: Uint8Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
  who: Int32Array<ArrayBuffer>;
  prio: Int16Array<ArrayBuffer>;
  reason: Uint8Array<ArrayBuffer>;
  arg: Int32Array<ArrayBuffer>;
  arg2: Int32Array<ArrayBuffer>;
}

/** Empty columns with room for `capacity` rows (at least 1). */
export function createSegmentRows(capacity = 1024): SegmentRows {
  return {
    count: 0,
    lane: new Uint16Array(capacity),
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

/** Appends one row; doubles the columns when full. Amortised O(1). */
export function pushSegmentRow(
  rows: SegmentRows,
  lane: number,
  startNs: number,
  kind: number,
  flags: number,
  who: number,
  prio: number,
  reason: number,
  arg: number,
  arg2: number,
): void {
  if (rows.count === rows.lane.length) growSegmentRows(rows);
  const i = rows.count++;
  rows.lane[i] = lane;
  rows.startNs[i] = startNs;
  rows.kind[i] = kind;
  rows.flags[i] = flags;
  rows.who[i] = who;
  rows.prio[i] = prio;
  rows.reason[i] = reason;
  rows.arg[i] = arg;
  rows.arg2[i] = arg2;
}

function growSegmentRows(rows: SegmentRows): void {
  moveInto(rows, createSegmentRows(rows.lane.length * 2));
}
