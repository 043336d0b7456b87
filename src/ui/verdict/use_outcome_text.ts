// The shown run's outcome in words; undefined while it runs.

import { useMemo } from 'react';
import type { LockResult } from '../../analysis/result.ts';
import { type ClearedWait, describeOutcome, type VerdictText } from '../../explain/verdict_text.ts';
import { stateAt } from '../../trace/query.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { useAppState, useTrace } from '../app_context.ts';

export function useOutcomeText(): VerdictText | undefined {
  const trace = useTrace();
  const summary = useAppState((s) => s.summary);
  return useMemo(() => {
    if (summary === undefined || trace === undefined) return undefined;
    const tables = { tasks: trace.tasks, locks: trace.meta.locks };
    return describeOutcome(tables, summary.verdicts, {
      endNs: summary.endNs,
      complete: summary.outcome !== 'limit',
      longestClearedWait: longestClearedWait(summary.result.locks, trace),
    });
  }, [summary, trace]);
}

/** The longest slow-path call that came to an end, with the thread that held the lock when it began. */
export function longestClearedWait(locks: readonly LockResult[], trace: TraceStore): ClearedWait | undefined {
  let best: ClearedWait | undefined;
  for (const lock of locks) {
    for (const call of lock.slow_path) {
      if (call.open === true || call.wall_ns <= (best?.waitedNs ?? 0)) continue;
      best = {
        lock: lock.name,
        waiter: call.thread,
        holder: holderAt(trace, lock.name, call.start_ns),
        fromNs: call.start_ns,
        waitedNs: call.wall_ns,
      };
    }
  }
  return best;
}

function holderAt(trace: TraceStore, lockName: string, atNs: number): string | undefined {
  const lock = trace.meta.locks.findIndex((one) => one.name === lockName);
  const lane = trace.lanes.find((one) => one.kind === 'lock' && one.subject === lock);
  if (lane === undefined) return undefined;
  const segment = stateAt(trace, lane.id, atNs);
  return segment === undefined ? undefined : trace.tasks[segment.who]?.name;
}
