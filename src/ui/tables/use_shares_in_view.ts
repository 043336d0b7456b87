// Which share of one CPU each thread has in the visible range: what changes while one pans.

import { useMemo } from 'react';
import type { ThreadResult } from '../../analysis/result.ts';
import { shareBetween } from '../../explain/why_verdict.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Viewport } from '../../view/api.ts';
import { useAppState, useTrace } from '../app_context.ts';

type Named = Pick<ThreadResult, 'tid'>;

/** Shares 0..1 in the order of `threads`; undefined where the trace has no such thread or nothing in the range. */
export function useSharesInView(threads: readonly Named[]): readonly (number | undefined)[] {
  const trace = useTrace();
  const viewport = useAppState((s) => s.viewport);
  const version = useAppState((s) => s.dataVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  return useMemo(
    () => (trace === undefined ? [] : sharesInView(trace, threads, viewport)),
    [trace, threads, viewport, version],
  );
}

/** The same without a page. O(threads log rows). */
export function sharesInView(
  trace: TraceStore,
  threads: readonly Named[],
  { t0Ns, t1Ns }: Viewport,
): readonly (number | undefined)[] {
  const taskOf = new Map(trace.tasks.map((task, id) => [task.tid, id]));
  return threads.map(({ tid }) => {
    const task = taskOf.get(tid);
    return task === undefined ? undefined : shareBetween(trace, task, t0Ns, t1Ns);
  });
}
