// Rows of the shown trace from top to bottom. They change when lanes appear, not when time goes on.

import { useMemo } from 'react';
import type { TraceStore } from '../../trace/trace_store.ts';
import { LANE_HEIGHTS, type Layout, layoutRows } from '../../view/layout.ts';
import { useAppState } from '../app_context.ts';

const EMPTY: Layout = { rows: [], heightPx: 0 };

export function useRows(trace: TraceStore | undefined, phone: boolean): Layout {
  const laneSize = useAppState((s) => s.laneSize);
  // Lanes and the waiters of a lock, whose number decides its height, only ever grow.
  const lanes = useAppState((s) => {
    void s.dataVersion;
    return trace?.lanes.length ?? 0;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its number of lanes says when
  return useMemo(
    () =>
      trace === undefined
        ? EMPTY
        : layoutRows(trace, {
            heights: LANE_HEIGHTS[phone && laneSize === 'normal' ? 'phone' : laneSize],
            heads: !phone,
          }),
    [trace, laneSize, phone, lanes],
  );
}
