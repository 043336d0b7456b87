// Reads single values of a document: each returns the value, or reports a problem and returns undefined.
// "$name" is looked up here, so that a param may stand wherever a time or an integer may.

import type { Ns } from '../base/units.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath, pathTokens } from './json_path.ts';
import { isList, isObject, kindOf, own } from './json_value.ts';
import { listNames, nearestName } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { formatTime, parseTime } from './time_text.ts';

/** The last key of a path with the indices after it, e.g. 'uniform[0]': how a message names the field. */
export function fieldName(path: string): string {
  const tokens = pathTokens(path);
  let name = '';
  for (let i = tokens.length - 1; i >= 0; i--) {
    const token = tokens[i]!;
    if (typeof token === 'string') return token.slice(0, 40) + name;
    name = `[${token}]${name}`;
  }
  return name === '' ? 'The document' : name;
}

/** A time in ns. A bare number is an error that names the field and the fix. */
export function readTime(ctx: ReadContext, value: Json | undefined, path: string, minNs: Ns = 0): Ns | undefined {
  if (typeof value === 'number') {
    addProblem(
      ctx.problems,
      'time-unit',
      path,
      `${fieldName(path)} is ${value}, a bare number.`,
      `A time is a text with a unit: "${value}us" or "${value}ms".`,
    );
    return undefined;
  }
  if (typeof value !== 'string') {
    addProblem(
      ctx.problems,
      'type',
      path,
      `${fieldName(path)} is ${kindOf(value)}; it must be a time.`,
      'Write a number and a unit as a text, e.g. "150us".',
    );
    return undefined;
  }
  if (value.startsWith('$')) {
    const ns = readParam(ctx, value, path, 'time');
    return ns === undefined ? undefined : atLeast(ctx, ns, path, minNs, formatTime);
  }
  const parsed = parseTime(value);
  if (parsed.ok) return atLeast(ctx, parsed.value, path, minNs, formatTime);
  addProblem(
    ctx.problems,
    parsed.error.code,
    path,
    `${fieldName(path)} is ${quoted(value)}, which ${parsed.error.message}.`,
    parsed.error.hint,
  );
  return undefined;
}

function atLeast(
  ctx: ReadContext,
  value: number,
  path: string,
  min: number,
  show: (value: number) => string,
): number | undefined {
  if (value >= min) return value;
  addProblem(
    ctx.problems,
    'range',
    path,
    `${fieldName(path)} is ${show(value)}; it must be at least ${show(min)}.`,
    `Write ${show(min)} or more.`,
  );
  return undefined;
}

/** An integer within [min, max]. */
export function readInteger(
  ctx: ReadContext,
  value: Json | undefined,
  path: string,
  range: { readonly min: number; readonly max: number; readonly code?: string; readonly hint?: string },
): number | undefined {
  const given = typeof value === 'string' && value.startsWith('$') ? readParam(ctx, value, path, 'integer') : value;
  if (given === undefined && value !== undefined) return undefined;
  const hint = range.hint ?? `Write a whole number from ${range.min} to ${range.max}.`;
  if (typeof given !== 'number' || !Number.isInteger(given)) {
    addProblem(
      ctx.problems,
      'type',
      path,
      `${fieldName(path)} is ${typeof given === 'number' ? given : kindOf(given)}; it must be a whole number.`,
      hint,
    );
    return undefined;
  }
  if (given < range.min || given > range.max) {
    addProblem(
      ctx.problems,
      range.code ?? 'range',
      path,
      `${fieldName(path)} is ${given}; it must be ${range.min} … ${range.max}.`,
      hint,
    );
    return undefined;
  }
  return given;
}

function readParam(ctx: ReadContext, text: string, path: string, unit: 'time' | 'integer'): number | undefined {
  const param = ctx.params.get(text.slice(1));
  if (param === undefined) {
    const near = nearestName(text.slice(1), ctx.params.keys());
    addProblem(
      ctx.problems,
      'unknown-param',
      path,
      `${fieldName(path)} is ${quoted(text)}, but no such param is defined.`,
      near !== undefined ? `Did you mean "$${near}"?` : 'Define it under "params".',
    );
    return undefined;
  }
  if (param.unit === unit) return param.value;
  const needs = unit === 'time' ? 'a time, with a default such as "8ms"' : 'a whole number, with a default such as 8';
  addProblem(
    ctx.problems,
    'param-unit',
    path,
    `${fieldName(path)} is ${quoted(text)}, and that param is ${param.unit === 'time' ? 'a time' : 'a whole number'}.`,
    `Here the param must be ${needs}.`,
  );
  return undefined;
}

export function readBoolean(ctx: ReadContext, value: Json | undefined, path: string): boolean | undefined {
  if (typeof value === 'boolean') return value;
  addProblem(
    ctx.problems,
    'type',
    path,
    `${fieldName(path)} is ${kindOf(value)}; it must be true or false.`,
    'Write true or false, without quotes.',
  );
  return undefined;
}

/** A text of at most `max` characters. */
export function readText(ctx: ReadContext, value: Json | undefined, path: string, max = 4000): string | undefined {
  if (typeof value !== 'string') {
    addProblem(
      ctx.problems,
      'type',
      path,
      `${fieldName(path)} is ${kindOf(value)}; it must be a text.`,
      'Write a text in double quotes.',
    );
    return undefined;
  }
  if (value.length <= max) return value;
  addProblem(
    ctx.problems,
    'text-length',
    path,
    `${fieldName(path)} has ${value.length} characters.`,
    `At most ${max} fit here.`,
  );
  return undefined;
}

/** One of a few words. */
export function readChoice<T extends string>(
  ctx: ReadContext,
  value: Json | undefined,
  path: string,
  choices: readonly T[],
): T | undefined {
  if (typeof value === 'string' && (choices as readonly string[]).includes(value)) return value as T;
  const list = listNames(choices.map((choice) => JSON.stringify(choice)));
  const near = typeof value === 'string' ? nearestName(value, choices) : undefined;
  addProblem(
    ctx.problems,
    typeof value === 'string' ? 'unknown-value' : 'type',
    path,
    `${fieldName(path)} is ${typeof value === 'string' ? quoted(value) : kindOf(value)}; it must be one of ${list}.`,
    near !== undefined ? `Did you mean "${near}"?` : `Write one of ${list}.`,
  );
  return undefined;
}

/** An object, else a problem that says what belongs here. */
export function readObject(
  ctx: ReadContext,
  value: Json | undefined,
  path: string,
  example: string,
): JsonObject | undefined {
  if (isObject(value)) return value;
  addProblem(
    ctx.problems,
    'type',
    path,
    `${fieldName(path)} is ${kindOf(value)}; it must be an object.`,
    `For example ${example}`,
  );
  return undefined;
}

export function readList(
  ctx: ReadContext,
  value: Json | undefined,
  path: string,
  example: string,
): readonly Json[] | undefined {
  if (isList(value)) return value;
  addProblem(
    ctx.problems,
    'type',
    path,
    `${fieldName(path)} is ${kindOf(value)}; it must be a list.`,
    `For example ${example}`,
  );
  return undefined;
}

/** Reports every key of `object` that `known` lacks, with the nearest known name. */
export function checkKeys(
  ctx: ReadContext,
  object: JsonObject,
  path: string,
  known: readonly string[],
  what: string,
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    addProblem(
      ctx.problems,
      'unknown-key',
      childPath(path, key),
      `${what} has no key ${quoted(key)}.`,
      near !== undefined ? `Did you mean "${near}"?` : `Known keys: ${listNames(known, 30)}.`,
    );
  }
}

/** `read` of a key, or `fallback` when the key is missing or wrong (then a problem stands in the list). */
export function optional<T, F>(
  object: JsonObject,
  path: string,
  key: string,
  fallback: F,
  read: (value: Json, path: string) => T | undefined,
): T | F {
  const value = own(object, key);
  if (value === undefined) return fallback;
  return read(value, childPath(path, key)) ?? fallback;
}

/** Reports a required key that is missing. */
export function missingKey(ctx: ReadContext, path: string, key: string, what: string, example: string): void {
  addProblem(
    ctx.problems,
    'missing-key',
    childPath(path, key),
    `${what} lacks "${key}".`,
    `Add it, for example ${example}`,
  );
}

/** True when `text` can be a name: not empty, no control characters or line ends, no half of a surrogate pair. */
export function isPrintableName(text: string): boolean {
  if (/^[ -~]+$/.test(text)) return true;
  for (const char of text) if (!isPrintable(char.codePointAt(0)!)) return false;
  return text !== '';
}

/** Iterating a string gives whole code points; a lone half stays a surrogate. */
function isPrintable(code: number): boolean {
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const isLineEnd = code === 0x2028 || code === 0x2029;
  const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff;
  return !isControl && !isLineEnd && !isLoneSurrogate;
}

const utf8 = new TextEncoder();

/** Bytes of `text` in UTF-8. */
export function utf8Bytes(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return utf8.encode(text).length;
}
