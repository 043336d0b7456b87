// Reads the back-off of a spin lock: what one failed turn of its loop does and costs.

import type { Ns } from '../base/units.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { own } from './json_value.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import {
  checkKeys,
  fieldName,
  missingKey,
  optional,
  readChoice,
  readInteger,
  readObject,
  readTime,
} from './read_value.ts';
import type { Backoff } from './scenario.ts';
import { MAX_TIME_NS } from './time_text.ts';

/** CPU time of one failed turn where the document names none. */
export const BACKOFF_COST_NS = {
  /** One try, as the default of `try`. */
  none: 10 as Ns,
  /** 4538 us / 1128 turns; WPEWebKit PR 1408 (fact 7.3). */
  yield: 4_020 as Ns,
  /** Of a usleep of any length; the scenario format's value for usleepN. */
  sleep: 7_300 as Ns,
};

const KINDS = ['none', 'yield', 'sleep', 'pause', 'park'] as const;
/** Keys that a back-off of each kind has. */
export const BACKOFF_KEYS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  none: ['kind', 'cost'],
  yield: ['kind', 'cost'],
  sleep: ['kind', 'for', 'cost'],
  pause: ['kind', 'first', 'factor', 'max', 'steps', 'then'],
  park: ['kind'],
};

/** The back-off, or undefined with problems reported. */
export function readBackoff(ctx: ReadContext, value: Json | undefined, path: string): Backoff | undefined {
  const object = readObject(ctx, value, path, '{ "kind": "yield", "cost": "4.02us" }.');
  if (object === undefined) return undefined;
  if (own(object, 'kind') === undefined) {
    missingKey(ctx, path, 'kind', 'A back-off', '"yield".');
    return undefined;
  }
  const kind = readChoice(ctx, own(object, 'kind'), childPath(path, 'kind'), KINDS);
  if (kind === undefined) return undefined;
  checkKeys(ctx, object, path, BACKOFF_KEYS[kind], `A back-off of kind "${kind}"`);
  switch (kind) {
    case 'none':
    case 'yield':
      // A turn that takes no time would turn for ever at one instant.
      return {
        kind,
        costNs: optional(object, path, 'cost', BACKOFF_COST_NS[kind], (v, at) => readTime(ctx, v, at, 1)),
      };
    case 'sleep':
      return readSleep(ctx, object, path);
    case 'pause':
      return readPause(ctx, object, path);
    case 'park':
      return { kind };
  }
}

function readSleep(ctx: ReadContext, object: JsonObject, path: string): Backoff | undefined {
  if (own(object, 'for') === undefined) missingKey(ctx, path, 'for', 'A back-off of kind "sleep"', '"150us".');
  const forNs = optional(object, path, 'for', undefined, (v, at) => readTime(ctx, v, at));
  const costNs = optional(object, path, 'cost', BACKOFF_COST_NS.sleep, (v, at) => readTime(ctx, v, at));
  if (forNs === undefined) return undefined;
  if (forNs + costNs === 0) {
    addProblem(
      ctx.problems,
      'empty-turn',
      path,
      'A turn of this back-off takes no time.',
      'Give it a "for" or a "cost" above 0.',
    );
  }
  return { kind: 'sleep', forNs, costNs };
}

function readPause(ctx: ReadContext, object: JsonObject, path: string): Backoff | undefined {
  for (const [key, example] of [
    ['first', '"40ns".'],
    ['then', '{ "kind": "yield" }.'],
  ] as const) {
    if (own(object, key) === undefined) missingKey(ctx, path, key, 'A back-off of kind "pause"', example);
  }
  const firstNs = optional(object, path, 'first', undefined, (v, at) => readTime(ctx, v, at, 1));
  const factor = optional(object, path, 'factor', 2, (v, at) => readFactor(ctx, v, at));
  const maxNs = optional(object, path, 'max', MAX_TIME_NS, (v, at) => readTime(ctx, v, at, 1));
  const steps = optional(object, path, 'steps', 6, (v, at) => readInteger(ctx, v, at, { min: 1, max: 10_000 }));
  const then = optional(object, path, 'then', undefined, (v, at) => readBackoff(ctx, v, at));
  if (firstNs === undefined || then === undefined) return undefined;
  return { kind: 'pause', firstNs, factor, maxNs, steps, then };
}

function readFactor(ctx: ReadContext, value: Json, path: string): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 1 && value <= 1000) return value;
  addProblem(
    ctx.problems,
    'range',
    path,
    `${fieldName(path)} is ${quoted(typeof value === 'object' ? JSON.stringify(value) : value)}; it must be a number from 1 to 1000.`,
    'Each pause is that many times as long as the one before; 2 doubles it.',
  );
  return undefined;
}
