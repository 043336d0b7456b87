// How a run ends for a reader who asks "what if, from here": one word and one number, read from its verdicts.

import type { Ns } from '../base/units.ts';
import type { Verdict } from '../trace/verdicts.ts';

export type Outcome =
  | { readonly ends: 'clear' }
  /** The finding that was there ends so long after the change. */
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
  if (left.length === 0 || change === undefined) return { ends: 'clear' };
  const endNs = lastEnd(left);
  return endNs < lastEnd(change.without) ? { ends: 'clears', afterNs: endNs - sinceNs } : { ends: 'same' };
}

function longest(verdicts: readonly Verdict[]): Ns {
  return Math.max(...verdicts.map((one) => one.toNs - one.fromNs));
}

function lastEnd(verdicts: readonly Verdict[]): Ns {
  return Math.max(...verdicts.map((one) => (one.forever ? Number.POSITIVE_INFINITY : one.toNs)));
}
