// How a run ends for a reader who asks "what if, from here": one word and one number, read from its verdicts.

import type { Ns } from '../base/units.ts';
import type { Verdict } from '../trace/verdicts.ts';

export type Outcome =
  | { readonly ends: 'clear' }
  /** The finding that was there ends so long after the change. */
  | { readonly ends: 'clears'; readonly afterNs: Ns }
  /** A finding with an end: it lasts so long. */
  | { readonly ends: 'stall'; readonly lengthNs: Ns }
  | { readonly ends: 'hang' }
  /** Some other finding is left; `kind` is its name. */
  | { readonly ends: 'other'; readonly kind: Verdict['kind'] };

/** Kinds in which threads stand still: with an end a stall, without one a hang. */
const STANDSTILL: readonly Verdict['kind'][] = ['rt-spin-hang', 'deadlock', 'livelock', 'starvation'];

/** @param sinceNs the instant of the change; undefined when it holds from the start */
export function outcomeOf(verdicts: readonly Verdict[], sinceNs: Ns | undefined): Outcome {
  const standing = verdicts.filter((one) => STANDSTILL.includes(one.kind) && one.toNs > (sinceNs ?? 0));
  if (standing.some((one) => one.forever || !one.ended)) return { ends: 'hang' };
  const later = standing.filter((one) => sinceNs === undefined || one.fromNs > sinceNs);
  if (later.length > 0) return { ends: 'stall', lengthNs: longest(later) };
  if (sinceNs !== undefined && standing.length > 0)
    return { ends: 'clears', afterNs: Math.max(...standing.map((one) => one.toNs)) - sinceNs };
  const other = verdicts.find((one) => !STANDSTILL.includes(one.kind) && one.toNs > (sinceNs ?? 0));
  return other === undefined ? { ends: 'clear' } : { ends: 'other', kind: other.kind };
}

function longest(verdicts: readonly Verdict[]): Ns {
  return Math.max(...verdicts.map((one) => one.toNs - one.fromNs));
}
