import { describe, expect, test } from 'vitest';
import { comparedPairs, comparePair } from './compare.ts';
import { openGolden } from './golden_files.ts';

// The whole comparison. A row that golden/known_misses.json lists may be outside its tolerance; every other must not.

const golden = openGolden('golden');
const known = new Set(golden.knownMisses.map((miss) => miss.row));

describe('simulated workloads agree with recorded kernels', () => {
  for (const pair of comparedPairs(golden, [], [])) {
    test(`${pair.workload} on ${pair.recordedKernel}`, () => {
      const rows = comparePair(golden, pair);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        if (known.has(row.id)) continue;
        const text = `recorded ${row.recorded}, simulated ${row.simulated}, tolerance ${row.tolerance ?? 'equal'}`;
        expect(row.ok, `${row.id}: ${text}`).toBe(true);
      }
    });
  }
});

test('the same document gives the same numbers again', () => {
  const pair = { workload: 'rt-throttle', recordedKernel: '6.12.117-deb' };
  expect(comparePair(golden, pair)).toEqual(comparePair(golden, pair));
});
