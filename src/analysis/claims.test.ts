import { expect, test } from 'vitest';
import { resolve } from '../scenario/resolve.ts';
import { claimsInForce, holds } from './claims.ts';

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

const DOCUMENT = {
  version: 1,
  duration: '10ms',
  params: { hold: { label: 'hold', default: '8ms' } },
  threads: [{ name: 'w', program: [{ run: '$hold' }] }],
  toggles: { load: { label: 'load', help: '', values: { low: {}, high: {} }, default: 'low' } },
  expect: [
    { claim: 'by default', measure: 'share(w)', is: 0.8 },
    { claim: 'load', when: { load: 'high' }, measure: 'share(w)', is: 0.8 },
    { claim: 'hold', when: { hold: '0.004s' }, measure: 'share(w)', is: 0.4 },
    { claim: 'both', when: { load: 'high', hold: '4ms' }, measure: 'share(w)', is: 0.4 },
    { claim: 'the default, said', when: { load: 'low', hold: '8000us' }, measure: 'share(w)', is: 0.8 },
    { claim: 'kernel', when: { kernel: '6.1' }, measure: 'share(w)', is: 0.8 },
  ],
};

test('a claim is about its own settings, and about the defaults of all others', () => {
  const inForce = (
    settings: Record<string, string>,
    at: readonly { at: string; set: Record<string, string> }[] = [],
  ) => {
    const scenario = resolve(DOCUMENT, settings, at);
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
    return claimsInForce(DOCUMENT, scenario.value).map((claim) => claim.claim);
  };
  expect(inForce({})).toEqual(['by default', 'the default, said']);
  expect(inForce({ load: 'high' })).toEqual(['load']);
  expect(inForce({ hold: '4ms' })).toEqual(['hold']);
  expect(inForce({ hold: '4ms', load: 'high' })).toEqual(['both']);
  expect(inForce({ kernel: '6.1' })).toEqual(['kernel']);
  expect(inForce({ kernel: '6.12' })).toEqual(['by default', 'the default, said']);
  expect(inForce({ kernel: '6.1', load: 'high' })).toEqual([]);
  expect(inForce({ seed: '2' })).toEqual([]);
  expect(inForce({}, [{ at: '1ms', set: { load: 'high' } }])).toEqual([]);
});
