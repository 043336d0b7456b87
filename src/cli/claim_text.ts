// One claim's outcome as a line: ok or failed, the claim, what was measured, and when it failed what was asked.

import type { ClaimResult } from '../analysis/claims.ts';
import { assertNever } from '../base/assert.ts';
import { formatNs } from '../base/format.ts';
import { plain } from '../explain/parts.ts';
import { MEASURES } from '../scenario/measure.ts';
import type { Claim, ClaimTest } from '../scenario/scenario.ts';
import { harmless } from './problems_text.ts';

/** `ok      low gets a tenth: share(low) = 0.0970`, `failed  …: share(low) = 0.5, not 0.097 ± 0.005`. */
export function claimLine(result: ClaimResult, claim: Claim | undefined): string {
  const status = result.ok ? 'ok    ' : 'failed';
  if (claim === undefined) return `${status}  ${harmless(result.claim)}\n`;
  const actual = amountText(claim, result.actual);
  const wanted = result.ok ? '' : `, not ${testText(claim, claim.test)}`;
  const window =
    claim.betweenNs === undefined ? '' : ` in ${claim.betweenNs.map((ns) => plain(formatNs(ns))).join(' - ')}`;
  const label = claim.claim === claim.measure.text ? '' : `${claim.claim}: `;
  return `${status}  ${harmless(`${label}${claim.measure.text}${window} = ${actual}${wanted}`)}\n`;
}

function testText(claim: Claim, test: ClaimTest): string {
  switch (test.test) {
    case 'is': {
      const tolerance = test.relative
        ? `${Number((test.tolerance * 100).toPrecision(6))} %`
        : amountText(claim, test.tolerance);
      return test.tolerance === 0 ? amountText(claim, test.value) : `${amountText(claim, test.value)} ± ${tolerance}`;
    }
    case 'atLeast':
      return `at least ${amountText(claim, test.value)}`;
    case 'atMost':
      return `at most ${amountText(claim, test.value)}`;
    case 'never':
      return 'never';
    default:
      return assertNever(test);
  }
}

function amountText(claim: Claim, amount: number | null): string {
  if (amount === null) return 'no value';
  const kind = MEASURES.get(claim.measure.name);
  return kind?.unit === 'time' ? plain(formatNs(amount)) : String(Number(amount.toPrecision(6)));
}
