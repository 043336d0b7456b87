// Reads durations, which may be drawn at random each time.

import type { Json } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { isList, isObject, own } from './json_value.ts';
import { listNames } from './nearest_name.ts';
import { addNotYet, addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { checkKeys, fieldName, readList, readObject, readTime } from './read_value.ts';
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
    case 'exponential':
      readTime(ctx, argument, at);
      break;
    case 'normal':
      readPair(ctx, argument, at);
      break;
    default:
      checkLognormal(ctx, argument, at);
  }
  addNotYet(
    ctx.problems,
    `random times of kind "${kind}"`,
    at,
    'Use { "uniform": ["1ms", "2ms"] } or { "oneOf": ["1ms", "2ms"] }.',
  );
  return undefined;
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

function checkLognormal(ctx: ReadContext, value: Json, path: string): void {
  const object = readObject(ctx, value, path, '{ "median": "1ms", "sigma": 0.5, "max": "1s" }.');
  if (object === undefined) return;
  checkKeys(ctx, object, path, ['median', 'sigma', 'max'], 'lognormal');
  readTime(ctx, own(object, 'median'), childPath(path, 'median'));
  if (own(object, 'max') !== undefined) readTime(ctx, own(object, 'max'), childPath(path, 'max'));
  const sigma = own(object, 'sigma');
  if (typeof sigma !== 'number' || !(sigma >= 0 && sigma <= 20)) {
    addProblem(
      ctx.problems,
      'range',
      childPath(path, 'sigma'),
      `sigma is ${quoted(typeof sigma === 'object' ? JSON.stringify(sigma) : sigma)}; it must be a number from 0 to 20.`,
      'For example 0.5.',
    );
  }
}

/** Longest time that a duration can be. */
export function longestNs(duration: Duration): number {
  if (typeof duration === 'number') return duration;
  if ('uniform' in duration) return duration.uniform[1];
  return 'oneOf' in duration ? Math.max(...duration.oneOf) : Number.POSITIVE_INFINITY;
}
