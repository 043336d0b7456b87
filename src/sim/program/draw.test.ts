// Distributions of random spans against their textbook moments and quantiles; 20,000 draws, bounds of about five
// standard errors.

import { describe, expect, test } from 'vitest';
import { createStream } from '../../base/prng.ts';
import type { Duration } from '../../scenario/scenario.ts';
import { run, stints } from '../../testing/scene.ts';
import { drawFrom } from './draw.ts';

const N = 20_000;

function sample(duration: Exclude<Duration, number>, name = 'test'): number[] {
  const stream = createStream(7, name);
  return Array.from({ length: N }, () => drawFrom(stream, duration)).sort((a, b) => a - b);
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function quantile(values: readonly number[], q: number): number {
  return values[Math.floor(q * values.length)]!;
}

describe('random spans', () => {
  test('exponential: mean, median ln 2, 95th percentile ln 20', () => {
    const s = sample({ exponential: 1_000_000 });
    expect(Math.abs(mean(s) / 1e6 - 1)).toBeLessThan(0.035);
    expect(Math.abs(quantile(s, 0.5) / 1e6 - Math.log(2))).toBeLessThan(0.035);
    expect(Math.abs(quantile(s, 0.95) / 1e6 - Math.log(20))).toBeLessThan(0.16);
  });

  test('normal: mean, deviation, the share within one and two deviations', () => {
    const s = sample({ normal: [10_000_000, 1_000_000] });
    const z = s.map((ns) => (ns - 10_000_000) / 1e6);
    expect(Math.abs(mean(z))).toBeLessThan(0.035);
    expect(Math.abs(mean(z.map((v) => v * v)) - 1)).toBeLessThan(0.05);
    expect(Math.abs(z.filter((v) => Math.abs(v) < 1).length / N - 0.6827)).toBeLessThan(0.017);
    expect(Math.abs(z.filter((v) => Math.abs(v) < 2).length / N - 0.9545)).toBeLessThan(0.008);
  });

  test('normal: what falls below 0 counts as 0', () => {
    const s = sample({ normal: [0, 1_000_000] });
    expect(s[0]).toBe(0);
    expect(Math.abs(s.filter((ns) => ns === 0).length / N - 0.5)).toBeLessThan(0.018);
  });

  test('lognormal: median, the quantile at one sigma, and the cut', () => {
    const s = sample({ lognormal: { medianNs: 1_000_000, sigmaMilli: 500, maxNs: 3_000_000 } });
    expect(Math.abs(quantile(s, 0.5) / 1e6 - 1)).toBeLessThan(0.025);
    expect(Math.abs(quantile(s, 0.8413) / 1e6 - Math.exp(0.5))).toBeLessThan(0.05);
    expect(s[N - 1]).toBe(3_000_000);
    // P(z > ln 3 / 0.5 = 2.197) = 1.40 %.
    expect(Math.abs(s.filter((ns) => ns === 3_000_000).length / N - 0.014)).toBeLessThan(0.0042);
  });

  test('adding a thread changes no other’s draws', () => {
    const loop = [{ repeat: 'forever', do: [{ run: { exponential: '1ms' } }, { sleep: { normal: ['2ms', '1ms'] } }] }];
    const machine = { cpus: 2, rtThrottling: false, kernel: '6.1' };
    const a = { name: 'A', cpus: [0], policy: 'fifo', priority: 1, program: loop };
    const alone = run({ duration: '200ms', machine, threads: [a] });
    const both = run({ duration: '200ms', machine, threads: [{ ...a, name: 'B', cpus: [1] }, a] });
    expect(stints(both, 0)).toEqual(stints(alone, 0));
    expect(stints(alone, 0).length).toBeGreaterThan(20);
    const lengths = (cpu: number) => stints(both, cpu).map((s) => s.toNs - s.fromNs);
    expect(lengths(1).slice(0, 5)).not.toEqual(lengths(0).slice(0, 5));
  });
});
