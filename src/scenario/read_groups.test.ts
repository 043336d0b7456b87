// Groups: the kernel's ranges, nesting, sessions of autogroup.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from './document.ts';
import { resolve } from './resolve.ts';
import type { Scenario } from './scenario.ts';
import { validateDocument } from './validate.ts';

function doc(groups: object, threads: readonly object[] = [], machine: object = {}): JsonObject {
  const all = threads.length > 0 ? threads : [{ name: 'a' }];
  return {
    version: 1,
    duration: '1s',
    machine,
    groups,
    threads: all.map((thread) => ({ program: [{ run: '1ms' }], ...thread })),
  } as unknown as JsonObject;
}

function listOf(value: unknown): string[] {
  const result = validateDocument(value);
  return result.ok ? [] : result.error.map((problem) => `${problem.code} ${problem.path}`);
}

function ok(document: JsonObject): Scenario {
  const result = resolve(document);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

test('groups come with their defaults, parents before children, and threads know theirs', () => {
  const scenario = ok(
    doc(
      {
        inner: { parent: 'outer', weight: 50, idle: true },
        outer: { quota: '50ms', period: '100ms', burst: '10ms', periodPhase: '3ms', parent: null },
        third: {},
      },
      [{ name: 'a', group: 'inner' }, { name: 'b', group: 'third' }, { name: 'c' }],
    ),
  );
  const plain = { periodNs: 100_000_000, burstNs: 0, periodPhaseNs: 0, idle: false };
  expect(scenario.groups).toEqual([
    {
      ...plain,
      name: 'outer',
      weight: 100,
      quotaNs: 50_000_000,
      burstNs: 10_000_000,
      periodPhaseNs: 3_000_000,
      parent: -1,
    },
    { ...plain, name: 'inner', weight: 50, idle: true, parent: 0 },
    { ...plain, name: 'third', weight: 100, parent: -1 },
  ]);
  expect(scenario.threads.map((thread) => thread.group)).toEqual([1, 2, undefined]);
  expect(scenario.notes).toEqual(['The group "inner" has a weight, and is idle: it weighs 3.']);
});

describe('a group', () => {
  test.each<[object, string[]]>([
    [{ weight: 1 }, []],
    [{ weight: 10_000 }, []],
    [{ weight: 0 }, ['range groups.g.weight']],
    [{ weight: 10_001 }, ['range groups.g.weight']],
    [{ weight: 1.5 }, ['type groups.g.weight']],
    [{ wieght: 3 }, ['unknown-key groups.g.wieght']],
    [{ quota: '1ms' }, []],
    [{ quota: '999us' }, ['group-bandwidth groups.g.quota']],
    [{ quota: '0us' }, ['group-bandwidth groups.g.quota']],
    [{ quota: 50 }, ['time-unit groups.g.quota']],
    [{ quota: '5ms', period: '1ms' }, []],
    [{ quota: '5ms', period: '999999ns' }, ['group-bandwidth groups.g.period']],
    [{ quota: '5ms', period: '1s' }, []],
    [{ quota: '5ms', period: '1000000001ns' }, ['group-bandwidth groups.g.period']],
    [{ quota: '5ms', burst: '5ms' }, []],
    [{ quota: '5ms', burst: '5000001ns' }, ['group-bandwidth groups.g.burst']],
    [{ idle: 1 }, ['type groups.g.idle']],
    [{ parent: 'g' }, ['group-cycle groups.g.parent']],
    [{ parent: 'gg' }, ['unknown-group groups.g.parent']],
    [{ parent: 3 }, ['type groups.g.parent']],
  ])('%j', (group, expected) => {
    expect(listOf(doc({ g: group }))).toEqual(expected);
  });

  test.each<[string, object, object[], string[]]>([
    ['that is no object', { g: 5 }, [], ['type groups.g']],
    ['with an empty name', { '': {} }, [], ['bad-name groups[""]']],
    ['that nobody defines', { g: {} }, [{ name: 'a', group: 'h' }], ['unknown-group threads[0].group']],
    [
      'in a circle of three',
      { a: { parent: 'b' }, b: { parent: 'c' }, c: { parent: 'a' } },
      [],
      ['group-cycle groups.a.parent'],
    ],
    [
      'below a circle, with a thread in it',
      { x: { parent: 'a' }, a: { parent: 'b' }, b: { parent: 'a' } },
      [{ name: 'a', group: 'x' }],
      ['group-cycle groups.a.parent'],
    ],
    ['called __proto__', JSON.parse('{"__proto__":{"weight":5}}') as object, [{ name: 'a', group: '__proto__' }], []],
  ])('%s', (_, groups, threads, expected) => {
    expect(listOf(doc(groups, threads))).toEqual(expected);
  });

  test('nests 32 deep, and no deeper', () => {
    const chain = (n: number) =>
      Object.fromEntries(
        Array.from({ length: n }, (_, i) => [`g${i}`, i === 0 ? {} : { parent: `g${i - 1}` }] as const),
      );
    expect(listOf(doc(chain(32)))).toEqual([]);
    expect(listOf(doc(chain(33)))).toEqual(['bound-group-depth groups.g32.parent']);
  });

  test('more than 1,024 are too many', () => {
    const groups = Object.fromEntries(Array.from({ length: 1025 }, (_, i) => [`g${i}`, {}]));
    expect(listOf(doc(groups))).toEqual(['bound-groups groups']);
  });
});

describe('autogroup', () => {
  const threads = [
    { name: 'a', session: 1 },
    { name: 'b', session: 'one' },
    { name: 'c', session: '1' },
    { name: 'd', session: 1, group: 'g' },
    { name: 'e' },
  ];

  test('makes a group of each session whose threads are in no group', () => {
    const scenario = ok(doc({ g: {} }, threads, { autogroup: true }));
    expect(scenario.groups.map((group) => [group.name, group.weight, group.parent])).toEqual([
      ['g', 100, -1],
      ['session 1', 100, -1],
      ['session one', 100, -1],
    ]);
    expect(scenario.threads.map((thread) => thread.group)).toEqual([1, 2, 1, 0, undefined]);
    expect(scenario.threads.map((thread) => thread.session)).toEqual(['1', 'one', '1', '1', undefined]);
  });

  test('is off by default', () => {
    const scenario = ok(doc({ g: {} }, threads));
    expect(scenario.groups.length).toBe(1);
    expect(scenario.threads.map((thread) => thread.group)).toEqual([undefined, undefined, undefined, 0, undefined]);
  });

  test("can't take the name of a group", () => {
    expect(listOf(doc({ 'session 1': {} }, threads.slice(0, 1), { autogroup: true }))).toEqual([
      'duplicate-name groups["session 1"]',
    ]);
  });
});

describe('an intervention', () => {
  const toggled = (patch: object) => ({
    ...doc({ g: { weight: 100 }, h: {} }, [{ name: 'a', group: 'g' }]),
    toggles: { x: { values: { off: {}, on: patch }, default: 'off' } },
    interventions: [{ at: '10ms', set: { x: 'on' } }],
  });

  test('may change weights and quotas', () => {
    const scenario = ok(toggled({ groups: { g: { weight: 300, quota: '20ms' } } }) as unknown as JsonObject);
    expect(scenario.interventions[0]!.after.groups[0]).toMatchObject({ weight: 300, quotaNs: 20_000_000 });
  });

  test.each<[string, object]>([
    ['adds a group', { groups: { k: {} } }],
    ['removes a group', { groups: { h: null } }],
    ['moves a group', { groups: { h: { parent: 'g' } } }],
    ['moves a thread', { threads: { a: { group: 'h' } } }],
  ])('that %s is refused', (_, patch) => {
    expect(listOf(toggled(patch))).toEqual(['intervention-shape interventions[0].set.x']);
  });
});
