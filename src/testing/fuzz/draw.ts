// Random choices of the generators, from one seeded stream.

import { createStream, intBelow, type Stream } from '../../base/prng.ts';

/** The stream of document `index` of a fuzz run. */
export function drawStream(seed: number, index: number): Stream {
  return createStream(seed, `fuzz ${index}`);
}

/** An integer in [low, high]. */
export function int(s: Stream, low: number, high: number): number {
  return low + intBelow(s, high - low + 1);
}

/** True in `percent` of 100 cases. */
export function chance(s: Stream, percent: number): boolean {
  return intBelow(s, 100) < percent;
}

export function pick<T>(s: Stream, list: readonly T[]): T {
  return list[intBelow(s, list.length)]!;
}

/** `make()` in `percent` of 100 cases, as an object to spread. */
export function maybe(s: Stream, percent: number, make: () => object): object {
  return chance(s, percent) ? make() : {};
}

/** A time in [lowNs, highNs]: small ones as likely as large ones, round ones more likely than others. */
export function time(s: Stream, lowNs: number, highNs: number): string {
  const bits = 31 - Math.clz32(Math.max(1, highNs / Math.max(1, lowNs)));
  const top = Math.min(highNs, Math.max(lowNs, 1) * 2 ** int(s, 0, bits));
  const ns = Math.max(lowNs, Math.min(highNs, int(s, Math.min(lowNs, top), top)));
  const unit = pick(s, [1, 1_000, 1_000_000] as const);
  const round = Math.round(ns / unit) * unit;
  return `${round >= lowNs && round <= highNs ? round : ns}ns`;
}
