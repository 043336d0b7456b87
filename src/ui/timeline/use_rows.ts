// Rows of the shown trace from top to bottom. They change when lanes appear, not when time goes on.

import { useMemo } from 'react';
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
  const low = useMedia(LOW_SCREEN_QUERY);
  const high = useMedia(HIGH_SCREEN_QUERY);
  const key = useAppState((s) => {
    // Read, so that growth of the trace counts.
    void s.dataVersion;
    return trace === undefined ? '' : layoutKey(trace);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its key says when
  return useMemo(
    () => (trace === undefined ? EMPTY : layoutFor(trace, laneSize, { phone, low, high })),
    [trace, laneSize, phone, low, high, key],
  );
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

function densityFor(laneSize: LaneSize, lanes: number, low: boolean, high: boolean): LaneDensity {
  if (laneSize !== 'auto') return laneSize;
  if (low && lanes > MANY_LANES) return 'compact';
  return high && lanes <= TOO_MANY_TO_BE_TALL ? 'tall' : 'normal';
}
