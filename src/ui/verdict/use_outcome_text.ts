// The shown run's outcome in words; undefined while it runs.

import { useMemo } from 'react';
import type { LockResult } from '../../analysis/result.ts';
import { say } from '../../explain/parts.ts';
import { type ClearedWait, describeOutcome, type VerdictText } from '../../explain/verdict_text.ts';
import { type EndedWait, shareOfHolder } from '../../explain/why_verdict.ts';
import { stateAt } from '../../trace/query.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import { useAppState, useTrace } from '../app_context.ts';

export function useOutcomeText(): VerdictText | undefined {
  const trace = useTrace();
  const summary = useAppState((s) => s.summary);
  return useMemo(() => {
    if (summary === undefined || trace === undefined) return undefined;
    const tables = { tasks: trace.tasks, locks: trace.meta.locks };
    const outcome = describeOutcome(tables, summary.verdicts, {
      endNs: summary.endNs,
      complete: summary.outcome !== 'limit',
      longestClearedWait: longestClearedWait(summary.result.locks, trace),
    });
    const worst = summary.verdicts[0];
    const share = worst === undefined ? undefined : shareOfHolder(trace, worst);
    return share === undefined ? outcome : { ...outcome, timeLine: say`${outcome.timeLine} ${share}.` };
  }, [summary, trace]);
}

/** The longest slow-path call that came to an end, with the thread that held the lock when it began. */
export function longestClearedWait(locks: readonly LockResult[], trace: TraceStore): ClearedWait | undefined {
  const wait = longestEndedWait(locks, trace);
  if (wait === undefined) return undefined;
  const { locks: names } = trace.meta;
  return {
    lock: names[wait.lock]?.name ?? '',
    waiter: trace.tasks[wait.waiter]?.name ?? '',
    holder: holderAt(trace, wait.lock, wait.fromNs),
    fromNs: wait.fromNs,
    waitedNs: wait.toNs - wait.fromNs,
  };
}

/** The same by ids. */
export function longestEndedWait(locks: readonly LockResult[], trace: TraceStore): EndedWait | undefined {
  let best: EndedWait | undefined;
  for (const lock of locks) {
    const lockId = trace.meta.locks.findIndex((one) => one.name === lock.name);
    for (const call of lock.slow_path) {
      if (call.open === true || call.wall_ns <= (best === undefined ? 0 : best.toNs - best.fromNs)) continue;
      const waiter = trace.tasks.findIndex((one) => one.name === call.thread);
      best = { lock: lockId, waiter, fromNs: call.start_ns, toNs: call.start_ns + call.wall_ns };
    }
  }
  return best;
}

function holderAt(trace: TraceStore, lockId: number, atNs: number): string | undefined {
  const lane = trace.lanes.find((one) => one.kind === 'lock' && one.subject === lockId);
  if (lane === undefined) return undefined;
  const segment = stateAt(trace, lane.id, atNs);
  return segment === undefined ? undefined : trace.tasks[segment.who]?.name;
}
