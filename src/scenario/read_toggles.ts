// Reads `toggles`: switches and choices, each value a merge patch over the document.

import type { Json, JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { isObject, kindOf, own } from './json_value.ts';
import { nearestName } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { checkId } from './read_params.ts';
import { checkKeys, isPrintableName, missingKey, optional, readObject, readText } from './read_value.ts';

const MAX_TOGGLES = 64;
const MAX_VALUES = 64;

export interface Toggle {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  /** Patches by value, in document order. */
  readonly values: ReadonlyMap<string, JsonObject>;
  readonly default: string;
}

/** Keys of the document that a toggle can't patch. */
const UNPATCHABLE: readonly string[] = ['version', 'toggles', 'interventions', 'params'];

/** The toggles in document order; those that can't be used are reported and left out. */
export function readToggles(ctx: ReadContext, document: JsonObject): ReadonlyMap<string, Toggle> {
  const toggles = new Map<string, Toggle>();
  const value = own(document, 'toggles');
  if (value === undefined) return toggles;
  const object =
    readObject(
      ctx,
      value,
      'toggles',
      '{ "fix": { "label": "Fix", "values": { "off": {}, "on": {} }, "default": "off" } }.',
    ) ?? {};
  const ids = Object.keys(object);
  if (ids.length > MAX_TOGGLES)
    addProblem(
      ctx.problems,
      'bound-toggles',
      'toggles',
      `There are ${ids.length} toggles.`,
      `A document has at most ${MAX_TOGGLES}.`,
    );
  const params = own(document, 'params');
  for (const id of ids.slice(0, MAX_TOGGLES)) {
    const path = childPath('toggles', id);
    checkId(ctx, id, path, 'toggle');
    if (isObject(params) && own(params, id) !== undefined)
      addProblem(
        ctx.problems,
        'duplicate-name',
        path,
        `A param and a toggle are both named ${quoted(id)}.`,
        'Give one of them another name.',
      );
    const toggle = readToggle(ctx, id, own(object, id), path);
    if (toggle !== undefined) toggles.set(id, toggle);
  }
  return toggles;
}

function readToggle(ctx: ReadContext, id: string, value: Json | undefined, path: string): Toggle | undefined {
  const object = readObject(
    ctx,
    value,
    path,
    '{ "label": "Fix", "values": { "off": {}, "on": {} }, "default": "off" }.',
  );
  if (object === undefined) return undefined;
  checkKeys(ctx, object, path, ['label', 'help', 'values', 'default'], 'A toggle');
  const label = optional(object, path, 'label', id, (v, at) => readText(ctx, v, at, 80));
  const help = optional(object, path, 'help', '', (v, at) => readText(ctx, v, at, 1000));
  if (own(object, 'values') === undefined) {
    missingKey(ctx, path, 'values', `The toggle ${quoted(id)}`, '{ "off": {}, "on": {} }.');
    return undefined;
  }
  const values = readValues(ctx, own(object, 'values'), childPath(path, 'values'));
  const initial = readDefault(ctx, own(object, 'default'), childPath(path, 'default'), values);
  return initial === undefined ? undefined : { id, label, help, values, default: initial };
}

function readValues(ctx: ReadContext, value: Json | undefined, path: string): ReadonlyMap<string, JsonObject> {
  const values = new Map<string, JsonObject>();
  const object = readObject(ctx, value, path, '{ "off": {}, "on": { "machine": { "piReweight": true } } }.') ?? {};
  const names = Object.keys(object);
  if (names.length > MAX_VALUES)
    addProblem(
      ctx.problems,
      'bound-toggles',
      path,
      `A toggle has ${names.length} values.`,
      `It has at most ${MAX_VALUES}.`,
    );
  if (names.length === 0 && isObject(value))
    addProblem(ctx.problems, 'no-values', path, 'A toggle has no values.', 'Two values make a switch, more a choice.');
  for (const name of names.slice(0, MAX_VALUES)) {
    const at = childPath(path, name);
    if (!isPrintableName(name) || name.length > 40)
      addProblem(
        ctx.problems,
        'bad-name',
        at,
        'A value of a toggle is empty, too long or holds a control character.',
        'Write 1 to 40 printable characters.',
      );
    const patch = readObject(
      ctx,
      own(object, name),
      at,
      '{ "machine": { "piReweight": true } }; an empty object changes nothing.',
    );
    for (const key of UNPATCHABLE) {
      if (patch !== undefined && own(patch, key) !== undefined)
        addProblem(
          ctx.problems,
          'unpatchable',
          childPath(at, key),
          `A toggle can't change "${key}".`,
          'It may change machine, locks, threads and the rest of the document.',
        );
    }
    const threads = patch === undefined ? undefined : own(patch, 'threads');
    if (threads !== undefined)
      readObject(
        ctx,
        threads,
        childPath(at, 'threads'),
        '{ "worker": { "nice": 5 } }: in a patch, threads are keyed by name.',
      );
    values.set(name, patch ?? {});
  }
  return values;
}

function readDefault(
  ctx: ReadContext,
  value: Json | undefined,
  path: string,
  values: ReadonlyMap<string, JsonObject>,
): string | undefined {
  const names = [...values.keys()];
  if (value === undefined) {
    addProblem(
      ctx.problems,
      'missing-key',
      path,
      'A toggle lacks "default".',
      `Add it, for example "${names[0] ?? 'off'}".`,
    );
    return undefined;
  }
  const name = typeof value === 'object' ? undefined : settingText(value, names);
  if (name !== undefined && values.has(name)) return name;
  const near = typeof value === 'string' ? nearestName(value, names) : undefined;
  addProblem(
    ctx.problems,
    'unknown-value',
    path,
    `default is ${typeof value === 'string' ? quoted(value) : kindOf(value)}, which is no value of the toggle.`,
    near !== undefined ? `Did you mean "${near}"?` : `Write one of ${names.slice(0, 12).join(', ')}.`,
  );
  return undefined;
}

/** A value of a setting as text: true is "on", or "true" where a toggle calls it so. */
export function settingText(value: string | number | boolean, names: readonly string[]): string {
  if (typeof value !== 'boolean' || names.includes(String(value))) return String(value);
  return value ? 'on' : 'off';
}
