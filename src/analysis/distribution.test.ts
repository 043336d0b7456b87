import { expect, test } from 'vitest';
import { addSample, createSamples, nearestRank, summarise } from './distribution.ts';

test('percentiles are nearest-rank: a value that occurred, never one in between', () => {
  const samples = createSamples();
  for (const value of [15, 20, 35, 40, 50]) addSample(samples, value);
  // The textbook example: ranks 1.5 -> 2, 2.0 -> 2, 2.5 -> 3, 5.0 -> 5.
  const sorted = Float64Array.of(15, 20, 35, 40, 50);
  expect([30, 40, 50, 100].map((percent) => nearestRank(sorted, percent))).toEqual([20, 20, 35, 50]);
  expect(summarise(samples)).toEqual({ n: 5, min: 15, p50: 35, p95: 50, p99: 50, max: 50 });
});

test('ranks of whole hundredths are exact', () => {
  const sorted = Float64Array.from({ length: 100 }, (_, i) => i + 1);
  for (let percent = 1; percent <= 100; percent++) expect(nearestRank(sorted, percent)).toBe(percent);
});

test('no sample gives no percentile, and many samples in any order are sorted as numbers', () => {
  expect(summarise(createSamples())).toEqual({ n: 0, min: null, p50: null, p95: null, p99: null, max: null });
  const samples = createSamples();
  for (const value of [9, 100, 1000, 25, 3, 7, 11, 2, 5, 80, 60]) addSample(samples, value);
  expect(summarise(samples)).toMatchObject({ n: 11, min: 2, p50: 11, max: 1000 });
});
