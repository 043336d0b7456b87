import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticksFor } from './ticks.ts';

test('ticks stand at round times', () => {
  const ticks = ticksFor({ t0Ns: 406_000_000, t1Ns: 415_200_000 }, 853, 92);
  expect(ticks.stepNs).toBe(1_000_000);
  expect(ticks.atNs[0]).toBe(406_000_000);
  expect(ticks.atNs).toHaveLength(10);
  expect(ticks.minorNs).toContain(406_200_000);
});

test('a view that reaches before the start has no ticks there', () => {
  expect(ticksFor({ t0Ns: -2_000_000, t1Ns: 2_000_000 }, 800, 100).atNs[0]).toBe(0);
});

test('steps are 1, 2 or 5 times a power of ten and never below 1 ns', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3.6e12 }),
      fc.integer({ min: 1_000, max: 3.6e12 }),
      fc.integer({ min: 300, max: 3000 }),
      (t0Ns, spanNs, widthPx) => {
        const { stepNs, atNs } = ticksFor({ t0Ns, t1Ns: t0Ns + spanNs }, widthPx, 90);
        expect([1, 2, 5]).toContain(Number(stepNs.toExponential(3).split('e')[0]));
        expect(stepNs).toBeGreaterThanOrEqual(1);
        // Labels 90 px apart on average: never closer than half of that.
        for (let i = 1; i < atNs.length; i++)
          expect(((atNs[i]! - atNs[i - 1]!) / spanNs) * widthPx).toBeGreaterThan(40);
      },
    ),
    { seed: 20261130 },
  );
});
