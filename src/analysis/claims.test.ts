import { expect, test } from 'vitest';
import type { Claim } from '../scenario/scenario.ts';
import { claimsInForce, holds } from './claims.ts';
import { scenarioOf } from './testkit/hand_made.ts';

test('"is" within an absolute or relative tolerance, edges included', () => {
  const absolute = { test: 'is', value: 0.3, tolerance: 0.1, relative: false } as const;
  expect([0.2, 0.4, 0.3].every((actual) => holds(absolute, actual))).toBe(true);
  expect(holds(absolute, 0.41)).toBe(false);
  const relative = { test: 'is', value: 1128, tolerance: 0.01, relative: true } as const;
  expect(holds(relative, 1128 + 11)).toBe(true);
  expect(holds(relative, 1128 + 12)).toBe(false);
});

test('bounds, and what a missing value means', () => {
  expect(holds({ test: 'atLeast', value: 5 }, 5)).toBe(true);
  expect(holds({ test: 'atLeast', value: 5 }, 4)).toBe(false);
  expect(holds({ test: 'atMost', value: 5 }, 6)).toBe(false);
  expect(holds({ test: 'atMost', value: 5 }, undefined)).toBe(false);
  expect(holds({ test: 'never' }, undefined)).toBe(true);
  expect(holds({ test: 'never' }, 0)).toBe(true);
  expect(holds({ test: 'never' }, 1)).toBe(false);
});

test('a claim is about its own settings: the others must stand at their defaults', () => {
  const claim = (when: Claim['when']): Claim => ({
    claim: JSON.stringify(when),
    when,
    measure: { name: 'verdict', args: ['deadlock'], text: 'verdict(deadlock)' },
    test: { test: 'never' },
  });
  const scenario = {
    ...scenarioOf({
      threads: [],
      endUs: 1,
      claims: [claim({}), claim({ rt: 'off' }), claim({ backoff: 'pi' }), claim({ rt: 'off', backoff: 'pi' })],
    }),
    toggles: [
      { id: 'rt', label: '', help: '', values: ['on', 'off'], default: 'on', value: 'off' },
      { id: 'backoff', label: '', help: '', values: ['yield', 'pi'], default: 'yield', value: 'yield' },
    ],
    settings: { rt: 'off', backoff: 'yield' },
  };
  expect(claimsInForce(scenario).map((found) => found.claim)).toEqual(['{"rt":"off"}']);
});
