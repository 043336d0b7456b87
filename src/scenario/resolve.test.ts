// biome-ignore-all lint/suspicious/noThenProperty: the scenario format calls it "then".
import { describe, expect, test } from 'vitest';
import type { JsonObject, Problem } from './document.ts';
import { type InterventionRequest, resolve } from './resolve.ts';
import type { LockSpec, Scenario } from './scenario.ts';

const BASE: JsonObject = {
  version: 1,
  duration: '1s',
  params: {
    hold: { label: 'Hold', default: '8ms', min: '1ms', max: '20ms' },
    n: { label: 'Workers', default: 2, max: 5 },
  },
  machine: { cpus: 4, kernel: '6.1' },
  locks: {
    heap: { kind: 'spin', tries: 3, marks: true, backoff: { kind: 'yield', cost: '3us' } },
    m: { kind: 'futex' },
  },
  threads: [
    { name: 'a', start: '5ms', program: [{ lock: 'heap' }, { run: '$hold' }, { unlock: 'heap' }] },
    { name: 'rt', policy: 'fifo', priority: 50, cpus: [1], program: [{ lock: 'heap' }, { unlock: 'heap' }] },
    { name: 'w', count: '$n', nice: 5, program: [{ run: '1ms' }] },
  ],
};

function ok(
  document: JsonObject,
  settings: Record<string, string> = {},
  interventions: InterventionRequest[] = [],
): Scenario {
  const result = resolve(document, settings, interventions);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function problems(
  document: JsonObject,
  settings: Record<string, string> = {},
  interventions: InterventionRequest[] = [],
): readonly Problem[] {
  const result = resolve(document, settings, interventions);
  return result.ok ? [] : result.error;
}

function codes(
  document: JsonObject,
  settings: Record<string, string> = {},
  interventions: InterventionRequest[] = [],
): string[] {
  return problems(document, settings, interventions).map((problem) => `${problem.code} ${problem.path}`);
}

function heap(scenario: Scenario): LockSpec {
  return scenario.locks.find((lock) => lock.name === 'heap')!;
}

describe('a resolved scenario', () => {
  test('has names as indices, times in ns, defaults filled', () => {
    const scenario = ok(BASE);
    expect(scenario.durationNs).toBe(1_000_000_000);
    expect(scenario.seed).toBe(1);
    expect(scenario.threads.map((thread) => thread.name)).toEqual(['a', 'rt', 'w/0', 'w/1']);
    expect(scenario.threads[0]).toMatchObject({
      baseName: 'a',
      policy: 'other',
      rtPrio: 0,
      nice: 0,
      start: 5_000_000,
      birth: 'new',
      allowedCpus: [0, 1, 2, 3],
    });
    expect(scenario.threads[1]).toMatchObject({
      policy: 'fifo',
      rtPrio: 50,
      start: 0,
      birth: 'settled',
      allowedCpus: [1],
    });
    expect(scenario.threads[2]).toMatchObject({ baseName: 'w', nice: 5 });
    expect(scenario.threads[0]!.program).toEqual([
      { op: 'lock', lock: 0, path: 'threads[0].program[0]' },
      { op: 'run', forNs: 8_000_000, path: 'threads[0].program[1]' },
      { op: 'unlock', lock: 0, path: 'threads[0].program[2]' },
    ]);
    expect(heap(scenario)).toEqual({
      name: 'heap',
      marks: true,
      kind: 'spin',
      tries: 3,
      tryNs: 10,
      oneSpinner: false,
      backoff: { kind: 'yield', costNs: 3000 },
    });
    expect(scenario.machine).toMatchObject({
      cpus: 4,
      kernel: '6.1',
      hz: 250,
      firstTickNs: 4_000_000,
      piReweight: false,
      tunableScaling: 'log',
      interrupts: [],
    });
  });

  test.each([
    ['6.1', { runtimeNs: 950_000_000, periodNs: 1_000_000_000, share: false }, false],
    [
      '6.12',
      { runtimeNs: 950_000_000, periodNs: 1_000_000_000, share: false },
      { runtimeNs: 50_000_000, periodNs: 1_000_000_000 },
    ],
    [
      '7.2',
      { runtimeNs: 1_000_000_000, periodNs: 1_000_000_000, share: false },
      { runtimeNs: 50_000_000, periodNs: 1_000_000_000 },
    ],
  ])('has the protections of kernel %s', (kernel, rtThrottling, fairServer) => {
    expect(ok({ ...BASE, machine: { cpus: 4, kernel } }).machine).toMatchObject({ rtThrottling, fairServer });
  });

  test.each([
    ['ideal', 0, 0],
    ['server', 1500, 2000],
    ['set-top-box', 4000, 12_000],
  ])('has the costs of %s', (costs, contextSwitchNs, idleExitNs) => {
    expect(ok({ ...BASE, machine: { cpus: 4, costs } }).machine.costs).toMatchObject({ contextSwitchNs, idleExitNs });
  });

  test('may have costs over a preset', () => {
    const scenario = ok({ ...BASE, machine: { cpus: 4, costs: { preset: 'server', tick: '2us' } } });
    expect(scenario.machine.costs).toMatchObject({ tickNs: 2000, contextSwitchNs: 1500 });
    expect(scenario.settings['costs']).toBe('custom');
  });

  test('ticks of 300 Hz are whole ns', () => {
    expect(ok({ ...BASE, machine: { cpus: 4, hz: 300 } }).machine.firstTickNs).toBe(3_333_333);
  });

  test('a forked thread lists what it takes over', () => {
    const scenario = ok({
      ...BASE,
      threads: [
        { name: 'p', program: [{ fork: 'c' }] },
        { name: 'c', start: 'fork', nice: 3, program: [] },
      ],
    });
    expect(scenario.threads[0]!.program).toEqual([{ op: 'fork', thread: 1, path: 'threads[0].program[0]' }]);
    expect(scenario.threads[1]).toMatchObject({
      start: 'fork',
      birth: 'new',
      nice: 3,
      inherits: ['policy', 'priority', 'slice', 'cpus', 'timerSlack', 'group', 'session', 'rttimeLimit'],
    });
    expect(scenario.threads[0]!.inherits).toBeUndefined();
  });

  test('CPUs that the machine lacks are dropped, with a note', () => {
    const scenario = ok({
      ...BASE,
      machine: { cpus: 2 },
      threads: [{ name: 'x', count: 3, cpus: '0-3,6', program: [] }],
    });
    expect(scenario.threads[2]!.allowedCpus).toEqual([0, 1]);
    expect(scenario.notes).toEqual(['"x" names CPUs that the machine lacks; they are left out.']);
  });

  test('a thousand threads take less than 50 ms', () => {
    const threads = Array.from({ length: 1024 }, (_, i) => ({
      name: `t${i}`,
      nice: i % 19,
      cpus: '0-3',
      program: Array.from({ length: 8 }, (_, k) => ({ run: `${k + 1}us` })),
    }));
    const document = { ...BASE, threads } as JsonObject;
    // CPU time of this process: the machine may be busy with other work.
    const times = Array.from({ length: 12 }, () => {
      const start = process.cpuUsage();
      ok(document);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(50);
  });
});

describe('settings', () => {
  test('of the machine, params and seed are applied and shown', () => {
    const scenario = ok(BASE, {
      cpus: '3',
      kernel: '6.12',
      hz: '1000',
      costs: 'server',
      seed: '7',
      hold: '9.5ms',
      n: '3',
    });
    expect(scenario.machine).toMatchObject({ cpus: 3, kernel: '6.12', hz: 1000, firstTickNs: 1_000_000 });
    expect(scenario.threads.length).toBe(5);
    expect(scenario.threads[0]!.program[1]).toMatchObject({ forNs: 9_500_000 });
    expect(scenario.params).toMatchObject([
      { id: 'hold', unit: 'time', default: 8_000_000, value: 9_500_000, min: 1_000_000, max: 20_000_000 },
      { id: 'n', unit: 'integer', value: 3 },
    ]);
    expect(scenario.settings).toEqual({
      hold: '9.5ms',
      n: '3',
      kernel: '6.12',
      cpus: '3',
      hz: '1000',
      throttling: 'on',
      fairserver: 'on',
      costs: 'server',
      seed: '7',
    });
  });

  test('of throttling are on, off or a phase', () => {
    const off = { ...BASE, machine: { cpus: 4, kernel: '6.1', rtThrottling: false } } as JsonObject;
    expect(ok(off).machine.rtThrottling).toBe(false);
    expect(ok(off, { throttling: 'on' }).machine.rtThrottling).toEqual({
      runtimeNs: 950_000_000,
      periodNs: 1_000_000_000,
      share: false,
    });
    expect(ok(off, { throttling: '300ms' }).machine.rtThrottling).toMatchObject({
      runtimeNs: 950_000_000,
      phaseNs: 300_000_000,
    });
    expect(ok(off, { throttling: '300ms' }).settings['throttling']).toBe('300ms');
    expect(ok(BASE, { throttling: 'off' }).machine.rtThrottling).toBe(false);
    const own = { ...BASE, machine: { cpus: 4, kernel: '6.1', rtThrottling: { runtime: '100ms' } } } as JsonObject;
    expect(ok(own, { throttling: 'on' }).machine.rtThrottling).toMatchObject({ runtimeNs: 100_000_000 });
    expect(ok(own, { throttling: '5ms' }).machine.rtThrottling).toMatchObject({
      runtimeNs: 100_000_000,
      phaseNs: 5_000_000,
    });
  });

  test('that mean nothing on the kernel are noted', () => {
    expect(ok(BASE, { fairserver: 'on' }).machine.fairServer).toBe(false);
    expect(ok(BASE, { fairserver: 'on' }).notes).toEqual([
      'Kernel 6.1 has no fair server; fairServer means nothing there.',
    ]);
    expect(ok(BASE, { kernel: '6.12', throttling: 'off' }).notes.join()).toContain(
      'only the cap of deadline admission on 6.12',
    );
    expect(ok(BASE, { kernel: '6.12' }).notes).toEqual([]);
  });

  test('that make a part of the document meaningless are noted, not refused', () => {
    const document = {
      ...BASE,
      machine: { kernel: '6.12', fairServer: { runtime: '40ms' } },
      threads: [{ name: 'x', slice: '1ms', program: [] }],
    } as JsonObject;
    expect(ok(document).threads[0]!.sliceNs).toBe(1_000_000);
    const old = ok(document, { kernel: '6.1' });
    expect(old.threads[0]!.sliceNs).toBeUndefined();
    expect(old.machine.fairServer).toBe(false);
    expect(old.notes.length).toBe(2);
  });

  test.each<[Record<string, string>, string]>([
    [{ hold: '30ms' }, 'setting-value settings.hold'],
    [{ hold: '8' }, 'setting-value settings.hold'],
    [{ n: '6' }, 'setting-value settings.n'],
    [{ n: '2.5' }, 'setting-value settings.n'],
    [{ cpus: '0' }, 'setting-value settings.cpus'],
    [{ cpus: '257' }, 'setting-value settings.cpus'],
    [{ kernel: '5.15' }, 'setting-value settings.kernel'],
    [{ hz: '240' }, 'setting-value settings.hz'],
    [{ seed: '-1' }, 'setting-value settings.seed'],
    [{ throttling: 'maybe' }, 'setting-value settings.throttling'],
    [{ backof: 'yield' }, 'unknown-setting settings.backof'],
    [{ __proto__x: '1' }, 'unknown-setting settings.__proto__x'],
    [{ constructor: '1' }, 'unknown-setting settings.constructor'],
    [{ backoff: 'usleep' }, 'setting-value settings.backoff'],
    [{ backoff: 'usleep0' }, 'setting-value settings.backoff'],
    [{ backoff: 'usleep3600000001' }, 'setting-value settings.backoff'],
    [{ rt: 'maybe' }, 'setting-value settings.rt'],
  ])('%j is refused', (settings, expected) => {
    expect(codes(BASE, settings)).toEqual([expected]);
  });
});

describe('toggles', () => {
  const TOGGLED: JsonObject = {
    ...BASE,
    toggles: {
      first: {
        label: 'First',
        values: { a: { machine: { cpus: 2 }, threads: { a: { nice: 1 } } }, b: { threads: { a: { nice: 2 } } } },
        default: 'a',
      },
      second: {
        values: {
          off: {},
          on: { threads: { a: { nice: 9 }, w: null, extra: { nice: 3, program: [{ run: '1ms' }] } } },
        },
        default: 'off',
      },
    },
  };

  test('apply the default patch too, and only the chosen one', () => {
    expect(ok(TOGGLED).machine.cpus).toBe(2);
    expect(ok(TOGGLED).threads[0]!.nice).toBe(1);
    expect(ok(TOGGLED, { first: 'b' }).machine.cpus).toBe(4);
    expect(ok(TOGGLED, { first: 'b' }).threads[0]!.nice).toBe(2);
  });

  test('key threads by name: null removes a group, a new name adds one at the end', () => {
    expect(ok(TOGGLED, { second: 'on' }).threads.map((thread) => thread.name)).toEqual(['a', 'rt', 'extra']);
  });

  test('act in the order in which they are set, after the defaults of the others', () => {
    expect(ok(TOGGLED, { second: 'on' }).threads[0]!.nice).toBe(9);
    expect(ok(TOGGLED, { second: 'on', first: 'b' }).threads[0]!.nice).toBe(2);
    expect(ok(TOGGLED, { first: 'b', second: 'on' }).threads[0]!.nice).toBe(9);
    expect(ok(TOGGLED, { first: 'a', cpus: '3' }).machine.cpus).toBe(3);
    expect(ok(TOGGLED, { cpus: '3', first: 'a' }).machine.cpus).toBe(2);
  });

  test('say what they offer and what is in force', () => {
    expect(ok(TOGGLED, { second: 'on' }).toggles).toEqual([
      { id: 'first', label: 'First', help: '', values: ['a', 'b'], default: 'a', value: 'a', startOnly: true },
      { id: 'second', label: 'second', help: '', values: ['off', 'on'], default: 'off', value: 'on', startOnly: true },
    ]);
    expect(ok(TOGGLED, { second: 'on' }).settings).toMatchObject({ first: 'a', second: 'on', cpus: '2' });
  });

  test('may change kinds and policies without naming what is left over', () => {
    const document = {
      ...BASE,
      toggles: {
        kind: {
          values: { off: {}, on: { locks: { heap: { kind: 'pi' } }, threads: { rt: { policy: 'other' } } } },
          default: 'off',
        },
      },
    } as JsonObject;
    expect(heap(ok(document, { kind: 'on' }))).toEqual({ name: 'heap', marks: true, kind: 'pi' });
    expect(ok(document, { kind: 'on' }).threads[1]).toMatchObject({ policy: 'other', rtPrio: 0 });
  });

  test('do not bring a removed thread half back', () => {
    const document = {
      ...BASE,
      toggles: {
        gone: { values: { no: {}, yes: { threads: { rt: null } } }, default: 'yes' },
        soft: { values: { no: {}, yes: { threads: { rt: { policy: 'other' } } } }, default: 'yes' },
      },
    } as JsonObject;
    expect(ok(document).threads.map((thread) => thread.baseName)).toEqual(['a', 'w', 'w']);
    expect(ok(document, { gone: 'no' }).threads[1]!.policy).toBe('other');
  });

  test('that ask for what does not exist are refused with the nearest value', () => {
    const [problem] = problems(TOGGLED, { second: 'onn' });
    expect(problem).toMatchObject({ code: 'setting-value', path: 'settings.second', hint: 'Did you mean "on"?' });
  });
});

describe('fixed meanings', () => {
  test.each([
    ['usleep125', { kind: 'sleep', forNs: 125_000, costNs: 6_370 }],
    ['usleep150', { kind: 'sleep', forNs: 150_000, costNs: 8_260 }],
    ['usleep40', { kind: 'sleep', forNs: 40_000, costNs: 7_300 }],
    ['yield', { kind: 'yield', costNs: 3_000 }],
  ])('backoff %s acts on the only spin lock, declared or not', (value, backoff) => {
    expect(heap(ok(BASE, { backoff: value }))).toMatchObject({ kind: 'spin', tries: 3, marks: true, backoff });
    const declared = {
      ...BASE,
      toggles: { backoff: { values: { yield: {}, [value]: {} }, default: 'yield' } },
    } as JsonObject;
    expect(heap(ok(declared, { backoff: value }))).toMatchObject({ backoff });
  });

  test('a lock that already waits that way keeps its own cost, another gets the published one', () => {
    const sleeping = {
      ...BASE,
      locks: { heap: { kind: 'spin', backoff: { kind: 'sleep', for: '0.15ms', cost: '1us' } } },
    } as JsonObject;
    expect(heap(ok(sleeping, { backoff: 'usleep150' }))).toMatchObject({ backoff: { forNs: 150_000, costNs: 1_000 } });
    expect(heap(ok(sleeping, { backoff: 'usleep125' }))).toMatchObject({ backoff: { forNs: 125_000, costNs: 6_370 } });
    // 4538 us / 1128 turns = 4.02 us.
    expect(heap(ok(sleeping, { backoff: 'yield' }))).toMatchObject({ backoff: { kind: 'yield', costNs: 4_020 } });
  });

  test('backoff nanosleep pauses 63 units in six steps, then is back every 15.5 us', () => {
    const lock = heap(ok(BASE, { backoff: 'nanosleep' }));
    expect(lock).toMatchObject({
      backoff: {
        kind: 'pause',
        firstNs: 40,
        factor: 2,
        steps: 6,
        then: { kind: 'sleep', costNs: 6_370, forNs: 15_500 - 6_370 },
      },
    });
  });

  test.each(['futex', 'pi'])('backoff %s changes the kind', (kind) => {
    expect(heap(ok(BASE, { backoff: kind }))).toEqual({ name: 'heap', marks: true, kind });
  });

  test('with two spin locks the toggled one is meant; without a mark none', () => {
    const two = { ...BASE, locks: { heap: { kind: 'spin' }, m: { kind: 'spin' } } } as JsonObject;
    expect(codes(two, { backoff: 'futex' })).toEqual(['backoff-lock settings.backoff']);
    const marked = { ...BASE, locks: { heap: { kind: 'spin' }, m: { kind: 'spin', toggled: true } } } as JsonObject;
    expect(ok(marked, { backoff: 'futex' }).locks.map((lock) => lock.kind)).toEqual(['spin', 'futex']);
    const none = { ...BASE, locks: { heap: { kind: 'futex' }, m: { kind: 'futex' } } } as JsonObject;
    expect(codes(none, { backoff: 'yield' })).toEqual(['backoff-lock settings.backoff']);
    expect(codes({ ...two, toggles: { backoff: { values: { futex: {} }, default: 'futex' } } } as JsonObject)).toEqual([
      'backoff-lock toggles.backoff',
    ]);
  });

  test('a patch that a document gives wins over the fixed meaning', () => {
    const document = {
      ...BASE,
      toggles: {
        backoff: {
          values: {
            yield: {},
            usleep150: { locks: { heap: { backoff: { kind: 'sleep', for: '150us', cost: '1us' } } } },
          },
          default: 'yield',
        },
      },
    } as JsonObject;
    expect(heap(ok(document, { backoff: 'usleep150' }))).toMatchObject({ backoff: { kind: 'sleep', costNs: 1_000 } });
    expect(heap(ok(document, { backoff: 'usleep125' }))).toMatchObject({ backoff: { costNs: 6_370 } });
  });

  test('rt off makes every real-time thread normal, also in set steps and those that other toggles add', () => {
    const document = {
      ...BASE,
      threads: [...(BASE['threads'] as JsonObject[]), { name: 's', program: [{ set: { policy: 'rr', priority: 4 } }] }],
      toggles: {
        more: {
          values: { no: {}, yes: { threads: { extra: { policy: 'rr', priority: 9, program: [] } } } },
          default: 'no',
        },
      },
    } as JsonObject;
    const off = ok(document, { rt: 'off', more: 'yes' });
    expect(off.threads.map((thread) => [thread.policy, thread.rtPrio])).toEqual(Array(6).fill(['other', 0]));
    expect(off.threads[4]!.program[0]).toMatchObject({ set: { policy: 'other' } });
    expect(ok(document, { rt: 'on', more: 'yes' }).threads.map((thread) => thread.rtPrio)).toEqual([0, 50, 0, 0, 0, 9]);
  });

  test('an rt toggle with patches of its own says itself what is real-time', () => {
    const document = {
      ...BASE,
      toggles: { rt: { values: { off: {}, on: { threads: { a: { policy: 'fifo', priority: 7 } } } }, default: 'off' } },
    } as JsonObject;
    expect(ok(document).threads.map((thread) => thread.rtPrio)).toEqual([0, 50, 0, 0]);
    expect(ok(document, { rt: 'on' }).threads.map((thread) => thread.rtPrio)).toEqual([7, 50, 0, 0]);
  });

  test('reweight switches the patch', () => {
    expect(ok(BASE, { reweight: 'on' }).machine.piReweight).toBe(true);
    expect(ok({ ...BASE, machine: { cpus: 4, piReweight: true } }, { reweight: 'off' }).machine.piReweight).toBe(false);
  });

  test('values of backoff are labelled as the page calls them', () => {
    const document = {
      ...BASE,
      toggles: {
        backoff: { values: { yield: {}, usleep150: {}, nanosleep: {}, futex: {}, pi: {} }, default: 'yield' },
      },
    } as JsonObject;
    expect(ok(document).toggles[0]!.valueLabels).toEqual({
      yield: 'sched_yield',
      usleep150: 'usleep',
      nanosleep: 'backoff + nanosleep',
      futex: 'futex',
      pi: 'PI futex',
    });
  });
});

describe('interventions', () => {
  test('carry the scene after them, with all settings so far', () => {
    const scenario = ok({ ...BASE, interventions: [{ at: '200ms', set: { reweight: true } }] }, { hz: '1000' }, [
      { at: '100ms', set: { backoff: 'usleep150' } },
      { at: '300ms', set: { backoff: 'yield', rt: 'off' } },
    ]);
    expect(scenario.interventions.map(({ atNs, set }) => [atNs, set])).toEqual([
      [100_000_000, { backoff: 'usleep150' }],
      [200_000_000, { reweight: true }],
      [300_000_000, { backoff: 'yield', rt: 'off' }],
    ]);
    const [first, second, third] = scenario.interventions.map(({ after }) => after);
    expect(first!.locks[0]).toMatchObject({ backoff: { kind: 'sleep', forNs: 150_000 } });
    expect(first!.machine).toMatchObject({ piReweight: false, hz: 1000 });
    expect(second!.machine.piReweight).toBe(true);
    expect(second!.locks[0]).toMatchObject({ backoff: { kind: 'sleep' } });
    expect(third!.locks[0]).toMatchObject({ backoff: { kind: 'yield', costNs: 3_000 } });
    expect(third!.threads[1]).toMatchObject({ policy: 'other' });
    expect(scenario.threads[1]).toMatchObject({ policy: 'fifo' });
  });

  test.each(['kernel', 'cpus', 'hz', 'seed'])('can not change %s', (id) => {
    expect(codes(BASE, {}, [{ at: '1ms', set: { [id]: '1' } }])).toEqual([`frozen-setting settings.do[0].set.${id}`]);
    expect(codes({ ...BASE, interventions: [{ at: '1ms', set: { [id]: 1 } }] })).toEqual([
      `frozen-setting interventions[0].set.${id}`,
    ]);
  });

  test('can not add threads or CPUs through a toggle', () => {
    const document = {
      ...BASE,
      toggles: {
        x: { values: { no: {}, yes: { threads: { w: null } }, big: { machine: { cpus: 8 } } }, default: 'no' },
      },
    } as JsonObject;
    for (const x of ['yes', 'big'])
      expect(codes(document, {}, [{ at: '1ms', set: { x } }])).toEqual(['intervention-shape settings.do[0].set.x']);
  });

  test('that come after the end of the run do not act, and a note says so', () => {
    const scenario = ok(BASE, {}, [{ at: '1s', set: { reweight: true } }]);
    expect(scenario.interventions).toEqual([]);
    expect(scenario.notes.join()).toContain('after the end of the run');
  });

  test('can’t add or remove threads or locks, build another machine or change counts: such toggles are known', () => {
    const values = (patch: JsonObject) => ({ label: 'X', help: 'x', values: { no: {}, yes: patch }, default: 'no' });
    const toggles = {
      less: values({ threads: { a: null } }),
      more: values({ threads: { c: { program: [{ run: '1ms' }] } } }),
      lock: values({ locks: { extra: { kind: 'futex' } } }),
      many: values({ threads: { a: { count: 3 } } }),
      other: values({ machine: { cpus: 2 } }),
      nicer: values({ threads: { a: { nice: 3 } } }),
      kind: values({ locks: { m: { kind: 'pi' } } }),
      rules: values({ machine: { rtThrottling: false } }),
    };
    const scenario = ok({ ...BASE, toggles });
    expect(scenario.toggles.filter((one) => one.startOnly).map((one) => one.id)).toEqual([
      'less',
      'more',
      'lock',
      'many',
      'other',
    ]);
  });

  test('that would change a program leave it, and a note says so', () => {
    const scenario = ok(BASE, {}, [{ at: '1ms', set: { hold: '9ms' } }]);
    expect(scenario.interventions[0]!.after.threads[0]!.program).toBe(scenario.threads[0]!.program);
    expect(scenario.notes.join()).toContain('changes the program of "a"');
  });

  test.each<[unknown, string]>([
    [{ at: 5, set: {} }, 'time-unit interventions[0].at'],
    [{ set: {} }, 'type interventions[0].at'],
    [{ at: '1ms', set: { nope: 1 } }, 'unknown-setting interventions[0].set.nope'],
    [{ at: '1ms', set: { rt: [] } }, 'type interventions[0].set.rt'],
    [{ at: '1ms', set: { hold: '1h' } }, 'setting-value interventions[0].set.hold'],
    [{ at: '1ms', sets: {} }, 'unknown-key interventions[0].sets'],
  ])('%j is refused', (intervention, expected) => {
    expect(codes({ ...BASE, interventions: [intervention] } as unknown as JsonObject)).toContain(expected);
  });

  test('are at most a hundred', () => {
    const flips = Array.from({ length: 101 }, (_, i) => ({ at: `${i}ms`, set: { rt: 'off' } }));
    expect(codes(BASE, {}, flips)).toEqual(['bound-interventions interventions']);
    expect(ok(BASE, {}, flips.slice(1)).interventions.length).toBe(100);
  });
});

describe('view', () => {
  test('has a range, a playhead, markers and notes', () => {
    const view = {
      range: ['4ms', '14ms'],
      playhead: '8ms',
      markers: ['5ms', '9ms'],
      lanes: ['CPU 0'],
      notes: [{ at: '$hold', thread: 'rt', text: 'Here.' }],
    };
    expect(ok({ ...BASE, view }).view).toEqual({
      rangeNs: [4_000_000, 14_000_000],
      playheadNs: 8_000_000,
      markersNs: [5_000_000, 9_000_000],
      lanes: ['CPU 0'],
      notes: [{ atNs: 8_000_000, thread: 1, text: 'Here.' }],
    });
  });

  test('notes of a thread that is toggled away go with it', () => {
    const document = {
      ...BASE,
      view: { notes: [{ at: '1ms', thread: 'rt', text: 'Here.' }] },
      toggles: { x: { values: { no: {}, yes: { threads: { rt: null } } }, default: 'no' } },
    } as JsonObject;
    expect(ok(document, { x: 'yes' }).view.notes).toEqual([]);
    expect(codes({ ...BASE, view: { notes: [{ at: '1ms', thread: 'nobody', text: 'x' }] } })).toEqual([
      'unknown-thread view.notes[0].thread',
    ]);
  });
});
