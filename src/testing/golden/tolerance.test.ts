import { expect, test } from 'vitest';
import { shareTolerance, toleranceNs } from './tolerance.ts';

const TICK = 4_000_000;

test('the wider of a relative and an absolute bound counts', () => {
  const tolerance = { relative: 0.05, absoluteUs: 150 };
  // 5 % of 4 ms is 0.2 ms; of 0.7 ms it is 0.035 ms, so that the 0.15 ms count.
  expect(toleranceNs(tolerance, { tickNs: TICK, recorded: 4_000_000 })).toBe(200_000);
  expect(toleranceNs(tolerance, { tickNs: TICK, recorded: 700_000 })).toBe(150_000);
});

test('with hrtick a slice takes the place of the tick', () => {
  const tolerance = { ticks: 1, slicesWithHrtick: 1 };
  expect(toleranceNs(tolerance, { tickNs: TICK })).toBe(TICK);
  expect(toleranceNs(tolerance, { tickNs: TICK, hrtickSliceNs: 700_000 })).toBe(700_000);
});

test('a tick stays a tick where no slice is named', () => {
  expect(toleranceNs({ ticks: 1 }, { tickNs: TICK, hrtickSliceNs: 700_000 })).toBe(TICK);
});

test('slack counts only for threads that have it', () => {
  const tolerance = { us: 2, slackUs: 50 };
  expect(toleranceNs(tolerance, { tickNs: TICK, hasSlack: true })).toBe(50_000);
  expect(toleranceNs(tolerance, { tickNs: TICK, hasSlack: false })).toBe(2_000);
});

test('a share may be off by one point, or by stints where they are long against the window', () => {
  // 1.5 stints of 4 ms are 0.3 % of 2 s, 6 % of 100 ms.
  expect(shareTolerance({ points: 1, stints: 1.5 }, 4_000_000, 2_000_000_000)).toBe(0.01);
  expect(shareTolerance({ points: 1, stints: 1.5 }, 4_000_000, 100_000_000)).toBeCloseTo(0.06, 12);
});
