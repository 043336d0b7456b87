// Facts of a verdict by their kind.

import type { Fact, Verdict } from '../trace/verdicts.ts';

/** First fact of a kind; undefined where the proof has none. */
export function factOf<K extends Fact['fact']>(verdict: Verdict, kind: K): Extract<Fact, { fact: K }> | undefined {
  return factsOf(verdict, kind)[0];
}

/** All facts of a kind, in their order. */
export function factsOf<K extends Fact['fact']>(verdict: Verdict, kind: K): readonly Extract<Fact, { fact: K }>[] {
  return verdict.facts.filter((fact): fact is Extract<Fact, { fact: K }> => fact.fact === kind);
}

/** What ended a finding, as far as its proof named it: the rescue that was to act last before the end; else the one that acts first. */
export function rescueOf(verdict: Verdict): Extract<Fact, { fact: 'rescue' }> | undefined {
  const acting = factsOf(verdict, 'rescue').filter((fact) => fact.state === 'acts');
  const byTime = [...acting].sort((a, b) => (a.atNs ?? Infinity) - (b.atNs ?? Infinity));
  if (!verdict.ended) return byTime[0];
  return byTime.findLast((fact) => fact.atNs !== undefined && fact.atNs <= verdict.toNs);
}
