// Verdict bands of the shown run, as far as the reader may know them.

import { useMemo } from 'react';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Band } from '../../view/api.ts';
import { useAppState } from '../app_context.ts';
import { bandsOf } from './bands.ts';

const NONE: readonly Band[] = [];

export function useBands(trace: TraceStore | undefined): readonly Band[] {
  const summary = useAppState((s) => s.summary);
  const knownToNs = useAppState((s) =>
    knownTo(s.veiled || s.play === 'playing', s.playheadNs, s.summary?.verdicts[0]?.fromNs),
  );
  return useMemo(
    () =>
      trace === undefined || summary === undefined ? NONE : bandsOf(trace, summary.verdicts, summary.endNs, knownToNs),
    [trace, summary, knownToNs],
  );
}

/** Before the first finding every playhead knows the same: nothing. So bands stay the same object until it forms. */
function knownTo(veiled: boolean, playheadNs: number, firstNs: number | undefined): number {
  if (!veiled) return Number.POSITIVE_INFINITY;
  return firstNs !== undefined && playheadNs < firstNs ? 0 : playheadNs;
}
