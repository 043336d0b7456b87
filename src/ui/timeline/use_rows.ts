// Rows of the shown trace from top to bottom. They change when lanes appear, not when time goes on.

import { useMemo, useRef } from 'react';
import type { LaneSize } from '../../store/index.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { LANE_HEIGHTS, type LaneDensity, type Layout, layoutKey, layoutRows } from '../../view/layout.ts';
import { useAppState } from '../app_context.ts';
import { useMedia } from '../hooks/use_media.ts';

const EMPTY: Layout = { rows: [], heightPx: 0 };
const LOW_SCREEN_QUERY = '(max-height: 959px)';
const HIGH_SCREEN_QUERY = '(min-height: 1200px)';
/** More lanes than this don't fit a low screen at their normal height. */
const MANY_LANES = 10;
/** More lanes than this don't fit a high screen at their tall height. */
const TOO_MANY_TO_BE_TALL = 16;

export function useRows(trace: TraceStore | undefined, phone: boolean): Layout {
  const laneSize = useAppState((s) => s.laneSize);
  const version = useAppState((s) => s.dataVersion);
  const low = useMedia(LOW_SCREEN_QUERY);
  const high = useMedia(HIGH_SCREEN_QUERY);
  const last = useRef(EMPTY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  return useMemo(() => {
    const next = trace === undefined ? EMPTY : layoutFor(trace, laneSize, { phone, low, high });
    // Most chunks bring rows of time and no row of the layout: the same object says so to all who depend on it.
    if (!isSame(next, last.current)) last.current = next;
    return last.current;
  }, [trace, laneSize, phone, low, high, version]);
}

interface Screen {
  readonly phone: boolean;
  readonly low: boolean;
  readonly high: boolean;
}

function layoutFor(trace: TraceStore, laneSize: LaneSize, { phone, low, high }: Screen): Layout {
  const shown = trace.lanes.filter((lane) => lane.kind !== 'lockWait').length;
  const density = phone && laneSize === 'auto' ? 'phone' : densityFor(laneSize, shown, low, high);
  return layoutRows(trace, { heights: LANE_HEIGHTS[density], heads: !phone });
}

function isSame(a: Layout, b: Layout): boolean {
  return (
    a.rows.length === b.rows.length &&
    a.rows.every(
      (row, i) => row.yPx === b.rows[i]?.yPx && row.heightPx === b.rows[i]?.heightPx && row.row === b.rows[i]?.row,
    )
  );
}

function densityFor(laneSize: LaneSize, lanes: number, low: boolean, high: boolean): LaneDensity {
  if (laneSize !== 'auto') return laneSize;
  if (low && lanes > MANY_LANES) return 'compact';
  return high && lanes <= TOO_MANY_TO_BE_TALL ? 'tall' : 'normal';
}
