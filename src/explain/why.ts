// "Why?" for a stretch of a lane: a question, an answer in one sentence, and the chain of steps that leads to it,
// each with its instant. Everything follows from recorded reasons and from what the lanes show; nothing is guessed.

import { NONE } from '../trace/ids.ts';
import { segmentOf, stateAt } from '../trace/query.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Verdict } from '../trace/verdicts.ts';
import { tablesOf } from './state_text.ts';
import { stretchOf } from './stretch.ts';
import { whyCpu, whyLock } from './why_cpu_lock.ts';
import { whyThread } from './why_thread.ts';
import type { Ask, Why } from './why_types.ts';

export type { Why, WhyStep } from './why_types.ts';

/**
 * Why a lane shows what it shows.
 *
 * @param verdicts of the run so far; they give the conclusion when the thread is party to one
 * @returns undefined where there is no such segment
 * O(rows of the stretch + CPUs log rows).
 */
export function explainSegment(
  trace: TraceStore,
  verdicts: readonly Verdict[],
  laneId: number,
  row: number,
): Why | undefined {
  const segment = segmentOf(trace, laneId, row);
  const lane = trace.lanes[laneId];
  if (segment === undefined || lane === undefined) return undefined;
  const ask: Ask = { trace, tables: tablesOf(trace), verdicts, segment, stretch: stretchOf(trace, segment) };
  if (lane.kind === 'lock') return whyLock(ask, lane);
  if (lane.kind === 'lockWait') return onThreadLane(ask, lane.task) ?? whyLock(ask, lane);
  if (lane.kind === 'thread') return whyThread(ask, lane.subject);
  return segment.who === NONE
    ? whyCpu(ask, lane.subject)
    : (onThreadLane(ask, segment.who) ?? whyCpu(ask, lane.subject));
}

/** The same question of the thread's own lane at that instant. */
function onThreadLane(ask: Ask, task: number): Why | undefined {
  const lane = ask.trace.laneOf.thread[task];
  const segment = lane === undefined ? undefined : stateAt(ask.trace, lane, ask.segment.startNs);
  return segment === undefined ? undefined : explainSegment(ask.trace, ask.verdicts, segment.lane, segment.row);
}
