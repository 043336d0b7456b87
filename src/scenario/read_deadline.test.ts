// Threads of policy deadline: parameters in the kernel's range, affinity, admission.

import { describe, expect, test } from 'vitest';
import type { AdmissionMachine } from './dl_admission.ts';
import { admits, dlBandwidth } from './dl_admission.ts';
import type { JsonObject, Problem } from './document.ts';
import { resolve } from './resolve.ts';
import { validateDocument } from './validate.ts';

const HOG = [{ run: 'forever' }];

function doc(threads: readonly object[], machine: object = {}): JsonObject {
  return { version: 1, duration: '1s', machine, threads } as unknown as JsonObject;
}

function problemsOf(value: unknown): readonly Problem[] {
  const result = validateDocument(value);
  return result.ok ? [] : result.error;
}

function listOf(value: unknown): string[] {
  return problemsOf(value).map((problem) => `${problem.code} ${problem.path}`);
}

const dl = (runtime: string, period: string, more: object = {}) => ({
  name: 'd',
  policy: 'deadline',
  runtime,
  period,
  program: HOG,
  ...more,
});

describe('parameters', () => {
  test('are read; the deadline is the period where it is not written, and the other way round', () => {
    const read = (thread: object) => {
      const result = resolve(doc([thread]));
      return result.ok ? result.value.threads[0] : result.error;
    };
    expect(read(dl('10ms', '100ms'))).toMatchObject({
      policy: 'deadline',
      rtPrio: 0,
      dl: { runtimeNs: 10_000_000, deadlineNs: 100_000_000, periodNs: 100_000_000 },
    });
    expect(read({ name: 'd', policy: 'deadline', runtime: '1ms', deadline: '5ms', program: HOG })).toMatchObject({
      dl: { runtimeNs: 1_000_000, deadlineNs: 5_000_000, periodNs: 5_000_000 },
    });
    expect(read(dl('1ms', '9ms', { deadline: '5ms' }))).toMatchObject({
      dl: { runtimeNs: 1_000_000, deadlineNs: 5_000_000, periodNs: 9_000_000 },
    });
  });

  test.each<[object, string[]]>([
    [dl('1024ns', '100us'), []],
    [dl('1023ns', '100us'), ['deadline-range threads[0].runtime']],
    [dl('0us', '100us'), ['deadline-range threads[0].runtime']],
    [dl('10us', '99999ns'), ['deadline-range threads[0].period']],
    [dl('10us', '4194304us'), []],
    [dl('10us', '4194304001ns'), ['deadline-range threads[0].period']],
    [dl('10us', '1h'), ['deadline-range threads[0].period']],
    [dl('11ms', '10ms'), ['deadline-range threads[0].runtime', 'admission threads[0].runtime']],
    [dl('6ms', '10ms', { deadline: '5ms' }), ['deadline-range threads[0].runtime']],
    [dl('5ms', '10ms', { deadline: '11ms' }), ['deadline-range threads[0].deadline']],
    [dl('5ms', '10ms', { deadline: 7 }), ['time-unit threads[0].deadline']],
    [dl('5ms', '10ms', { priority: 3 }), ['prio-policy threads[0].priority']],
    [
      { name: 'd', policy: 'deadline', program: HOG },
      ['missing-key threads[0].runtime', 'missing-key threads[0].period'],
    ],
    [{ name: 'd', runtime: '1ms', program: HOG }, ['deadline-key threads[0].runtime']],
    [{ name: 'd', policy: 'fifo', priority: 3, period: '1ms', program: HOG }, ['deadline-key threads[0].period']],
  ])('%j', (thread, expected) => {
    expect(listOf(doc([thread]))).toEqual(expected);
  });

  test('of a set step are checked as far as it names them', () => {
    const set = (change: object) => listOf(doc([{ name: 'a', program: [{ set: change }] }]));
    expect(set({ policy: 'deadline', runtime: '1ms', period: '10ms' })).toEqual([]);
    expect(set({ policy: 'deadline', runtime: '1ms' })).toEqual(['missing-key threads[0].program[0].set.period']);
    expect(set({ runtime: '5ms', period: '4ms' })).toEqual(['deadline-range threads[0].program[0].set.runtime']);
    expect(set({ runtime: '5ms' })).toEqual([]);
    expect(set({ policy: 'other', runtime: '5ms' })).toEqual(['deadline-key threads[0].program[0].set.runtime']);
  });

  test('without the policy are no child of a fork', () => {
    const child = { name: 'c', start: 'fork', runtime: '1ms', period: '5ms', program: HOG };
    expect(listOf(doc([{ name: 'a', program: [{ fork: 'c' }] }, child]))).toEqual(['deadline-key threads[1].policy']);
  });

  test('follow the sysctls where the document sets them', () => {
    const machine = { tunables: { sched_deadline_period_min_us: '50us' } };
    expect(listOf(doc([dl('10us', '60us')], machine))).toEqual([]);
    expect(listOf(doc([dl('10us', '40us')], machine))).toEqual(['deadline-range threads[0].period']);
  });

  test('are dropped by a patch that changes the policy', () => {
    const toggles = { plain: { values: { off: {}, on: { threads: { d: { policy: 'other' } } } }, default: 'on' } };
    expect(listOf({ ...doc([dl('1ms', '10ms')]), toggles })).toEqual([]);
  });
});

describe('affinity', () => {
  test('must cover every CPU (EPERM), unless admission is off', () => {
    const thread = dl('1ms', '10ms', { cpus: [0] });
    expect(listOf(doc([thread], { cpus: 2 }))).toEqual(['deadline-cpus threads[0].cpus']);
    expect(listOf(doc([thread], { cpus: 1 }))).toEqual([]);
    expect(listOf(doc([thread], { cpus: 2, rtThrottling: false }))).toEqual([]);
    expect(listOf(doc([dl('1ms', '10ms', { cpus: '0-1' })], { cpus: 2 }))).toEqual([]);
  });
});

describe('admission (V34, fact 5.4)', () => {
  const share = (percent: number, name: string, more: object = {}) => dl(`${percent}ms`, '100ms', { name, ...more });
  const machine = (kernel: '6.1' | '6.6' | '6.12' | '7.2'): AdmissionMachine => {
    const result = resolve(doc([{ name: 'a', program: HOG }], { kernel }));
    if (!result.ok) throw new Error();
    return result.value.machine;
  };

  test('counts in 2^-20 of a CPU, rounded down', () => {
    expect([dlBandwidth(500, 1000), dlBandwidth(400, 1000), dlBandwidth(100, 1000)]).toEqual([524288, 419430, 104857]);
    expect(dlBandwidth(950_000, 1_000_000)).toBe(996147);
    expect(dlBandwidth(4_194_304_000, 4_194_304_000)).toBe(1048576);
  });

  test.each<['6.1' | '6.6' | '6.12' | '7.2', number, boolean]>([
    // 943718 admitted: 52429 are left of 996147.
    ['6.1', 52429, true],
    ['6.1', 52430, false],
    ['6.6', 52429, true],
    ['6.6', 52430, false],
    // The server has 52428 of it.
    ['6.12', 1, true],
    ['6.12', 2, false],
    // The cap is the whole CPU.
    ['7.2', 52430, true],
    ['7.2', 52431, false],
  ])('kernel %s with 0.5 and 0.4 takes on another %d: %s', (kernel, bandwidth, expected) => {
    expect(admits(machine(kernel), 524288 + 419430, bandwidth)).toBe(expected);
  });

  test.each<[string, object, object[], string[]]>([
    ['0.5 + 0.4', { kernel: '6.1' }, [share(50, 'a'), share(40, 'b')], []],
    ['+ 0.1', { kernel: '6.1' }, [share(50, 'a'), share(40, 'b'), share(10, 'c')], ['admission threads[2].runtime']],
    ['0.5 + 0.4 beside the server', { kernel: '6.12' }, [share(50, 'a'), share(40, 'b')], []],
    ['+ 0.01', { kernel: '6.12' }, [share(50, 'a'), share(40, 'b'), share(1, 'c')], ['admission threads[2].runtime']],
    ['+ 0.01 without', { kernel: '6.12', fairServer: false }, [share(50, 'a'), share(40, 'b'), share(1, 'c')], []],
    ['0.95 on 7.2', { kernel: '7.2' }, [share(95, 'a')], []],
    ['0.96 on 7.2', { kernel: '7.2' }, [share(96, 'a')], ['admission threads[0].runtime']],
    ['admission off', { rtThrottling: false }, [share(100, 'a'), share(100, 'b')], []],
    ['two CPUs', { kernel: '6.1', cpus: 2 }, [share(95, 'a'), share(95, 'b')], []],
    ['two CPUs, three', { kernel: '6.1', cpus: 2 }, [share(90, 'a', { count: 3 })], ['admission threads[0].runtime']],
    // 60 ms of work from 0: it may have ended when the other starts.
    [
      'one after the other',
      { kernel: '6.1' },
      [share(60, 'a', { program: [{ run: '60ms' }] }), share(60, 'b', { start: '70ms' })],
      [],
    ],
    [
      'one while the other certainly runs',
      { kernel: '6.1' },
      [share(60, 'a', { program: [{ run: '60ms' }] }), share(60, 'b', { start: '50ms' })],
      ['admission threads[1].runtime'],
    ],
    [
      'a loop with an end',
      { kernel: '6.1' },
      [share(60, 'a', { program: [{ repeat: 10, do: [{ sleep: '5ms' }] }] }), share(60, 'b', { start: '51ms' })],
      [],
    ],
    [
      'a loop without one',
      { kernel: '6.1' },
      [share(60, 'a', { program: [{ repeat: 'forever', do: [{ sleep: '5ms' }] }] }), share(60, 'b', { start: '51ms' })],
      ['admission threads[1].runtime'],
    ],
    [
      'it changes its policy first',
      { kernel: '6.1' },
      [share(60, 'a', { program: [{ set: { policy: 'other' } }, ...HOG] }), share(60, 'b', { start: '51ms' })],
      [],
    ],
    [
      'forks are decided when they come',
      { kernel: '6.1' },
      [share(60, 'a', { program: [{ fork: 'b' }, ...HOG] }), share(60, 'b', { start: 'fork' })],
      [],
    ],
  ])('%s', (_, machineJson, threads, expected) => {
    expect(listOf(doc(threads, machineJson))).toEqual(expected);
  });

  test('says what is asked for and what is left', () => {
    const [problem] = problemsOf(doc([share(60, 'a'), share(60, 'b')], { kernel: '6.1' }));
    expect(problem!.message).toBe(
      'The kernel refuses "b" (EBUSY): it asks for 60 % of a CPU, and of the 95 % for deadline threads 35 % are left.',
    );
  });
});
