// Random spans. Every engine must draw the same nanoseconds, so logarithm, exponential and root are series and
// iterations of additions, multiplications and divisions, which IEEE 754 fixes to the last bit; Math.log and Math.exp
// may differ between engines.

import { assertNever } from '../../base/assert.ts';
import { intBelow, nextU32, type Stream } from '../../base/prng.ts';
import type { Ns } from '../../base/units.ts';
import type { Duration } from '../../scenario/scenario.ts';

/** Longest span that is drawn: an hour. The format lets no run last longer. */
const LONGEST_NS = 3_600_000_000_000;

/** Natural logarithm of 0 < x < 2^1000, to about 1e-15 of 1 + |ln x|. */
export function ln(x: number): number {
  let m = x;
  let twos = 0;
  for (; m >= 1.5; m /= 2) twos++;
  for (; m < 0.75; m *= 2) twos--;
  // ln m = 2 artanh z; |z| <= 1/5.
  const z = (m - 1) / (m + 1);
  const square = z * z;
  let power = z;
  let sum = 0;
  for (let k = 1; k < 27; k += 2) {
    sum += power / k;
    power *= square;
  }
  return 2 * sum + twos * Math.LN2;
}

/** e^x for |x| <= 700, to about 1e-14 of the value. */
export function exp(x: number): number {
  const halvings = Math.round(x / Math.LN2);
  const rest = x - halvings * Math.LN2;
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 18; k++) {
    term *= rest / k;
    sum += term;
  }
  for (let k = halvings; k > 0; k--) sum *= 2;
  for (let k = halvings; k < 0; k++) sum /= 2;
  return sum;
}

/** Square root of x > 0, by Newton's iteration. */
function root(x: number): number {
  let r = Math.max(x, 1);
  for (let k = 0; k < 64; k++) r = (r + x / r) / 2;
  return r;
}

/** Equally likely in (0, 1), never an end. */
function unit(stream: Stream): number {
  return (nextU32(stream) + 0.5) / 2 ** 32;
}

/** Standard normal, by Marsaglia's polar method; one of its two values is used, so that a draw needs no memory. */
function normal(stream: Stream): number {
  for (;;) {
    const a = 2 * unit(stream) - 1;
    const b = 2 * unit(stream) - 1;
    const s = a * a + b * b;
    if (s < 1 && s > 0) return a * root((-2 * ln(s)) / s);
  }
}

function toSpan(ns: number, longestNs: Ns): Ns {
  return Math.round(Math.min(Math.max(ns, 0), longestNs));
}

/** A span as the document says: fixed, or the next draw of `stream`. Whole nanoseconds, at least 0, at most an hour. */
export function drawSpan(duration: Duration, stream: () => Stream): Ns {
  if (typeof duration === 'number') return duration;
  if ('uniform' in duration) {
    const [lo, hi] = duration.uniform;
    return lo + intBelow(stream(), hi - lo + 1);
  }
  if ('oneOf' in duration) return duration.oneOf[intBelow(stream(), duration.oneOf.length)]!;
  if ('exponential' in duration) return toSpan(-duration.exponential * ln(unit(stream())), LONGEST_NS);
  if ('normal' in duration) {
    const [mean, deviation] = duration.normal;
    return toSpan(mean + deviation * normal(stream()), LONGEST_NS);
  }
  if ('lognormal' in duration) {
    const { medianNs, sigmaMilli, maxNs } = duration.lognormal;
    const power = Math.min(Math.max((sigmaMilli / 1000) * normal(stream()), -700), 700);
    return toSpan(medianNs * exp(power), Math.min(maxNs, LONGEST_NS));
  }
  return assertNever(duration);
}
