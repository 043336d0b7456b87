// Whatever stands in a document, reading it gives a scenario that holds together, or problems with places and hints.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from './document.ts';
import { LIBRARY } from './library/library.ts';
import { resolve } from './resolve.ts';
import type { Scenario, Step } from './scenario.ts';
import { readDocument, validateDocument } from './validate.ts';

/** Values that have broken readers before, besides any JSON. */
const odd = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom<Json>(
      null,
      true,
      false,
      0,
      -1,
      1e308,
      1.5,
      -0,
      '',
      'forever',
      '$hold',
      '$',
      '1h',
      '0ns',
      'fork',
      '__proto__',
      'constructor',
      'heap',
      'm',
      [],
      {},
      [[]],
      { until: '1ms' },
      '0-255',
      'pi',
      'spin',
      'fifo',
      99,
      1024,
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json) },
);
const key = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'threads',
    'name',
    'program',
    'lock',
    'repeat',
    'do',
    'set',
    'machine',
    'locks',
    'toggles',
    'values',
    'kind',
    'backoff',
    'count',
    'cpus',
    'when',
  ),
  fc.string(),
);

/** Replaces, removes or adds something `edit.where` steps into the value. */
interface Edit {
  readonly where: readonly number[];
  readonly key: string;
  readonly value: Json;
  readonly how: 'replace' | 'remove' | 'add';
}
const edit: fc.Arbitrary<Edit> = fc.record({
  where: fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }),
  key,
  value: odd,
  how: fc.constantFrom('replace', 'remove', 'add'),
});

function apply(value: Json, { where, ...rest }: Edit): Json {
  if (typeof value !== 'object' || value === null || where.length === 0) return rest.value;
  const isArray = Array.isArray(value);
  const entries = Object.entries(value) as [string, Json][];
  if (entries.length === 0 || (rest.how === 'add' && where.length === 1))
    entries.push([isArray ? String(entries.length) : rest.key, rest.value]);
  else {
    const at = where[0]! % entries.length;
    if (where.length === 1 && rest.how === 'remove') entries.splice(at, 1);
    else entries[at] = [entries[at]![0], apply(entries[at]![1], { ...rest, where: where.slice(1) })];
  }
  return isArray ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}

function checkSteps(scenario: Scenario, steps: readonly Step[]): void {
  for (const step of steps) {
    if ('lock' in step) expect(scenario.locks[step.lock]).toBeDefined();
    if (step.op === 'fork') expect(scenario.threads[step.thread]!.start).toBe('fork');
    if (step.op === 'repeat') checkSteps(scenario, step.do);
    if (step.op === 'tryLock') checkSteps(scenario, [...step.then, ...step.else]);
    if (step.op === 'lock') checkSteps(scenario, step.else ?? []);
  }
}

/** Names of the "…Ns" that are not whole, finite and 0 or more. */
function badTimes(value: unknown, name = ''): string[] {
  if (typeof value === 'number')
    return name.endsWith('Ns') && !(Number.isSafeInteger(value) && value >= 0) ? [name] : [];
  if (Array.isArray(value)) return value.flatMap((item) => badTimes(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([child, item]) => badTimes(item, child));
}

function checkScenario(scenario: Scenario): void {
  expect(badTimes(scenario)).toEqual([]);
  const scenes = [scenario, ...scenario.interventions.map((intervention) => intervention.after)];
  for (const { machine, threads, locks } of scenes) {
    expect(machine.cpus).toBeGreaterThanOrEqual(1);
    expect(threads.length).toBe(scenario.threads.length);
    expect(locks.length).toBe(scenario.locks.length);
    expect(new Set(threads.map((thread) => thread.name)).size).toBe(threads.length);
    const isRt = (policy: string): boolean => policy === 'fifo' || policy === 'rr';
    const bad = threads.filter(
      ({ allowedCpus, policy, rtPrio }) =>
        allowedCpus.length === 0 || allowedCpus.some((cpu) => cpu >= machine.cpus) || isRt(policy) !== rtPrio >= 1,
    );
    expect(bad).toEqual([]);
  }
  for (const thread of scenario.threads) checkSteps(scenario, thread.program);
}

test('a library document with anything changed is a scenario that holds together, or problems', () => {
  let right = 0;
  let wrong = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...LIBRARY),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(
        {},
        {},
        { rt: 'off' },
        { throttling: '7ms' },
        { reweight: 'on' },
        { backoff: 'usleep9' },
        { cpus: '2' },
        { spinners: '8' },
      ),
      ({ document }, edits, settings) => {
        const changed = edits.reduce(apply, document as Json) as JsonObject;
        const result = resolve(changed, settings, [{ at: '10ms', set: settings }]);
        if (result.ok) {
          right++;
          checkScenario(result.value);
        } else {
          wrong++;
          expect(result.error.length).toBeGreaterThan(0);
          for (const problem of result.error) {
            expect(problem.message.length).toBeGreaterThan(10);
            expect(problem.hint.length).toBeGreaterThan(3);
            expect(problem.message.length + problem.path.length).toBeLessThan(1500);
          }
        }
      },
    ),
    { numRuns: 400 },
  );
  // Both sides were tried.
  expect(right).toBeGreaterThan(5);
  expect(wrong).toBeGreaterThan(50);
}, 60_000);

test('any JSON is a document or has problems', () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
        withObjectString: true,
      }),
      (value) => {
        const result = validateDocument(value);
        if (!result.ok) expect(result.error.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test('any text is a document or has problems', () => {
  const texts = LIBRARY.map(({ document }) => JSON.stringify(document));
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(20_000), fc.nat(4), fc.string({ unit: 'binary', maxLength: 3 })), {
        minLength: 1,
        maxLength: 4,
      }),
      (text, cuts) => {
        let changed = text;
        for (const [at, cut, insert] of cuts)
          changed = changed.slice(0, at % changed.length) + insert + changed.slice((at % changed.length) + cut);
        const result = readDocument(changed);
        if (!result.ok) expect(result.error[0]!.message).not.toBe('');
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test('nothing that a document says reaches a prototype', () => {
  const text =
    '{"version":1,"duration":"1s","threads":[{"name":"a","program":[]}],"machine":{"__proto__":{"cpus":3}},"toggles":{"x":{"values":{"a":{"__proto__":{"polluted":1},"machine":{"constructor":{"prototype":{"polluted":1}}}}},"default":"a"}}}';
  const result = readDocument(text);
  expect(result.ok).toBe(false);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.prototype).not.toHaveProperty('polluted');
});
