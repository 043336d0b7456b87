// Where a run opens: the range and the playhead that show its story, where neither link nor document says so.

import type { Ns } from '../base/units.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Fact, Verdict } from '../trace/verdicts.ts';
import type { Viewport } from '../view/api.ts';
import { clampViewport } from '../view/viewport.ts';
import type { TableTab } from './view_slice.ts';

export interface Framing {
  readonly viewport: Viewport;
  readonly playheadNs: Ns;
}

/** Share of the story's length before which the playhead stops: the first spinner is there, the last is not. */
const STOP_AT = 0.25;

/**
 * The document's own view where it has one; else, where the run hangs, the stretch from the lock's taking to just after
 * the verdict, with the playhead shortly before the hang forms; else the whole run from its start.
 */
export function frameRun(scenario: Pick<Scenario, 'durationNs' | 'view'>, verdicts: readonly Verdict[]): Framing {
  const story = storyOf(verdicts[0], scenario.durationNs);
  const [t0Ns, t1Ns] = scenario.view.rangeNs ?? story?.rangeNs ?? [0, scenario.durationNs];
  return {
    viewport: clampViewport({ t0Ns, t1Ns }, { fromNs: 0, toNs: scenario.durationNs }),
    playheadNs: scenario.view.playheadNs ?? story?.playheadNs ?? scenario.view.rangeNs?.[0] ?? 0,
  };
}

function storyOf(
  worst: Verdict | undefined,
  endNs: Ns,
): { readonly rangeNs: readonly [Ns, Ns]; readonly playheadNs: Ns } | undefined {
  if (worst === undefined) return undefined;
  const beganNs = Math.min(worst.fromNs, ...worst.facts.map(beginOf));
  // A finding that has no history of its own is shown with the time before it.
  const lengthNs = Math.max(worst.fromNs - beganNs, Math.round(endNs / 1000));
  const startNs = worst.fromNs - lengthNs;
  return {
    rangeNs: [startNs - lengthNs / 4, worst.fromNs + lengthNs],
    playheadNs: Math.max(0, Math.round(startNs + lengthNs * STOP_AT)),
  };
}

function beginOf(fact: Fact): Ns {
  return fact.fact === 'holds' ? fact.sinceNs : Number.POSITIVE_INFINITY;
}

/** The table that tells most about a scenario: slow-path calls where a lock is spun for, else the threads' shares. */
export function firstTable(scenario: Pick<Scenario, 'locks'>): TableTab {
  return scenario.locks.some((lock) => lock.kind === 'spin') ? 'slowPath' : 'threads';
}
