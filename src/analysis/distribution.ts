// Samples of one measure (stints, latencies, holds) and their nearest-rank percentiles.
// Every value is kept, so that percentiles are exact: 8 bytes a sample.

import type { Ns } from '../base/units.ts';
import type { Distribution } from './result.ts';

/** Growable list of spans in ns, in order of arrival. Only [0, count) is valid. */
export interface Samples {
  count: number;
  valuesNs: Float64Array<ArrayBuffer>;
}

/** An empty list; the first sample allocates. */
export function createSamples(): Samples {
  return { count: 0, valuesNs: new Float64Array(0) };
}

/** Appends one span. Amortised O(1). */
export function addSample(samples: Samples, spanNs: Ns): void {
  if (samples.count === samples.valuesNs.length) {
    const bigger = new Float64Array(Math.max(8, samples.count * 2));
    bigger.set(samples.valuesNs);
    samples.valuesNs = bigger;
  }
  samples.valuesNs[samples.count++] = spanNs;
}

/**
 * Nearest-rank percentile: the smallest value such that at least `percent` % of all are not above it.
 *
 * @param sorted ascending
 * @param percent 0..100; 0 gives the smallest
 * @returns undefined where there is no value
 */
export function nearestRank(sorted: Float64Array, percent: number): number | undefined {
  if (sorted.length === 0) return undefined;
  // Dividing last keeps 29 * 100 / 100 whole: 0.29 * 100 would be 28.999999999999996 + 1.
  const rank = Math.ceil((percent * sorted.length) / 100);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1];
}

/** The samples in ascending order, as a copy. O(n log n). */
export function sortedValues(samples: Samples): Float64Array<ArrayBuffer> {
  return samples.valuesNs.slice(0, samples.count).sort();
}

/** What the result shows of the samples; all null where there is none. */
export function summarise(samples: Samples): Distribution {
  const sorted = sortedValues(samples);
  return {
    n: samples.count,
    min: sorted[0] ?? null,
    p50: nearestRank(sorted, 50) ?? null,
    p95: nearestRank(sorted, 95) ?? null,
    p99: nearestRank(sorted, 99) ?? null,
    max: sorted[samples.count - 1] ?? null,
  };
}
