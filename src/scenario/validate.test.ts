// biome-ignore-all lint/suspicious/noThenProperty: the scenario format calls it "then".
import { describe, expect, test } from 'vitest';
import type { JsonObject, Problem } from './document.ts';
import { readDocument, validateDocument } from './validate.ts';

const SPIN: JsonObject = { kind: 'spin', backoff: { kind: 'yield', cost: '4us' } };

/** A small document that is right, with some keys replaced. */
function doc(change: Record<string, unknown> = {}): JsonObject {
  return {
    version: 1,
    title: 'Test',
    duration: '1s',
    machine: { cpus: 2 },
    locks: { m: { kind: 'futex' }, s: SPIN },
    threads: [{ name: 'a', program: [{ run: '2ms' }] }],
    ...(change as JsonObject),
  };
}

function problemsOf(value: unknown): readonly Problem[] {
  const result = validateDocument(value);
  return result.ok ? [] : result.error;
}

/** "code path" of each problem. */
function listOf(value: unknown): string[] {
  return problemsOf(value).map((problem) => `${problem.code} ${problem.path}`);
}

function program(...steps: unknown[]): JsonObject {
  return doc({ threads: [{ name: 'a', program: steps }] });
}

function thread(change: Record<string, unknown>): JsonObject {
  return doc({ threads: [{ name: 'a', program: [{ run: '2ms' }], ...change }] });
}

test('a right document has no problems', () => {
  expect(problemsOf(doc())).toEqual([]);
});

test('all problems of a document come at once, each with place and hint', () => {
  const bad = {
    version: 1,
    duration: 5,
    machin: {},
    machine: { cpus: 0, hz: 240, kernel: 6.1 },
    locks: { m: { kind: 'mutex' } },
    threads: [
      { name: 'a', policy: 'fifo', priority: 120, program: [{ lock: 'n' }, { runn: '2ms' }] },
      { name: 'a', nice: 20, program: [{ run: 100 }] },
    ],
  };
  expect(listOf(bad).sort()).toEqual(
    [
      'unknown-key machin',
      'time-unit duration',
      'bound-cpus machine.cpus',
      'unknown-value machine.hz',
      'type machine.kernel',
      'unknown-value locks.m.kind',
      'prio-range threads[0].priority',
      'unknown-lock threads[0].program[0].lock',
      'unknown-step threads[0].program[1]',
      'duplicate-name threads[1].name',
      'nice-range threads[1].nice',
      'time-unit threads[1].program[0].run',
    ].sort(),
  );
  for (const problem of problemsOf(bad)) {
    expect(problem.message).toMatch(/[.]$/);
    expect(problem.hint).toMatch(/[.?]$/);
  }
});

test('an unknown key is answered with the nearest known one', () => {
  const hintOf = (value: unknown): string => problemsOf(value)[0]?.hint ?? '';
  expect(hintOf(doc({ thread: [] }))).toBe('Did you mean "threads"?');
  expect(hintOf(thread({ prioirty: 3 }))).toBe('Did you mean "priority"?');
  expect(hintOf(doc({ machine: { cpu: 2 } }))).toBe('Did you mean "cpus"?');
  expect(hintOf(doc({ machine: { features: { RUN_TO_PARTY: true } } }))).toBe('Did you mean "RUN_TO_PARITY"?');
  expect(hintOf(doc({ machine: { tunables: { base_slice: '1ms' } } }))).toContain('base_slice_ns');
  expect(hintOf(program({ slep: '2ms' }))).toBe('Did you mean "sleep"?');
  expect(hintOf(program('yeild'))).toBe('Did you mean "yield"?');
  expect(hintOf(program({ yield: true }))).toContain('"yield"');
  expect(hintOf(program({ lock: 'mm' }, { unlock: 'm' }))).toBe('Did you mean "m"?');
});

test('a bare number where a time belongs names the field and the fix', () => {
  const [problem] = problemsOf(program({ sleep: 100 }));
  expect(problem).toMatchObject({ code: 'time-unit', path: 'threads[0].program[0].sleep' });
  expect(problem!.message).toContain('sleep is 100');
  expect(problem!.hint).toContain('"100us"');
});

describe('priorities', () => {
  test.each<[Record<string, unknown>, string[]]>([
    [{ policy: 'fifo', priority: 1 }, []],
    [{ policy: 'rr', priority: 99 }, []],
    [{ policy: 'fifo', priority: 0 }, ['prio-range threads[0].priority']],
    [{ policy: 'fifo', priority: 100 }, ['prio-range threads[0].priority']],
    [{ policy: 'fifo', priority: 1.5 }, ['type threads[0].priority']],
    [{ policy: 'fifo', priority: '50' }, ['type threads[0].priority']],
    [{ policy: 'fifo' }, ['prio-missing threads[0].priority']],
    [{ priority: 50 }, ['prio-policy threads[0].priority']],
    [{ policy: 'batch', priority: 50 }, ['prio-policy threads[0].priority']],
    [{ policy: 'FIFO', priority: 50 }, ['unknown-value threads[0].policy']],
    [{ nice: -21 }, ['nice-range threads[0].nice']],
    [{ nice: -20 }, []],
  ])('%j', (change, expected) => {
    expect(listOf(thread(change))).toEqual(expected);
  });
});

describe('bounds', () => {
  const run = [{ run: '1ms' }];
  test.each<[string, () => unknown, string]>([
    ['257 CPUs', () => doc({ machine: { cpus: 257 } }), 'bound-cpus machine.cpus'],
    [
      '1,025 threads',
      () => doc({ threads: Array.from({ length: 1025 }, (_, i) => ({ name: `t${i}`, program: run })) }),
      'bound-threads threads',
    ],
    [
      'count counts',
      () =>
        doc({
          threads: [
            { name: 'a', count: 1024, program: run },
            { name: 'b', program: run },
          ],
        }),
      'bound-threads threads',
    ],
    [
      'a count of 1,025',
      () => doc({ threads: [{ name: 'a', count: 1025, program: run }] }),
      'bound-threads threads[0].count',
    ],
    ['10,001 steps', () => program(...Array(10_001).fill('yield')), 'bound-steps '],
    [
      'steps inside repeat count',
      () => program(...Array.from({ length: 101 }, () => ({ repeat: 2, do: Array(99).fill('yield') }))),
      'bound-steps ',
    ],
    ['257 KB', () => doc({ summary: 'x'.repeat(263_000) }), 'bound-size '],
    [
      'nesting',
      () =>
        program(Array.from({ length: 20 }).reduce<unknown>((inner) => ({ repeat: 2, do: [inner] }), { run: '1ms' })),
      'bound-nesting',
    ],
  ])('%s', (_, make, expected) => {
    expect(listOf(make()).some((line) => line.startsWith(expected))).toBe(true);
  });

  test('what is just within is fine', () => {
    expect(listOf(doc({ machine: { cpus: 256 }, threads: [{ name: 'a', count: 1024, program: run }] }))).toEqual([]);
    expect(listOf(program(...Array(10_000).fill('yield')))).toEqual([]);
    expect(
      listOf(
        program(Array.from({ length: 13 }).reduce<unknown>((inner) => ({ repeat: 2, do: [inner] }), { run: '1ms' })),
      ),
    ).toEqual([]);
  });

  test('a thousand problems are a hundred and a count', () => {
    const problems = problemsOf(program(...Array(1000).fill({ runn: '1ms' })));
    expect(problems.length).toBe(101);
    expect(problems[100]).toMatchObject({ code: 'more-problems', message: 'There are 900 more problems.' });
  });
});

describe('names', () => {
  test.each<[unknown[], string[]]>([
    [[{ name: 'multiqueue0:src' }], []],
    [[{ name: 'multiqueue00:src' }], ['name-length threads[0].name']],
    [[{ name: 'ééééééé' }], []],
    [[{ name: 'éééééééé' }], ['name-length threads[0].name']],
    [[{ name: 'abcdefghijkl', count: 100 }], []],
    [[{ name: 'abcdefghijkl', count: 101 }], ['name-length threads[0].name']],
    [[{ name: '' }], ['bad-name threads[0].name']],
    [[{ name: 'a\nb' }], ['bad-name threads[0].name']],
    [[{ name: 'a\ud800' }], ['bad-name threads[0].name']],
    [[{ name: 'a', count: 2 }, { name: 'a/1' }], ['duplicate-name threads[1].name']],
    [[{ name: 7 }], ['type threads[0].name']],
    [[{}], ['missing-key threads[0].name']],
    [[{ name: '__proto__' }, { name: 'constructor' }, { name: 'toString' }, { name: 'hasOwnProperty' }], []],
    [[{ name: '<b>x</b>' }], []],
  ])('%j', (threads, expected) => {
    expect(listOf(doc({ threads: threads.map((t) => ({ program: [{ run: '1ms' }], ...(t as object) })) }))).toEqual(
      expected,
    );
  });

  test('names of prototypes are names like others', () => {
    const text = `{"version": 1, "duration": "1s", "params": {"constructor": {"default": "1ms"}},
      "locks": {"__proto__": {"kind": "futex"}, "toString": {"kind": "spin"}},
      "threads": [{"name": "__proto__", "program": [{"lock": "__proto__"}, {"run": "$constructor"}, {"unlock": "__proto__"}, {"lock": "toString"}, {"unlock": "toString"}]}],
      "toggles": {"valueOf": {"values": {"__proto__": {}, "constructor": {"threads": {"__proto__": {"nice": 3}}}}, "default": "__proto__"}}}`;
    const result = readDocument(text);
    expect(result.ok ? [] : result.error).toEqual([]);
    expect(listOf(program({ lock: '__proto__' }))).toEqual(['unknown-lock threads[0].program[0].lock']);
    expect(listOf(program({ run: '$toString' }))).toEqual(['unknown-param threads[0].program[0].run']);
    expect(listOf(JSON.parse('{"version":1,"duration":"1s","threads":[],"__proto__":{"a":1}}'))).toEqual([
      'unknown-key __proto__',
    ]);
    expect(listOf(program({ constructor: 1 }))).toEqual(['unknown-step threads[0].program[0]']);
    expect(listOf(doc({ locks: { m: { kind: 'constructor' } } }))).toEqual(['unknown-value locks.m.kind']);
  });
});

describe('loops around nothing', () => {
  test.each<[unknown, boolean]>([
    [{ repeat: 'forever', do: [] }, true],
    [{ repeat: 'forever', do: [{ mark: 'x' }] }, true],
    [{ repeat: 'forever', do: [{ run: '0us' }] }, true],
    [{ repeat: 'forever', do: [{ repeat: 0, do: [{ run: '1ms' }] }] }, true],
    [{ repeat: 'forever', do: [{ repeat: 5, do: [{ mark: 'x' }] }] }, true],
    [{ repeat: 'forever', do: [{ tryLock: 'm', then: [], else: [{ mark: 'x' }] }] }, true],
    [{ repeat: 'forever', do: [{ run: { uniform: ['0us', '0us'] } }] }, true],
    [{ repeat: { until: '5ms' }, do: [{ mark: 'x' }] }, true],
    [{ repeat: 2, do: [{ repeat: 'forever', do: [] }] }, true],
    [{ tryLock: 'm', then: [], else: [{ repeat: 'forever', do: [] }] }, true],
    [{ repeat: { until: '0us' }, do: [] }, false],
    [{ repeat: 10, do: [] }, false],
    [{ repeat: 'forever', do: [{ run: { uniform: ['0us', '1us'] } }] }, false],
    [{ repeat: 'forever', do: [{ sleep: '1us' }] }, false],
    [{ repeat: 'forever', do: ['exit'] }, false],
    [{ repeat: 'forever', do: [{ tryLock: 'm', then: [{ unlock: 'm' }, 'exit'], else: [] }] }, false],
  ])('%j: %s', (step, isProblem) => {
    expect(listOf(program(step)).map((line) => line.split(' ')[0])).toEqual(isProblem ? ['empty-loop'] : []);
  });
});

describe('unlocking what one does not hold', () => {
  const L = { lock: 'm' };
  const U = { unlock: 'm' };
  test.each<[string, unknown[], string[]]>([
    ['lock then unlock', [L, U], []],
    ['never locked', [U], ['threads[0].program[0].unlock']],
    ['unlocked twice', [L, U, U], ['threads[0].program[2].unlock']],
    ['another lock', [{ lock: 's' }, U], ['threads[0].program[1].unlock']],
    ['only in the second round', [L, { repeat: 2, do: [U] }], ['threads[0].program[1].do[0].unlock']],
    ['locked at the end of each round', [L, { repeat: 5, do: [U, L] }, U], []],
    ['after a loop that ends unlocked', [L, { repeat: 'forever', do: [U, { sleep: '1ms' }, L] }], []],
    ['held on one way only', [{ tryLock: 'm', then: [] }, U], []],
    ['held on no way', [{ tryLock: 'm', then: [U] }, U], ['threads[0].program[1].unlock']],
    ['in the branch that failed', [{ tryLock: 'm', then: [], else: [U] }], ['threads[0].program[0].else[0].unlock']],
    ['after a timeout that leaves', [{ lock: 'm', timeout: '1ms', else: ['exit'] }, U], []],
    ['after a timeout that goes on', [{ lock: 'm', timeout: '1ms' }, U], []],
    [
      'in the branch of a timeout',
      [{ lock: 'm', timeout: '1ms', else: [U] }, U],
      ['threads[0].program[0].else[0].unlock'],
    ],
    ['never reached', [{ run: 'forever' }, U], []],
    ['a loop of no rounds', [{ repeat: 0, do: [U] }], []],
  ])('%s', (_, steps, expected) => {
    expect(listOf(program(...steps))).toEqual(expected.map((path) => `unlock-not-held ${path}`));
  });

  test('loops inside loops do not multiply the work', () => {
    const many = Array.from({ length: 2500 }, () => [L, U]).flat();
    const once = Array.from({ length: 12 }).reduce<unknown>((inner) => ({ repeat: 3, do: [inner] }), {
      repeat: 2,
      do: many,
    });
    const start = process.cpuUsage();
    expect(listOf(program(once))).toEqual([]);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000);
  });
});

describe('toggles', () => {
  test('a mistake in any value is found, at its place in the patch', () => {
    const toggles = {
      fix: {
        values: {
          off: {},
          on: {
            machine: { cpuz: 3 },
            threads: { a: { nice: 99 }, b: { program: [{ lock: 'x' }] } },
            locks: { s: { backoff: { cost: 4 } } },
          },
        },
        default: 'off',
      },
    };
    expect(listOf(doc({ toggles })).sort()).toEqual([
      'nice-range toggles.fix.values.on.threads.a.nice',
      'time-unit toggles.fix.values.on.locks.s.backoff.cost',
      'unknown-key toggles.fix.values.on.machine.cpuz',
      'unknown-lock toggles.fix.values.on.threads.b.program[0].lock',
    ]);
  });

  test.each<[unknown, string]>([
    [{ kernel: { values: { a: {} }, default: 'a' } }, 'reserved-id toggles.kernel'],
    [{ do: { values: { a: {} }, default: 'a' } }, 'reserved-id toggles.do'],
    [{ 'a b': { values: { a: {} }, default: 'a' } }, 'bad-id toggles["a b"]'],
    [{ x: { values: { a: {} }, default: 'b' } }, 'unknown-value toggles.x.default'],
    [{ x: { values: { a: {} } } }, 'missing-key toggles.x.default'],
    [{ x: { values: {}, default: 'a' } }, 'no-values toggles.x.values'],
    [{ x: { values: { a: { toggles: {} } }, default: 'a' } }, 'unpatchable toggles.x.values.a.toggles'],
    [{ x: { values: { a: [] }, default: 'a' } }, 'type toggles.x.values.a'],
    [{ x: { values: { a: { threads: [] } }, default: 'a' } }, 'type toggles.x.values.a.threads'],
    [{ x: 3 }, 'type toggles.x'],
  ])('%j', (toggles, expected) => {
    expect(listOf(doc({ toggles }))).toContain(expected);
  });
});

describe('machine', () => {
  test.each<[JsonObject, string[]]>([
    [{ rtThrottling: false }, []],
    [{ rtThrottling: { phase: '300ms' } }, []],
    [{ rtThrottling: true }, ['type machine.rtThrottling']],
    [{ rtThrottling: { runtime: '2s', period: '1s' } }, ['throttling-runtime machine.rtThrottling.runtime']],
    [{ kernel: '6.1', fairServer: false }, []],
    [{ kernel: '6.1', fairServer: { runtime: '50ms' } }, ['no-fair-server machine.fairServer']],
    [{ kernel: '7.2', fairServer: { runtime: '50ms' } }, []],
    [{ costs: 'cheap' }, ['unknown-value machine.costs']],
    [{ costs: { preset: 'server', tick: '4ms' } }, ['costs-tick machine.costs']],
    [{ costs: { tick: '1us' } }, []],
    [{ interrupts: [{ cpu: 0, period: '1ms', run: '1ms' }] }, ['interrupt-load machine.interrupts[0].run']],
    [
      {
        interrupts: [
          { cpu: 0, period: '1ms', run: '0.6ms' },
          { cpu: 0, period: '2ms', run: '1ms' },
        ],
      },
      ['interrupt-load machine.interrupts'],
    ],
    [{ interrupts: [{ cpu: 0, period: '0us', run: '0us' }] }, ['range machine.interrupts[0].period']],
    [{ features: { RUN_TO_PARITY: 1 } }, ['type machine.features.RUN_TO_PARITY']],
    [{ tunables: { base_slice_ns: 700_000 } }, ['time-unit machine.tunables.base_slice_ns']],
    [{ hz: 1000, tickPhase: '0.5ms', tunableScaling: 'none', piReweight: true }, []],
  ])('%j', (machine, expected) => {
    expect(listOf(doc({ machine }))).toEqual(expected);
  });
});

describe('threads', () => {
  test.each<[Record<string, unknown>, string[]]>([
    [{ cpus: [0, 1] }, []],
    [{ cpus: '0-1,1' }, []],
    [{ cpus: '0-3,6' }, []],
    [{ cpus: '2-3' }, ['no-cpu threads[0].cpus']],
    [{ cpus: [] }, ['no-cpu threads[0].cpus']],
    [{ cpus: '1-0' }, ['cpu-list threads[0].cpus']],
    [{ cpus: '0-999999999' }, ['cpu-list threads[0].cpus']],
    [{ cpus: '' }, ['cpu-list threads[0].cpus']],
    [{ cpus: [-1] }, ['range threads[0].cpus[0]']],
    [{ cpus: [0.5] }, ['type threads[0].cpus[0]']],
    [{ cpus: 0 }, ['cpu-list threads[0].cpus']],
    [{ cpus: [0], startCpu: 1 }, ['start-cpu threads[0].startCpu']],
    [{ startCpu: 7 }, []],
    [{ start: '-1ms' }, ['time-sign threads[0].start']],
    [{ start: 5 }, ['time-unit threads[0].start']],
    [{ birth: 'old' }, ['unknown-value threads[0].birth']],
    [{ runtime: '1ms' }, ['deadline-key threads[0].runtime']],
    [{ slice: '1ms' }, []],
    [{ session: [] }, ['type threads[0].session']],
  ])('%j', (change, expected) => {
    expect(listOf(thread(change))).toEqual(expected);
  });

  test('a slice on a kernel that has none is a problem', () => {
    expect(listOf({ ...thread({ slice: '1ms' }), machine: { kernel: '6.1' } })).toEqual(['no-slice threads[0].slice']);
  });
});

describe('steps', () => {
  test.each<[unknown, string[]]>([
    [{ run: 'forever' }, []],
    [{ run: 'for ever' }, ['time-text threads[0].program[0].run']],
    [{ run: { uniform: ['1ms', '2ms'] } }, []],
    [{ run: { uniform: ['2ms', '1ms'] } }, ['range threads[0].program[0].run.uniform']],
    [{ run: { uniform: ['1ms'] } }, ['type threads[0].program[0].run.uniform']],
    [{ run: { oneOf: ['1ms', 5] } }, ['time-unit threads[0].program[0].run.oneOf[1]']],
    [{ run: { oneOf: [] } }, ['range threads[0].program[0].run.oneOf']],
    [{ run: { gamma: 1 } }, ['unknown-key threads[0].program[0].run.gamma']],
    [{ run: '1ms', sleep: '1ms' }, ['step-keys threads[0].program[0]']],
    [{ run: '1ms', for: 3 }, ['unknown-key threads[0].program[0].for']],
    [{}, ['unknown-step threads[0].program[0]']],
    [null, ['unknown-step threads[0].program[0]']],
    [5, ['unknown-step threads[0].program[0]']],
    [[], ['unknown-step threads[0].program[0]']],
    [{ period: '0us' }, ['range threads[0].program[0].period']],
    [{ repeat: -1, do: [] }, ['range threads[0].program[0].repeat']],
    [{ repeat: 3 }, ['missing-key threads[0].program[0].do']],
    [{ repeat: { until: '3ms' }, do: [{ run: '1ms' }] }, []],
    [{ fork: 'b' }, ['unknown-thread threads[0].program[0].fork']],
    [{ set: { policy: 'fifo', priority: 3 } }, []],
    [{ set: { policy: 'fifo' } }, ['prio-missing threads[0].program[0].set.priority']],
    [{ set: { priority: 3 } }, []],
    [{ set: { nise: 3 } }, ['unknown-key threads[0].program[0].set.nise']],
    [{ mark: '' }, []],
    [{ mark: 3 }, ['type threads[0].program[0].mark']],
    [{ lock: 3 }, ['type threads[0].program[0].lock']],
  ])('%j', (step, expected) => {
    expect(listOf(program(step))).toEqual(expected);
  });
});

describe('back-offs', () => {
  test.each<[unknown, string[]]>([
    [{ kind: 'none' }, []],
    [{ kind: 'none', cost: '0ns' }, ['range locks.x.backoff.cost']],
    [{ kind: 'yield', cost: '0us' }, ['range locks.x.backoff.cost']],
    [{ kind: 'sleep', for: '150us', cost: '8.26us' }, []],
    [{ kind: 'sleep' }, ['missing-key locks.x.backoff.for']],
    [{ kind: 'sleep', for: '0us', cost: '0us' }, ['empty-turn locks.x.backoff']],
    [{ kind: 'pause', first: '40ns', factor: 2, max: '2us', steps: 6, then: { kind: 'yield' } }, []],
    [{ kind: 'pause', first: '40ns', factor: 0.5, then: { kind: 'park' } }, ['range locks.x.backoff.factor']],
    [{ kind: 'pause', first: '40ns' }, ['missing-key locks.x.backoff.then']],
    [{ kind: 'park', cost: '1us' }, ['unknown-key locks.x.backoff.cost']],
    [{ kind: 'sleeep' }, ['unknown-value locks.x.backoff.kind']],
    ['yield', ['type locks.x.backoff']],
  ])('%j', (backoff, expected) => {
    expect(listOf(doc({ locks: { m: { kind: 'futex' }, x: { kind: 'spin', backoff } } }))).toEqual(expected);
  });
});
