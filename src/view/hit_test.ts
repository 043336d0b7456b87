// What lies under a point. In dense places the longest of the segments that share the pixels answers, and says how many they are.

import { NONE } from '../trace/ids.ts';
import { firstRowFrom, lastRowAt } from '../trace/lane_search.ts';
import { segmentOf } from '../trace/query.ts';
import type { SegmentColumns } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Hit, Row, Viewport } from './api.ts';
import { rowAt } from './layout.ts';
import { lockGeometry } from './paint_lock_lane.ts';
import { waitSlots } from './wait_slots.ts';

export interface HitQuery {
  readonly trace: TraceStore;
  readonly rows: readonly Row[];
  readonly viewport: Viewport;
  readonly widthPx: number;
}

/** Segments within this distance of the pointer, CSS px, count as under it; wide ones only exactly. */
const SLOP_PX = 1.5;
/** A segment at least this wide, CSS px, is hit by itself. */
const WIDE_PX = 3;
/** More rows than this under one point are counted but not compared one by one. */
const MOST_COMPARED = 512;

/** The segment under x, y (CSS px from the lanes' top left); undefined between lanes and where there are no data. */
export function hitTest(query: HitQuery, xPx: number, yPx: number): Hit | undefined {
  const row = rowAt(query.rows, yPx);
  if (row === undefined || row.row !== 'lane') return undefined;
  const { trace, viewport } = query;
  const nsPerPx = (viewport.t1Ns - viewport.t0Ns) / query.widthPx;
  const timeNs = viewport.t0Ns + xPx * nsPerPx;
  if (timeNs >= trace.watermarkNs || timeNs < 0) return undefined;
  const lane = trace.lanes[row.laneId];
  if (lane?.kind === 'lock') {
    const waiter = waiterAt(trace, row.laneId, row.heightPx, yPx - row.yPx, timeNs);
    if (waiter !== undefined) return hitOn(trace, waiter, timeNs, nsPerPx);
  }
  return hitOn(trace, row.laneId, timeNs, nsPerPx);
}

function hitOn(trace: TraceStore, laneId: number, timeNs: number, nsPerPx: number): Hit | undefined {
  const columns = trace.columns[laneId];
  if (columns === undefined) return undefined;
  const under = lastRowAt(columns, timeNs);
  const isWide = under >= 0 && lengthOf(trace, columns, under) >= WIDE_PX * nsPerPx;
  const slopNs = SLOP_PX * nsPerPx;
  const lo = isWide ? under : Math.max(0, lastRowAt(columns, timeNs - slopNs));
  const hi = isWide ? under + 1 : Math.max(lo + 1, firstRowFrom(columns, timeNs + slopNs));
  const segment = segmentOf(trace, laneId, isWide ? under : longest(trace, columns, lo, hi));
  return segment === undefined ? undefined : { laneId, segment, count: Math.max(1, hi - lo), timeNs };
}

function longest(trace: TraceStore, columns: SegmentColumns, lo: number, hi: number): number {
  let best = lo;
  let bestNs = 0;
  const step = Math.max(1, Math.floor((hi - lo) / MOST_COMPARED));
  for (let row = lo; row < Math.min(hi, columns.count); row += step) {
    const ns = lengthOf(trace, columns, row);
    if (ns <= bestNs) continue;
    best = row;
    bestNs = ns;
  }
  return best;
}

function lengthOf(trace: TraceStore, columns: SegmentColumns, row: number): number {
  return (row + 1 < columns.count ? columns.startNs[row + 1]! : trace.watermarkNs) - columns.startNs[row]!;
}

/** Wait lane whose line is at this height of the lock's lane. */
function waiterAt(
  trace: TraceStore,
  lockLaneId: number,
  heightPx: number,
  y: number,
  timeNs: number,
): number | undefined {
  const waits = waitSlots(trace, lockLaneId);
  const geometry = lockGeometry(heightPx, waits.most);
  const slot = Math.floor((geometry.barTopPx - y) / geometry.pitchPx);
  if (slot < 0) return undefined;
  return waits.laneIds.find((laneId, i) => {
    const columns = trace.columns[laneId]!;
    const row = lastRowAt(columns, timeNs);
    return row >= 0 && columns.who[row] !== NONE && waits.slots[i]![row] === slot;
  });
}
