// Reads `params`: the numbers that sliders and sweeps work on, and that "$name" stands for.

import { err, ok, type Result } from '../base/result.ts';
import type { Json, Problem } from './document.ts';
import { childPath } from './json_path.ts';
import { kindOf, own } from './json_value.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { checkKeys, missingKey, optional, readInteger, readObject, readText, readTime } from './read_value.ts';
import type { ParamInfo } from './scenario.ts';
import { isId, isReservedId } from './setting_names.ts';
import { formatTime, parseTime } from './time_text.ts';

const MAX_PARAMS = 64;
const MAX_INTEGER = 1_000_000_000;

/** The params by name, each at its default. */
export function readParams(ctx: ReadContext, value: Json | undefined): ReadonlyMap<string, ParamInfo> {
  const params = new Map<string, ParamInfo>();
  if (value === undefined) return params;
  const object = readObject(ctx, value, 'params', '{ "hold": { "label": "Hold", "default": "8ms" } }.') ?? {};
  const ids = Object.keys(object);
  if (ids.length > MAX_PARAMS)
    addProblem(
      ctx.problems,
      'bound-params',
      'params',
      `There are ${ids.length} params.`,
      `A document has at most ${MAX_PARAMS}.`,
    );
  for (const id of ids.slice(0, MAX_PARAMS)) {
    const path = childPath('params', id);
    checkId(ctx, id, path, 'param');
    const param = readParamInfo(ctx, id, own(object, id), path);
    if (param !== undefined) params.set(id, param);
  }
  return params;
}

/** Reports an id that can't stand in a link, or that the link or the machine needs. */
export function checkId(ctx: ReadContext, id: string, path: string, what: string): void {
  if (!isId(id))
    addProblem(
      ctx.problems,
      'bad-id',
      path,
      `${quoted(id)} can't be the id of a ${what}.`,
      'An id begins with a letter and has at most 32 letters, digits, "_" or "-".',
    );
  else if (isReservedId(id))
    addProblem(
      ctx.problems,
      'reserved-id',
      path,
      `${quoted(id)} can't be the id of a ${what}; it has a meaning of its own.`,
      'Choose another id.',
    );
}

function readParamInfo(ctx: ReadContext, id: string, value: Json | undefined, path: string): ParamInfo | undefined {
  const object = readObject(ctx, value, path, '{ "label": "Hold", "default": "8ms" }.');
  if (object === undefined) return undefined;
  checkKeys(ctx, object, path, ['label', 'default', 'min', 'max'], 'A param');
  const label = optional(object, path, 'label', id, (v, at) => readText(ctx, v, at, 80));
  const given = own(object, 'default');
  if (given === undefined) {
    missingKey(ctx, path, 'default', `The param ${quoted(id)}`, '"8ms" or 4.');
    return undefined;
  }
  // A number is an integer param, a text a time: what the default is, min, max and settings must be too.
  const unit = typeof given === 'number' ? 'integer' : 'time';
  const read = (v: Json, at: string): number | undefined =>
    unit === 'time'
      ? readTime({ ...ctx, params: new Map() }, v, at)
      : readInteger({ ...ctx, params: new Map() }, v, at, { min: -MAX_INTEGER, max: MAX_INTEGER });
  if (typeof given !== 'number' && typeof given !== 'string') {
    addProblem(
      ctx.problems,
      'type',
      childPath(path, 'default'),
      `default is ${kindOf(given)}; it must be a time or a whole number.`,
      'For example "8ms" or 4.',
    );
    return undefined;
  }
  const initial = optional(object, path, 'default', undefined, read);
  const min = optional(object, path, 'min', undefined, read);
  const max = optional(object, path, 'max', undefined, read);
  if (initial === undefined) return undefined;
  const param: ParamInfo = {
    id,
    label,
    unit,
    default: initial,
    value: initial,
    ...(min !== undefined ? { min } : {}),
    ...(max !== undefined ? { max } : {}),
  };
  if (min !== undefined && max !== undefined && min > max)
    addProblem(ctx.problems, 'range', childPath(path, 'min'), 'min is more than max.', 'Write the smaller one as min.');
  else if (!isWithin(param, initial))
    addProblem(
      ctx.problems,
      'range',
      childPath(path, 'default'),
      'The default is outside min and max.',
      `Write ${rangeText(param)}.`,
    );
  return param;
}

function isWithin(param: ParamInfo, value: number): boolean {
  return value >= (param.min ?? value) && value <= (param.max ?? value);
}

function rangeText(param: ParamInfo): string {
  const show = (value: number): string => paramText({ ...param, value });
  if (param.min !== undefined && param.max !== undefined) return `${show(param.min)} to ${show(param.max)}`;
  return param.min !== undefined
    ? `${show(param.min)} or more`
    : param.max !== undefined
      ? `${show(param.max)} or less`
      : 'any value';
}

/** The param's value as a setting shows it: "8ms" or "4". */
export function paramText(param: ParamInfo): string {
  return param.unit === 'time' ? formatTime(param.value) : String(param.value);
}

/** The param with the value that a setting gives it. */
export function setParam(param: ParamInfo, text: string): Result<ParamInfo, Problem> {
  const path = `settings.${param.id}`;
  const wrong = (message: string, hint: string): Result<ParamInfo, Problem> =>
    err({ code: 'setting-value', path, message: `The setting ${param.id} is ${quoted(text)}${message}.`, hint });
  let value: number;
  if (param.unit === 'time') {
    const parsed = parseTime(text);
    if (!parsed.ok) return wrong(`, which ${parsed.error.message}`, parsed.error.hint);
    value = parsed.value;
  } else {
    if (!/^-?\d{1,10}$/.test(text) || Math.abs(Number(text)) > MAX_INTEGER)
      return wrong('; it must be a whole number', `Write ${rangeText(param)}.`);
    value = Number(text);
  }
  if (!isWithin(param, value)) return wrong(', which is out of range', `Write ${rangeText(param)}.`);
  // -0 is 0.
  return ok({ ...param, value: value + 0 });
}
