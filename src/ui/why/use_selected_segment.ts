// The selected segment of the shown trace.

import { useMemo } from 'react';
import type { Segment } from '../../trace/segments.ts';
import { useAppState, useTrace } from '../app_context.ts';
import { segmentAt } from '../timeline/follow.ts';

export function useSelectedSegment(): Segment | undefined {
  const trace = useTrace();
  const selection = useAppState((s) => s.selection);
  const version = useAppState((s) => s.dataVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  return useMemo(() => (trace === undefined ? undefined : segmentAt(trace, selection)), [trace, selection, version]);
}
