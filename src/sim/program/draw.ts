// Random spans of time. One stream per (seed, thread, step), so that adding a thread or a step shifts no other's draws.

import { assertNever } from '../../base/assert.ts';
import { exp, ln, squareRoot } from '../../base/elementary.ts';
import { createStream, intBelow, nextU32, type Stream } from '../../base/prng.ts';
import type { Ns } from '../../base/units.ts';
import type { Duration } from '../../scenario/scenario.ts';
import type { Machine } from '../machine.ts';
import type { Task } from '../task.ts';

const TWO_32 = 4294967296;
const TWO_53 = 9007199254740992;

/** A span: fixed, or drawn anew from the stream of this step of `p`. Whole ns, 0 or more. */
export function draw(m: Machine, p: Task, duration: Duration, path: string): Ns {
  return typeof duration === 'number' ? duration : drawFrom(streamOf(m, p, path), duration);
}

/** A draw from `stream`. Draws of `normal` below 0 count as 0; `lognormal` is cut at its maximum. */
export function drawFrom(stream: Stream, duration: Exclude<Duration, number>): Ns {
  if ('uniform' in duration) {
    const [lo, hi] = duration.uniform;
    return lo + intBelow(stream, hi - lo + 1);
  }
  if ('oneOf' in duration) return duration.oneOf[intBelow(stream, duration.oneOf.length)]!;
  if ('exponential' in duration) return Math.round(-duration.exponential * ln(nextUnit(stream)));
  if ('normal' in duration) {
    const [mean, deviation] = duration.normal;
    return Math.max(0, Math.round(mean + deviation * nextNormal(stream)));
  }
  if ('lognormal' in duration) return drawLognormal(stream, duration.lognormal);
  return assertNever(duration);
}

function drawLognormal(stream: Stream, d: { medianNs: Ns; sigmaMilli: number; maxNs: Ns }): Ns {
  const exponent = (d.sigmaMilli / 1000) * nextNormal(stream);
  // Beyond e^50 every span is above the maximum of an hour, or below half a nanosecond.
  if (exponent > 50) return d.medianNs === 0 ? 0 : d.maxNs;
  return exponent < -50 ? 0 : Math.min(d.maxNs, Math.round(d.medianNs * exp(exponent)));
}

/** 2^-53 .. 1 in steps of 2^-53, each equally likely; never 0. */
function nextUnit(stream: Stream): number {
  const high = nextU32(stream) & 0x1fffff;
  return (high * TWO_32 + nextU32(stream) + 1) / TWO_53;
}

/** Standard normal (Marsaglia's polar method; its second value is given up, so that a draw depends on the stream alone). */
function nextNormal(stream: Stream): number {
  for (;;) {
    const x = 2 * nextUnit(stream) - 1;
    const y = 2 * nextUnit(stream) - 1;
    const s = x * x + y * y;
    if (s > 0 && s < 1) return x * squareRoot((-2 * ln(s)) / s);
  }
}

/** The stream of a step of this thread. Its name says nothing about other threads. */
function streamOf(m: Machine, p: Task, path: string): Stream {
  const step = path.slice(path.indexOf('program'));
  const known = p.streams[step];
  if (known !== undefined) return known;
  const stream = createStream(m.scenario.seed, `${p.name}/${step}`);
  p.streams[step] = stream;
  return stream;
}
