// The shown run's outcome in words; undefined while it runs.

import { useMemo } from 'react';
import { runFacts } from '../../analysis/outcome.ts';
import type { LockResult } from '../../analysis/result.ts';
import type { NameTables } from '../../explain/names.ts';
import { say } from '../../explain/parts.ts';
import { tablesOf } from '../../explain/state_text.ts';
import { describeOutcome, describeVerdict, type VerdictText } from '../../explain/verdict_text.ts';
import { type EndedWait, shareOfHolder, shareWhileWaiting } from '../../explain/why_verdict.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Verdict } from '../../trace/verdicts.ts';
import { useAppState, useTrace } from '../app_context.ts';

export function useOutcomeText(): VerdictText | undefined {
  const trace = useTrace();
  const summary = useAppState((s) => s.summary);
  return useMemo(() => {
    if (summary === undefined || trace === undefined) return undefined;
    const { result, verdicts } = summary;
    const outcome = describeOutcome(tablesOf(trace), verdicts, runFacts(result, summary.outcome !== 'limit'));
    const share = verdicts[0] === undefined ? piShare(trace, result.locks) : shareOfHolder(trace, verdicts[0]);
    const others = otherWords(tablesOf(trace), verdicts);
    const timeLine = share === undefined ? outcome.timeLine : say`${share}. ${outcome.timeLine}`;
    return { ...outcome, timeLine: others === '' ? timeLine : say`${timeLine} Also: ${others}.` };
  }, [summary, trace]);
}

/** Kinds of the findings beside the worst one: `priority inversion, overload`; '' where there are none. */
function otherWords(tables: NameTables, verdicts: readonly Verdict[]): string {
  const first = verdicts[0];
  const others = verdicts.filter(({ kind }) => kind !== first?.kind);
  return [...new Set(others.map((verdict) => describeVerdict(tables, verdict).word.toLowerCase()))].join(', ');
}

/** What a holder that inherits gets of its CPU: the number that a PI lock is about. */
function piShare(trace: TraceStore, locks: readonly LockResult[]) {
  const wait = longestEndedWait(locks, trace);
  return wait === undefined || trace.meta.locks[wait.lock]?.kind !== 'pi' ? undefined : shareWhileWaiting(trace, wait);
}

/** The longest slow-path call that came to an end. */
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
