// Reads durations, which may be drawn at random each time.

import type { Json } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { isList, isObject, own } from './json_value.ts';
import { listNames } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { checkKeys, fieldName, missingKey, optional, readList, readObject, readTime } from './read_value.ts';
import type { Duration } from './scenario.ts';

const RANDOM_KINDS = ['uniform', 'exponential', 'normal', 'lognormal', 'oneOf'];
const MAX_ONE_OF = 1000;

/** A time, or a kind of random time. */
export function readDuration(ctx: ReadContext, value: Json | undefined, path: string): Duration | undefined {
  if (!isObject(value)) return readTime(ctx, value, path);
  const keys = Object.keys(value);
  const kind = keys[0];
  if (keys.length !== 1 || kind === undefined || !RANDOM_KINDS.includes(kind)) {
    checkKeys(ctx, value, path, RANDOM_KINDS, 'A random time');
    if (keys.length !== 1)
      addProblem(
        ctx.problems,
        'random-kind',
        path,
        `${fieldName(path)} names ${keys.length} kinds of random time.`,
        `Write one of ${listNames(RANDOM_KINDS)}, e.g. { "uniform": ["1ms", "2ms"] }.`,
      );
    return undefined;
  }
  const at = childPath(path, kind);
  const argument = own(value, kind)!;
  switch (kind) {
    case 'uniform':
      return readUniform(ctx, argument, at);
    case 'oneOf':
      return readOneOf(ctx, argument, at);
    case 'exponential': {
      const mean = readTime(ctx, argument, at);
      return mean === undefined ? undefined : { exponential: mean };
    }
    case 'normal': {
      const pair = readPair(ctx, argument, at);
      return pair === undefined ? undefined : { normal: pair };
    }
    default:
      return readLognormal(ctx, argument, at);
  }
}

function readPair(ctx: ReadContext, value: Json, path: string): readonly [number, number] | undefined {
  if (!isList(value) || value.length !== 2) {
    addProblem(
      ctx.problems,
      'type',
      path,
      `${fieldName(path)} is no list of two times.`,
      'For example ["1ms", "2ms"].',
    );
    return undefined;
  }
  const a = readTime(ctx, value[0], elementPath(path, 0));
  const b = readTime(ctx, value[1], elementPath(path, 1));
  return a === undefined || b === undefined ? undefined : [a, b];
}

function readUniform(ctx: ReadContext, value: Json, path: string): Duration | undefined {
  const pair = readPair(ctx, value, path);
  if (pair === undefined) return undefined;
  if (pair[0] <= pair[1]) return { uniform: pair };
  addProblem(ctx.problems, 'range', path, `${fieldName(path)} runs backwards.`, 'Write the shorter time first.');
  return undefined;
}

function readOneOf(ctx: ReadContext, value: Json, path: string): Duration | undefined {
  const list = readList(ctx, value, path, '["1ms", "2ms"].');
  if (list === undefined) return undefined;
  if (list.length === 0 || list.length > MAX_ONE_OF) {
    addProblem(
      ctx.problems,
      'range',
      path,
      `${fieldName(path)} has ${list.length} times.`,
      `Write 1 to ${MAX_ONE_OF}.`,
    );
    return undefined;
  }
  const times = list.map((time, i) => readTime(ctx, time, elementPath(path, i)));
  return times.every((time) => time !== undefined) ? { oneOf: times } : undefined;
}

function readLognormal(ctx: ReadContext, value: Json, path: string): Duration | undefined {
  const example = '{ "median": "1ms", "sigma": 0.5, "max": "1s" }.';
  const object = readObject(ctx, value, path, example);
  if (object === undefined) return undefined;
  checkKeys(ctx, object, path, ['median', 'sigma', 'max'], 'lognormal');
  for (const key of ['median', 'sigma', 'max'])
    if (own(object, key) === undefined) missingKey(ctx, path, key, 'lognormal', example);
  const medianNs = optional(object, path, 'median', undefined, (v, at) => readTime(ctx, v, at));
  const sigmaMilli = optional(object, path, 'sigma', undefined, (v, at) => readSigma(ctx, v, at));
  const maxNs = optional(object, path, 'max', undefined, (v, at) => readTime(ctx, v, at));
  if (medianNs === undefined || sigmaMilli === undefined || maxNs === undefined) return undefined;
  if (medianNs <= maxNs) return { lognormal: { medianNs, sigmaMilli, maxNs } };
  addProblem(
    ctx.problems,
    'range',
    childPath(path, 'max'),
    'max is shorter than the median, so more than half of the draws would be cut.',
    'Write a longer "max".',
  );
  return undefined;
}

/** Thousandths; the format's tables know no finer ones. */
function readSigma(ctx: ReadContext, value: Json, path: string): number | undefined {
  if (typeof value === 'number' && value >= 0 && value <= 20) return Math.round(value * 1000);
  addProblem(
    ctx.problems,
    'range',
    path,
    `sigma is ${quoted(typeof value === 'object' ? JSON.stringify(value) : value)}; it must be a number from 0 to 20.`,
    'For example 0.5.',
  );
  return undefined;
}

/** Longest time that a duration can be; Infinity where only the table that is drawn from bounds it. */
export function longestNs(duration: Duration): number {
  if (typeof duration === 'number') return duration;
  if ('uniform' in duration) return duration.uniform[1];
  if ('oneOf' in duration) return Math.max(...duration.oneOf);
  if ('lognormal' in duration) return duration.lognormal.maxNs;
  if ('exponential' in duration) return duration.exponential === 0 ? 0 : Number.POSITIVE_INFINITY;
  return duration.normal[1] === 0 ? duration.normal[0] : Number.POSITIVE_INFINITY;
}

/** A time that no draw falls below. */
export function shortestNs(duration: Duration): number {
  if (typeof duration === 'number') return duration;
  if ('uniform' in duration) return duration.uniform[0];
  return 'oneOf' in duration ? Math.min(...duration.oneOf) : 0;
}
