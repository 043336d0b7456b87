// Rows of the shown trace from top to bottom. They change when lanes appear, not when time goes on.

import { useMemo } from 'react';
import type { LaneSize } from '../../store/index.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { LANE_HEIGHTS, type LaneDensity, type Layout, layoutKey, layoutRows } from '../../view/layout.ts';
import { useAppState } from '../app_context.ts';

const EMPTY: Layout = { rows: [], heightPx: 0 };
/** More lanes than this don't fit a screen at their tall height. */
const TOO_MANY_TO_BE_TALL = 16;

/** `roomPx`: height that the lanes may take; undefined before it is measured. */
export function useRows(trace: TraceStore | undefined, phone: boolean, roomPx: number | undefined): Layout {
  const laneSize = useAppState((s) => s.laneSize);
  const key = useAppState((s) => {
    // Read, so that growth of the trace counts.
    void s.dataVersion;
    return trace === undefined ? '' : layoutKey(trace);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its key says when
  return useMemo(
    () => (trace === undefined ? EMPTY : layoutFor(trace, laneSize, phone, roomPx)),
    [trace, laneSize, phone, roomPx, key],
  );
}

function layoutFor(trace: TraceStore, laneSize: LaneSize, phone: boolean, roomPx: number | undefined): Layout {
  const layoutOf = (density: LaneDensity): Layout =>
    layoutRows(trace, { heights: LANE_HEIGHTS[density], heads: !phone });
  if (laneSize !== 'auto') return layoutOf(laneSize);
  const usual: LaneDensity = phone ? 'phone' : 'normal';
  if (roomPx === undefined) return layoutOf(usual);
  const fits = (layout: Layout): boolean => layout.heightPx <= roomPx;
  const tall = layoutOf('tall');
  if (trace.lanes.filter((lane) => lane.kind !== 'lockWait').length <= TOO_MANY_TO_BE_TALL && fits(tall)) return tall;
  const normal = layoutOf(usual);
  if (phone || fits(normal)) return normal;
  // Where not even low lanes fit they scroll anyway: then they may as well be easy to read.
  const compact = layoutOf('compact');
  return fits(compact) ? compact : normal;
}
