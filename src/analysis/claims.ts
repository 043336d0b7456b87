// Claims of a scenario (`expect`): which of them are about this run, over which windows, and whether they hold.

import { assertNever } from '../base/assert.ts';
import type { Ns } from '../base/units.ts';
import type { JsonObject } from '../scenario/document.ts';
import { settingText } from '../scenario/read_toggles.ts';
import { resolve } from '../scenario/resolve.ts';
import type { Claim, ClaimTest, Scenario } from '../scenario/scenario.ts';

export interface ClaimResult {
  readonly claim: string;
  readonly ok: boolean;
  /** ns, ratio, count or kernel number; null where the measure has no value. */
  readonly actual: number | null;
}

/**
 * Claims that are about this run: resolving the document with their `when` gives exactly the settings in force, and
 * nobody flipped a switch on the way beyond the document's own interventions.
 *
 * @param document that `scenario` was resolved from
 * O(distinct `when` that agree with the toggles in force x resolve): the page waits for it before its first pixels.
 */
export function claimsInForce(document: JsonObject, scenario: Scenario): readonly Claim[] {
  const fits = new Map<string, boolean>();
  return scenario.claims.filter((claim) => {
    const key = whenKey(claim);
    const known = fits.get(key);
    if (known !== undefined) return known;
    const wanted = agreesWithToggles(claim, scenario) ? resolve(document, claim.when) : undefined;
    const fit = wanted?.ok === true && isSameRun(wanted.value, scenario);
    fits.set(key, fit);
    return fit;
  });
}

/** Whether each declared toggle has the value that the claim's settings give it. Most claims fail here, for nothing. */
function agreesWithToggles({ when }: Claim, scenario: Scenario): boolean {
  return scenario.toggles.every((toggle) => {
    // A toggle may be called as a setting of the machine is, which then speaks for itself.
    if (scenario.settings[toggle.id] !== toggle.value) return true;
    const set = when[toggle.id];
    return (set === undefined ? toggle.default : settingText(set, toggle.values)) === toggle.value;
  });
}

/** Equal for claims that one run can check together. */
export function whenKey(claim: Claim): string {
  return JSON.stringify(Object.entries(claim.when).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isSameRun(a: Scenario, b: Scenario): boolean {
  const settings = Object.entries(a.settings);
  if (settings.length !== Object.keys(b.settings).length) return false;
  if (a.interventions.length !== b.interventions.length) return false;
  return settings.every(([id, value]) => b.settings[id] === value);
}

/** Instants at which a run must write probes, so that windows can count turns of loops that are open there. Ascending, each once. */
export function probesFor(claims: readonly Claim[], window?: readonly [Ns, Ns]): readonly Ns[] {
  const edges = new Set<Ns>(window ?? []);
  for (const claim of claims) for (const edge of claim.betweenNs ?? []) edges.add(edge);
  return [...edges].sort((a, b) => a - b);
}

/** Whether `actual` passes the test. No value passes `never` only. */
export function holds(test: ClaimTest, actual: number | undefined): boolean {
  if (test.test === 'never') return actual === undefined || actual === 0;
  if (actual === undefined) return false;
  switch (test.test) {
    case 'is':
      return Math.abs(actual - test.value) <= allowance(test) + ROUNDING;
    case 'atLeast':
      return actual >= test.value - ROUNDING;
    case 'atMost':
      return actual <= test.value + ROUNDING;
    default:
      return assertNever(test);
  }
}

/** Shares are quotients: 0.3 - 0.2 must count as 0.1. Far below a nanosecond and any share that people write. */
const ROUNDING = 1e-12;

function allowance(test: Extract<ClaimTest, { test: 'is' }>): number {
  return test.relative ? Math.abs(test.value) * test.tolerance : test.tolerance;
}
