// Reads `expect`: claims that are checked on every run.

import type { Ns } from '../base/units.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { isList, kindOf, own } from './json_value.ts';
import { MEASURES, type MeasureNames, parseMeasure } from './measure.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { checkKeys, missingKey, readList, readObject, readText, readTime } from './read_value.ts';
import type { Claim, ClaimTest, Measure } from './scenario.ts';

const MAX_CLAIMS = 1000;
const TESTS = ['is', 'atLeast', 'atMost', 'never'] as const;

export interface ClaimsContext extends ReadContext {
  readonly names: MeasureNames;
  /** Reports what is wrong with a setting of `when`. */
  readonly checkSetting: (id: string, value: string | number | boolean, path: string) => void;
}

export function readClaims(ctx: ClaimsContext, value: Json | undefined): readonly Claim[] {
  if (value === undefined) return [];
  const list =
    readList(
      ctx,
      value,
      'expect',
      '[{ "claim": "low gets a tenth", "measure": "share(low)", "is": 0.1, "within": 0.01 }].',
    ) ?? [];
  if (list.length > MAX_CLAIMS) {
    addProblem(
      ctx.problems,
      'bound-claims',
      'expect',
      `There are ${list.length} claims.`,
      `A document has at most ${MAX_CLAIMS}.`,
    );
    return [];
  }
  return list.flatMap((claim, i) => readClaim(ctx, claim, elementPath('expect', i)) ?? []);
}

function readClaim(ctx: ClaimsContext, value: Json, path: string): Claim | undefined {
  const object = readObject(ctx, value, path, '{ "claim": "low gets a tenth", "measure": "share(low)", "is": 0.1 }.');
  if (object === undefined) return undefined;
  checkKeys(ctx, object, path, ['claim', 'when', 'between', 'measure', 'within', ...TESTS], 'A claim');
  const given = own(object, 'measure');
  const text = given === undefined ? undefined : readText(ctx, given, childPath(path, 'measure'), 300);
  if (given === undefined) missingKey(ctx, path, 'measure', 'A claim', '"share(low)".');
  const measure = text === undefined ? undefined : readMeasure(ctx, text, childPath(path, 'measure'));
  const test = readTest(ctx, object, path, measure);
  const when = readWhen(ctx, own(object, 'when'), childPath(path, 'when'));
  const betweenNs = readBetween(ctx, own(object, 'between'), childPath(path, 'between'));
  const label =
    own(object, 'claim') === undefined ? text : readText(ctx, own(object, 'claim'), childPath(path, 'claim'), 400);
  if (measure === undefined || test === undefined) return undefined;
  return { claim: label ?? measure.text, when, ...(betweenNs !== undefined ? { betweenNs } : {}), measure, test };
}

function readMeasure(ctx: ClaimsContext, text: string, path: string): Measure | undefined {
  const parsed = parseMeasure(text, ctx.names);
  if (parsed.ok) return parsed.value;
  addProblem(
    ctx.problems,
    parsed.error.code,
    path,
    `The measure ${quoted(text)} ${parsed.error.message}.`,
    parsed.error.hint,
  );
  return undefined;
}

function readTest(
  ctx: ClaimsContext,
  object: JsonObject,
  path: string,
  measure: Measure | undefined,
): ClaimTest | undefined {
  const given = TESTS.filter((test) => own(object, test) !== undefined);
  const test = given[0];
  if (test === undefined || given.length > 1) {
    addProblem(
      ctx.problems,
      'claim-test',
      path,
      test === undefined ? 'A claim has no test.' : `A claim has ${given.length} tests.`,
      'Write one of "is", "atLeast", "atMost" and "never".',
    );
    return undefined;
  }
  if (own(object, 'within') !== undefined && test !== 'is')
    addProblem(
      ctx.problems,
      'claim-test',
      childPath(path, 'within'),
      '"within" goes with "is" only.',
      `Leave it out, or write "is" in place of "${test}".`,
    );
  const at = childPath(path, test);
  const value = own(object, test)!;
  if (test === 'never') {
    if (value !== true)
      addProblem(ctx.problems, 'type', at, `never is ${kindOf(value)}; it must be true.`, 'Write "never": true.');
    return { test };
  }
  if (measure === undefined) return undefined;
  const number = readAmount(ctx, value, at, measure);
  if (test === 'is') {
    const within = readWithin(ctx, own(object, 'within'), childPath(path, 'within'), measure);
    return number === undefined || within === undefined ? undefined : { test, value: number, ...within };
  }
  return number === undefined ? undefined : { test, value: number };
}

/** A value in the measure's own unit. */
function readAmount(ctx: ClaimsContext, value: Json, path: string, measure: Measure): number | undefined {
  if (MEASURES.get(measure.name)!.unit === 'time') return readTime(ctx, value, path);
  if (typeof value === 'number') return value;
  const param = typeof value === 'string' && value.startsWith('$') ? ctx.params.get(value.slice(1)) : undefined;
  if (param?.unit === 'integer') return param.value;
  addProblem(
    ctx.problems,
    'type',
    path,
    `${measure.name} is a number, and this is ${kindOf(value)}.`,
    'Write a number; shares are ratios, so 9.7 % is 0.097.',
  );
  return undefined;
}

function readWithin(
  ctx: ClaimsContext,
  value: Json | undefined,
  path: string,
  measure: Measure,
): { tolerance: number; relative: boolean } | undefined {
  if (value === undefined) return { tolerance: 0, relative: false };
  if (typeof value === 'string' && value.endsWith('%')) {
    const percent = /^(\d{1,6}(?:\.\d{1,9})?)%$/.exec(value);
    if (percent !== null) return { tolerance: Number(percent[1]) / 100, relative: true };
    addProblem(ctx.problems, 'type', path, `within is ${quoted(value)}.`, 'Write a percentage such as "5%".');
    return undefined;
  }
  const tolerance = readAmount(ctx, value, path, measure);
  if (tolerance === undefined || tolerance >= 0)
    return tolerance === undefined ? undefined : { tolerance, relative: false };
  addProblem(
    ctx.problems,
    'range',
    path,
    'within is negative.',
    'A tolerance goes both ways; write it without a sign.',
  );
  return undefined;
}

function readWhen(
  ctx: ClaimsContext,
  value: Json | undefined,
  path: string,
): Readonly<Record<string, string | number | boolean>> {
  if (value === undefined) return {};
  const object = readObject(ctx, value, path, '{ "rt": "off" }.') ?? {};
  const when: [string, string | number | boolean][] = [];
  for (const [id, setting] of Object.entries(object)) {
    const at = childPath(path, id);
    if (typeof setting === 'object') {
      addProblem(
        ctx.problems,
        'type',
        at,
        `The setting ${quoted(id)} is ${kindOf(setting)}.`,
        'Write a value of the toggle or param.',
      );
      continue;
    }
    ctx.checkSetting(id, setting, at);
    when.push([id, setting]);
  }
  return Object.fromEntries(when);
}

/** [a, b) with a before b. */
export function readBetween(ctx: ReadContext, value: Json | undefined, path: string): readonly [Ns, Ns] | undefined {
  if (value === undefined) return undefined;
  if (!isList(value) || value.length !== 2) {
    addProblem(
      ctx.problems,
      'type',
      path,
      `This is ${kindOf(value)}; it must be a list of two times.`,
      'For example ["300ms", "2.3s"].',
    );
    return undefined;
  }
  const from = readTime(ctx, value[0], elementPath(path, 0));
  const to = readTime(ctx, value[1], elementPath(path, 1));
  if (from === undefined || to === undefined) return undefined;
  if (from < to) return [from, to];
  addProblem(
    ctx.problems,
    'range',
    path,
    'The range is empty: its end is not after its start.',
    'Write the earlier time first.',
  );
  return undefined;
}
