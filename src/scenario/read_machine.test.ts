// The rest of the machine: recorded costs, interrupts, tunables and features by kernel; and durations, limits.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RECORDED_COSTS } from './costs.ts';
import type { JsonObject, Problem } from './document.ts';
import { resolve } from './resolve.ts';
import type { Costs, Scenario } from './scenario.ts';
import { parseTime } from './time_text.ts';
import { validateDocument } from './validate.ts';

function doc(machine: object, program: readonly unknown[] = [{ run: '1ms' }], thread: object = {}): JsonObject {
  return {
    version: 1,
    duration: '1s',
    machine: { cpus: 2, ...machine },
    locks: { q: { kind: 'sem' }, m: { kind: 'futex' }, k: { kind: 'kernel' } },
    threads: [{ name: 'a', program, ...thread }],
  } as unknown as JsonObject;
}

function problemsOf(value: unknown): readonly Problem[] {
  const result = validateDocument(value);
  return result.ok ? [] : result.error;
}

function listOf(value: unknown): string[] {
  return problemsOf(value).map((problem) => `${problem.code} ${problem.path}`);
}

function ok(document: JsonObject, settings: Record<string, string> = {}): Scenario {
  const result = resolve(document, settings);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe('the costs "recorded"', () => {
  test('are those of golden/costs.json, kernel by kernel', () => {
    const file = JSON.parse(readFileSync(new URL('../../golden/costs.json', import.meta.url), 'utf8')) as {
      kernels: Record<string, { machine: Record<string, string> }>;
    };
    const inNs = Object.fromEntries(
      Object.entries(file.kernels).map(([kernel, { machine }]) => [
        kernel,
        Object.fromEntries(
          Object.entries(machine).map(([name, text]) => {
            const time = parseTime(text);
            return [`${name}Ns`, time.ok ? time.value : Number.NaN];
          }),
        ),
      ]),
    );
    expect(RECORDED_COSTS).toEqual(inNs as unknown as Record<string, Costs>);
  });

  test('follow the kernel, by setting too; 6.6 has those of 6.12, with a note', () => {
    expect(ok(doc({ costs: 'recorded', kernel: '6.1' })).machine.costs.contextSwitchNs).toBe(4_400);
    const scenario = ok(doc({ costs: 'recorded' }), { kernel: '7.2' });
    expect(scenario.machine.costs.contextSwitchNs).toBe(4_000);
    expect(scenario.settings['costs']).toBe('recorded');
    expect(ok(doc({}), { costs: 'recorded' }).machine.costs.syscallNs).toBe(840);
    const oldest = ok(doc({ costs: { preset: 'recorded', tick: '1us' }, kernel: '6.6' }));
    expect(oldest.machine.costs).toMatchObject({ contextSwitchNs: 4_770, tickNs: 1_000 });
    expect(oldest.notes).toEqual(['There is no recording of kernel 6.6; the costs "recorded" are those of 6.12.']);
  });
});

describe('interrupts', () => {
  const irq = { cpu: 1, period: '10ms', run: '20us', name: 'eth0' };

  test('have a softirq and may post a semaphore', () => {
    const { interrupts } = ok(doc({ interrupts: [{ ...irq, softirq: '50us', post: 'q' }, irq] })).machine;
    const read = { name: 'eth0', cpu: 1, periodNs: 10_000_000, runNs: 20_000 };
    expect(interrupts).toEqual([
      { ...read, softirqNs: 50_000, post: 0 },
      { ...read, softirqNs: 0 },
    ]);
  });

  test.each<[object, string]>([
    [{ post: 'm' }, 'lock-kind machine.interrupts[0].post'],
    [{ post: 'qq' }, 'unknown-lock machine.interrupts[0].post'],
    [{ post: 3 }, 'type machine.interrupts[0].post'],
    [{ softirq: 50 }, 'time-unit machine.interrupts[0].softirq'],
    [{ soft: '1us' }, 'unknown-key machine.interrupts[0].soft'],
  ])('%j is answered at its place', (change, expected) => {
    expect(listOf(doc({ interrupts: [{ ...irq, ...change }] }))).toEqual([expected]);
  });
});

describe('what-ifs and old kernels', () => {
  test('kernel 6.6 throttles real-time threads and has no fair server', () => {
    expect(ok(doc({ kernel: '6.6' })).machine).toMatchObject({
      kernel: '6.6',
      rtThrottling: { runtimeNs: 950_000_000, periodNs: 1_000_000_000 },
      fairServer: false,
    });
    expect(listOf(doc({ kernel: '6.6', fairServer: { runtime: '50ms' } }))).toEqual([
      'no-fair-server machine.fairServer',
    ]);
    expect(listOf(doc({ kernel: '6.6' }, [{ run: '1ms' }], { slice: '1ms' }))).toEqual(['no-slice threads[0].slice']);
  });

  test('proxy execution says what it acts on', () => {
    const scenario = ok(doc({ proxyExecution: true }));
    expect(scenario.machine.proxyExecution).toBe(true);
    expect(scenario.notes).toEqual(['Proxy execution is a what-if; it acts on locks of kind "kernel" only.']);
    const without = { ...doc({ proxyExecution: true }), locks: {} };
    expect(ok(without as JsonObject).notes[0]).toContain('there is none here');
    expect(listOf(doc({ proxyExecution: 'on' }))).toEqual(['type machine.proxyExecution']);
  });

  test('tunables and features of another kernel are noted, unknown ones get a hint', () => {
    expect(
      ok(doc({ kernel: '6.6', tunables: { latency_ns: '6ms' }, features: { DELAY_DEQUEUE: true } })).notes,
    ).toEqual([
      'The tunable latency_ns means nothing on kernel 6.6.',
      'The feature DELAY_DEQUEUE means nothing on kernel 6.6.',
    ]);
    expect(ok(doc({ kernel: '6.6', features: { SIS_PROP: true, HRTICK: true } })).notes).toEqual([]);
    expect(problemsOf(doc({ tunables: { sched_cfs_bandwidth_slice: '5ms' } }))[0]!.hint).toBe(
      'Did you mean "sched_cfs_bandwidth_slice_us"?',
    );
    expect(listOf(doc({ tunables: { base_slice_ns: '4.3s' } }))).toEqual(['range machine.tunables.base_slice_ns']);
    expect(listOf(doc({ fairServer: { runtime: '1ms', period: '5s' } }))).toEqual(['range machine.fairServer.period']);
  });

  test('RLIMIT_RTTIME is read', () => {
    const thread = { policy: 'fifo', priority: 3, rttimeLimit: '200ms' };
    expect(ok(doc({}, [{ run: '1ms' }], thread)).threads[0]!.rttimeLimitNs).toBe(200_000_000);
    expect(listOf(doc({}, [{ run: '1ms' }], { rttimeLimit: 200 }))).toEqual(['time-unit threads[0].rttimeLimit']);
  });
});

describe('random times', () => {
  test('of every kind are read', () => {
    const program = [
      { run: { exponential: '1ms' } },
      { sleep: { normal: ['1ms', '0.1ms'] } },
      { io: { lognormal: { median: '1ms', sigma: 0.5, max: '1s' } } },
      { lock: 'm', timeout: { uniform: ['1us', '2us'] }, else: ['exit'] },
    ];
    expect(ok(doc({}, program)).threads[0]!.program).toMatchObject([
      { forNs: { exponential: 1_000_000 } },
      { forNs: { normal: [1_000_000, 100_000] } },
      { forNs: { lognormal: { medianNs: 1_000_000, sigmaMilli: 500, maxNs: 1_000_000_000 } } },
      { timeoutNs: { uniform: [1000, 2000] } },
    ]);
  });

  const at = 'threads[0].program[0].run';
  test.each<[unknown, string[]]>([
    [{ exponential: 5 }, [`time-unit ${at}.exponential`]],
    [{ exponential: ['1ms'] }, [`type ${at}.exponential`]],
    [{ normal: '1ms' }, [`type ${at}.normal`]],
    [{ normal: ['1ms', '1ms', '1ms'] }, [`type ${at}.normal`]],
    [{ normal: ['1ms', '-1ms'] }, [`time-sign ${at}.normal[1]`]],
    [{ lognormal: { median: '1ms', max: '1s' } }, [`missing-key ${at}.lognormal.sigma`]],
    [{ lognormal: { median: '1ms', sigma: 1 } }, [`missing-key ${at}.lognormal.max`]],
    [{ lognormal: { median: '1ms', sigma: -1, max: '1s' } }, [`range ${at}.lognormal.sigma`]],
    [{ lognormal: { median: '1ms', sigma: '1', max: '1s' } }, [`range ${at}.lognormal.sigma`]],
    [{ lognormal: { median: '2s', sigma: 1, max: '1s' } }, [`range ${at}.lognormal.max`]],
    [{ lognormal: { mean: '1ms', median: '1ms', sigma: 1, max: '1s' } }, [`unknown-key ${at}.lognormal.mean`]],
    [{ exponential: '1ms', uniform: ['1ms', '2ms'] }, [`random-kind ${at}`]],
  ])('%j', (run, expected) => {
    expect(listOf(doc({}, [{ run }]))).toEqual(expected);
  });

  test('that are always 0 take no time in a loop', () => {
    expect(listOf(doc({}, [{ repeat: 'forever', do: [{ run: { exponential: '0us' } }] }]))).toEqual([
      'empty-loop threads[0].program[0].do',
    ]);
    expect(listOf(doc({}, [{ repeat: 'forever', do: [{ run: { exponential: '1us' } }] }]))).toEqual([]);
    expect(listOf(doc({}, [{ repeat: 'forever', do: [{ run: { normal: ['0us', '1us'] } }] }]))).toEqual([]);
  });
});
