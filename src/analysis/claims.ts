// Claims of a scenario (`expect`): which of them are about this run, over which windows, and whether they hold.

import { assertNever } from '../base/assert.ts';
import type { Ns } from '../base/units.ts';
import type { Claim, ClaimTest, Scenario } from '../scenario/scenario.ts';

export interface ClaimResult {
  readonly claim: string;
  readonly ok: boolean;
  /** ns, ratio, count or kernel number; null where the measure has no value. */
  readonly actual: number | null;
}

/**
 * Claims that are about the settings in force: each `when` entry is, and every toggle and param that it does not
 * name stands at its default. Machine settings that a run was given beyond those are the caller's to judge.
 */
export function claimsInForce(scenario: Scenario): readonly Claim[] {
  return scenario.claims.filter((claim) => {
    const named = Object.entries(claim.when).every(([key, value]) => sameSetting(scenario, key, value));
    return named && othersAtDefault(scenario, new Set(Object.keys(claim.when)));
  });
}

function sameSetting(scenario: Scenario, key: string, wanted: string | number | boolean): boolean {
  return scenario.settings[key] === String(wanted);
}

function othersAtDefault(scenario: Scenario, named: ReadonlySet<string>): boolean {
  const toggles = scenario.toggles.every((toggle) => named.has(toggle.id) || toggle.value === toggle.default);
  return toggles && scenario.params.every((param) => named.has(param.id) || param.value === param.default);
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
