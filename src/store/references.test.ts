import { expect, test } from 'vitest';
import { offBy, REFERENCES } from './references.ts';

const published = REFERENCES.find((one) => one.key === 'usleep150-rt')!.published;

test('the published numbers are those of the report', () => {
  const rows = [...new Set(REFERENCES.map((one) => one.published))].map((p) => [
    p.runtimeUs,
    p.executionUs,
    p.iterations,
    p.executionPercent,
  ]);
  expect(rows).toEqual([
    [4538, 4538, 1128, 100],
    [4230, 172, 27, 4.089],
    [5830, 223, 27, 3.818],
  ]);
});

test('off by is the larger miss, with its sign', () => {
  // 32 turns for 27 are 18.5 % more; 4.6 % of the time for 3.818 % are 20.5 % more.
  expect(offBy(published, { wallNs: 5_830_000, execNs: 268_180, iterations: 32 })).toBeCloseTo(0.2048, 3);
  // 20 turns for 27 are 25.9 % less, while the share is met.
  expect(offBy(published, { wallNs: 5_830_000, execNs: 222_589, iterations: 20 })).toBeCloseTo(-0.2593, 3);
});
