// Questions to a trace: what stands where, what comes next. Everything here is O(log rows) a lane and
// allocates nothing but its answer.

import type { Ns } from '../base/units.ts';
import { type Bins, fillBins } from './bins.ts';
import { firstRowAfter, firstRowFrom, lastRowAt } from './lane_search.ts';
import type { SegKind, Segment, SegmentColumns } from './segments.ts';
import type { TraceStore } from './trace_store.ts';

/** Half-open range of rows; lo === hi when empty. */
export interface RowRange {
  readonly lo: number;
  readonly hi: number;
}

/** Row that covers `tNs`; -1 before the lane's first row and from the watermark on (the watermark itself belongs to the last row). */
export function rowAt(store: TraceStore, laneId: number, tNs: Ns): number {
  if (tNs > store.watermarkNs) return -1;
  const cols = store.columns[laneId];
  return cols === undefined ? -1 : lastRowAt(cols, tNs);
}

/** Rows of the lane that touch [t0Ns, t1Ns), oldest first. t1Ns <= t0Ns gives an empty range. */
export function rowsIn(store: TraceStore, laneId: number, t0Ns: Ns, t1Ns: Ns): RowRange {
  const cols = store.columns[laneId];
  if (cols === undefined || !(t1Ns > t0Ns) || t0Ns >= store.watermarkNs) return { lo: 0, hi: 0 };
  const lo = Math.max(0, lastRowAt(cols, t0Ns));
  return { lo, hi: Math.max(lo, firstRowFrom(cols, t1Ns)) };
}

/** Fills out[0, bins) with the lane's [t0Ns, t1Ns); see fillBins. */
export function binsFor(store: TraceStore, laneId: number, t0Ns: Ns, t1Ns: Ns, bins: number, out: Bins): void {
  fillBins(store.pyramids[laneId]!, store.columns[laneId]!, store.watermarkNs, t0Ns, t1Ns, bins, out);
}

/** Rows that begin in [t0Ns, t1Ns): what decides between single rows and bins. */
export function startsIn(store: TraceStore, laneId: number, t0Ns: Ns, t1Ns: Ns): number {
  const cols = store.columns[laneId];
  if (cols === undefined || !(t1Ns > t0Ns)) return 0;
  return firstRowFrom(cols, t1Ns) - firstRowFrom(cols, t0Ns);
}

/** End of a row: the start of the next, or the watermark. */
export function rowEndNs(store: TraceStore, laneId: number, row: number): Ns {
  const cols = store.columns[laneId]!;
  return row + 1 < cols.count ? cols.startNs[row + 1]! : store.watermarkNs;
}

/** One row as an object; undefined where there is none. */
export function segmentOf(store: TraceStore, laneId: number, row: number): Segment | undefined {
  const cols = store.columns[laneId];
  if (cols === undefined || row < 0 || row >= cols.count) return undefined;
  return {
    lane: laneId,
    row,
    startNs: cols.startNs[row]!,
    endNs: rowEndNs(store, laneId, row),
    kind: cols.kind[row]! as SegKind,
    flags: cols.flags[row]!,
    who: cols.who[row]!,
    prio: cols.prio[row]!,
    reason: cols.reason[row]!,
    arg: cols.arg[row]!,
    arg2: cols.arg2[row]!,
  };
}

/** What the lane shows at `tNs`; undefined before its first row and beyond the watermark. */
export function stateAt(store: TraceStore, laneId: number, tNs: Ns): Segment | undefined {
  return segmentOf(store, laneId, rowAt(store, laneId, tNs));
}

/** Segment after this one on its lane. */
export function nextSegment(store: TraceStore, of: Pick<Segment, 'lane' | 'row'>): Segment | undefined {
  return segmentOf(store, of.lane, of.row + 1);
}

/** Segment before this one on its lane. */
export function previousSegment(store: TraceStore, of: Pick<Segment, 'lane' | 'row'>): Segment | undefined {
  return segmentOf(store, of.lane, of.row - 1);
}

/**
 * True when the row only goes on with the state of the row before it: the same state for the same reason,
 * with other flags or another prio (a boost, a lock taken). Such rows are one stint, not two.
 */
export function continuesBefore(cols: SegmentColumns, row: number): boolean {
  return (
    row > 0 &&
    cols.kind[row] === cols.kind[row - 1] &&
    cols.who[row] === cols.who[row - 1] &&
    cols.reason[row] === cols.reason[row - 1] &&
    cols.arg[row] === cols.arg[row - 1] &&
    cols.arg2[row] === cols.arg2[row - 1]
  );
}

/** First instant after `tNs` at which a row begins on one of the lanes; undefined when none is known yet. */
export function nextEventNs(store: TraceStore, laneIds: readonly number[], tNs: Ns): Ns | undefined {
  let best: Ns | undefined;
  for (const laneId of laneIds) {
    const cols = store.columns[laneId];
    if (cols === undefined) continue;
    const row = firstRowAfter(cols, tNs);
    if (row < cols.count && (best === undefined || cols.startNs[row]! < best)) best = cols.startNs[row]!;
  }
  return best;
}

/** Last instant before `tNs` at which a row began on one of the lanes: the inverse of nextEventNs. */
export function previousEventNs(store: TraceStore, laneIds: readonly number[], tNs: Ns): Ns | undefined {
  let best: Ns | undefined;
  for (const laneId of laneIds) {
    const cols = store.columns[laneId];
    if (cols === undefined) continue;
    const row = firstRowFrom(cols, tNs) - 1;
    if (row >= 0 && (best === undefined || cols.startNs[row]! > best)) best = cols.startNs[row]!;
  }
  return best;
}

/** First record at or after `tNs`; `count` when there is none. O(log records). */
export function firstRecordFrom(store: TraceStore, tNs: Ns): number {
  const { tsNs, count } = store.records;
  let lo = 0;
  let hi = count;
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (tsNs[mid]! < tNs) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
