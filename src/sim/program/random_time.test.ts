import { expect, test } from 'vitest';
import { createStream } from '../../base/prng.ts';
import type { Duration } from '../../scenario/scenario.ts';
import { run } from '../../testing/scene.ts';
import { drawSpan, exp, ln } from './random_time.ts';

test('ln and exp agree with the host’s', () => {
  for (let i = 1; i < 4000; i++) {
    const x = i * i * 1e-4 + 1e-9 * i;
    expect(Math.abs(ln(x) - Math.log(x))).toBeLessThan(1e-14 * (1 + Math.abs(Math.log(x))));
    const y = (i - 2000) / 40;
    expect(Math.abs(exp(y) / Math.exp(y) - 1)).toBeLessThan(1e-13);
  }
});

/** 40,000 draws, sorted. */
function draws(duration: Duration): number[] {
  const stream = createStream(7, 'test');
  return Array.from({ length: 40_000 }, () => drawSpan(duration, () => stream)).sort((a, b) => a - b);
}

function mean(of: readonly number[]): number {
  return of.reduce((sum, x) => sum + x, 0) / of.length;
}

// The error of a mean of n draws is deviation / sqrt(n): five of those are allowed, so that a wrong formula fails and
// luck does not. Quantiles likewise, to 3 %.
test('exponential: mean, median m ln 2, 99th percentile m ln 100', () => {
  const all = draws({ exponential: 1_000_000 });
  expect(Math.abs(mean(all) - 1_000_000)).toBeLessThan((5 * 1_000_000) / 200);
  expect(all[20_000]! / 693_147).toBeCloseTo(1, 1);
  expect(Math.abs(all[39_600]! / 4_605_170 - 1)).toBeLessThan(0.05);
  expect(all.every((x) => Number.isInteger(x) && x >= 0)).toBe(true);
});

test('normal: mean, deviation, and nothing below 0', () => {
  const all = draws({ normal: [1_000_000, 200_000] });
  expect(Math.abs(mean(all) - 1_000_000)).toBeLessThan((5 * 200_000) / 200);
  // 84.13 % lie below mean + deviation.
  expect(Math.abs(all[33_654]! - 1_200_000)).toBeLessThan(8_000);
  expect(draws({ normal: [0, 1_000_000] }).filter((x) => x === 0).length / 40_000).toBeCloseTo(0.5, 1);
});

test('lognormal: median, the 84.13th percentile at e^sigma times it, cut at max', () => {
  const all = draws({ lognormal: { medianNs: 1_000_000, sigmaMilli: 500, maxNs: 2_000_000 } });
  expect(Math.abs(all[20_000]! / 1_000_000 - 1)).toBeLessThan(0.02);
  expect(Math.abs(all[33_654]! / 1_648_721 - 1)).toBeLessThan(0.03);
  expect(all[39_999]).toBe(2_000_000);
});

test('a thread’s draws do not depend on other threads, nor on what its other steps draw', () => {
  const a = {
    name: 'A',
    cpus: [0],
    program: [{ repeat: 'forever', do: [{ run: { exponential: '1ms' } }, { sleep: { normal: ['2ms', '1ms'] } }] }],
  };
  const b = {
    name: 'B',
    cpus: [1],
    program: [{ repeat: 'forever', do: [{ run: { exponential: '1ms' } }, { sleep: '1ms' }] }],
  };
  const times = (threads: object[]) => {
    const ran = run({ duration: '100ms', machine: { cpus: 2, kernel: '6.12' }, threads });
    const { records } = ran;
    const at: number[] = [];
    for (let i = 0; i < records.count; i++)
      if (records.kind[i] === 1 && records.cpu[i] === 0) at.push(records.tsNs[i]!);
    return at;
  };
  expect(times([a]).length).toBeGreaterThan(20);
  expect(times([a, b])).toEqual(times([a]));
});
