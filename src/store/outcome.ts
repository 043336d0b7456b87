// How a run ends for a reader who asks "what if, from here": one word and one number, read from its verdicts.

import type { RunResult } from '../analysis/result.ts';
import type { Ns } from '../base/units.ts';
import type { Verdict } from '../trace/verdicts.ts';

export type Outcome =
  | { readonly ends: 'clear' }
  /** The finding that was there, and the waits for locks that it left, end so long after the change. */
  | { readonly ends: 'clears'; readonly afterNs: Ns }
  /** The finding that was there ends no sooner than without the change. */
  | { readonly ends: 'same' }
  /** A finding with an end: it lasts so long. */
  | { readonly ends: 'stall'; readonly lengthNs: Ns }
  | { readonly ends: 'hang' }
  /** Some other finding is left; `kind` is its name. */
  | { readonly ends: 'other'; readonly kind: Verdict['kind'] };

/** A change at an instant, and what the run's findings were without it. */
export interface Change {
  readonly atNs: Ns;
  readonly without: readonly Verdict[];
  /** When the last wait for a lock ends, of those that were open at that instant; undefined: none was, or one never ends. */
  readonly waitsEndNs?: Ns | undefined;
}

/** For `Change.waitsEndNs`, from the slow-path calls of a run. */
export function lastWaitEndNs(result: RunResult, atNs: Ns): Ns | undefined {
  const calls = result.locks.flatMap((lock) => lock.slow_path);
  const open = calls.filter(
    (call) => call.start_ns < atNs && (call.open === true || call.start_ns + call.wall_ns > atNs),
  );
  if (open.length === 0 || open.some((call) => call.open === true)) return undefined;
  return Math.max(...open.map((call) => call.start_ns + call.wall_ns));
}

/** Kinds in which threads stand still: with an end a stall, without one a hang. */
const STANDSTILL: readonly Verdict['kind'][] = ['rt-spin-hang', 'deadlock', 'livelock', 'starvation'];

/** @param change undefined when it holds from the start */
export function outcomeOf(verdicts: readonly Verdict[], change?: Change): Outcome {
  const sinceNs = change?.atNs ?? Number.NEGATIVE_INFINITY;
  const left = verdicts.filter((one) => one.toNs > sinceNs);
  const standing = left.filter((one) => STANDSTILL.includes(one.kind));
  if (standing.some((one) => one.forever || !one.ended)) return { ends: 'hang' };
  const laterStalls = standing.filter((one) => one.fromNs > sinceNs);
  if (laterStalls.length > 0) return { ends: 'stall', lengthNs: longest(laterStalls) };
  const later = left.find((one) => one.fromNs > sinceNs);
  if (later !== undefined) return { ends: 'other', kind: later.kind };
  if (change === undefined) return { ends: 'clear' };
  const stood = change.without.some((one) => one.fromNs <= sinceNs && one.toNs > sinceNs);
  const waitsEndNs = stood ? change.waitsEndNs : undefined;
  if (left.length === 0 && waitsEndNs === undefined) return { ends: 'clear' };
  if (left.length > 0 && lastEnd(left) >= lastEnd(change.without)) return { ends: 'same' };
  const endNs = Math.max(lastEnd(left), waitsEndNs ?? Number.NEGATIVE_INFINITY);
  return { ends: 'clears', afterNs: endNs - sinceNs };
}

function longest(verdicts: readonly Verdict[]): Ns {
  return Math.max(...verdicts.map((one) => one.toNs - one.fromNs));
}

function lastEnd(verdicts: readonly Verdict[]): Ns {
  return Math.max(...verdicts.map((one) => (one.forever ? Number.POSITIVE_INFINITY : one.toNs)));
}
