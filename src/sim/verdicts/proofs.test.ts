// Findings that were claimed wrongly once: the smallest case of each.

import { expect, test } from 'vitest';
import { type Ran, run, runScenario, scenarioOf, stints } from '../../testing/scene.ts';
import { RecordKind } from '../../trace/records.ts';

const YIELD = { kind: 'spin', backoff: { kind: 'yield', cost: '4us' } };
const TAKE = [{ lock: 'q' }, { unlock: 'q' }];

function found(ran: Ran): (string | number | boolean)[][] {
  return ran.verdicts.map((v) => [v.kind, v.fromNs / 1e6, v.toNs / 1e6, v.forever]);
}

/** A fair spinner that is real-time only as long as a waiter, which gives up at 3.002 s, lends it its priority. */
function boostedSpinner(duration: string): Ran {
  return run({
    duration,
    machine: { cpus: 2, kernel: '6.1', rtThrottling: false },
    locks: { q: YIELD, p: { kind: 'pi' } },
    threads: [
      {
        name: 'h',
        start: '5ms',
        cpus: [0],
        program: [{ lock: 'q' }, { run: '8ms' }, { unlock: 'q' }, { mark: 'released' }],
      },
      {
        name: 's',
        cpus: [0],
        program: [{ lock: 'p' }, { run: '1us' }, { sleepUntil: '8ms' }, ...TAKE, { unlock: 'p' }],
      },
      {
        name: 'w',
        policy: 'fifo',
        priority: 50,
        start: '2ms',
        cpus: [1],
        program: [{ lock: 'p', timeout: '3s', else: ['exit'] }, { unlock: 'p' }],
      },
    ],
  });
}

test('a spinner that is real-time by a loan alone is no proof of for ever', () => {
  expect(found(boostedSpinner('2s')).filter(([kind]) => kind === 'rt-spin-hang')).toEqual([
    ['rt-spin-hang', 8, 2000, false],
  ]);
  expect(found(boostedSpinner('4s'))[0]).toEqual(['rt-spin-hang', 8, 3002, false]);
});

test('a keeper that may be pushed to another CPU is no proof while a stronger thread lives', () => {
  const box = (hi: object[]) =>
    run({
      duration: '1s',
      machine: { cpus: 2, kernel: '6.1', rtThrottling: false },
      locks: { q: YIELD },
      threads: [
        { name: 'h', start: '5ms', cpus: [0], program: [{ lock: 'q' }, { run: '8ms' }, { unlock: 'q' }] },
        { name: 's', start: '6ms', startCpu: 0, policy: 'fifo', priority: 50, program: TAKE },
        ...hi,
      ],
    });
  const sleeper = {
    name: 'hi',
    policy: 'fifo',
    priority: 60,
    cpus: [0],
    program: [{ sleepUntil: '3s' }, { run: '1ms' }],
  };
  expect(found(box([sleeper]))).toEqual([['rt-spin-hang', 6, 1000, false]]);
  expect(found(box([]))).toEqual([['rt-spin-hang', 6, 1000, true]]);
  // Weaker than the spinner, it can push nobody away.
  expect(found(box([{ ...sleeper, priority: 40 }]))).toEqual([['rt-spin-hang', 6, 1000, true]]);
});

test('a real-time holder is not helped by the throttle that stops it too: one hang, for ever', () => {
  const ran = run({
    duration: '4s',
    machine: { cpus: 2, kernel: '6.1', rtThrottling: { runtime: '950ms', period: '1s' } },
    locks: { q: YIELD },
    threads: [
      {
        name: 'h',
        policy: 'fifo',
        priority: 10,
        start: '8ms',
        program: [{ lock: 'q' }, { run: '8ms' }, { unlock: 'q' }],
      },
      ...[9, 10].map((ms) => ({ name: `s${ms}`, policy: 'fifo', priority: 50, start: `${ms}ms`, program: TAKE })),
    ],
  });
  expect(found(ran).filter(([kind]) => kind === 'rt-spin-hang')).toEqual([['rt-spin-hang', 10, 4000, true]]);
  expect(ran.verdicts[0]!.facts).toContainEqual({ fact: 'rescue', by: 'rt-throttling', state: 'does-not-help' });
});

/** One CPU, FIFO spinner against a fair holder, throttling with a phase. */
function phased(phase: string): Ran {
  return run({
    duration: '100ms',
    machine: { cpus: 1, kernel: '6.1', hz: 250, rtThrottling: { runtime: '950ms', period: '1s', phase } },
    locks: { q: YIELD },
    threads: [
      { name: 'h', program: [{ lock: 'q' }, { run: '20ms' }, { unlock: 'q' }] },
      { name: 's', policy: 'fifo', priority: 50, start: '8ms', program: TAKE },
    ],
  });
}

test.each([
  // The period timer takes the time used so far off: 950 ms from the tick before it, exceeded at the next tick.
  ['300ms', 300 + 952],
  ['700ms', 700 + 952],
  // It comes too late to matter: 8 ms + 950 ms, exceeded at the tick of 960 ms.
  ['990ms', 960],
])('the instant at which throttling with phase %s acts is foretold: %i ms', (phase, atMs) => {
  const rescue = phased(phase).verdicts[0]!.facts.find((f) => f.fact === 'rescue' && f.by === 'rt-throttling');
  expect(rescue).toEqual({ fact: 'rescue', by: 'rt-throttling', state: 'acts', atNs: atMs * 1e6 });
});

test('a CPU that its fair server gives to fair threads is kept by nobody', () => {
  const ran = run({
    duration: '1s',
    machine: { cpus: 1, kernel: '6.12', hz: 1000 },
    locks: { q: YIELD },
    threads: [
      { name: 'h', program: [{ lock: 'q' }, { run: '20ms' }, { unlock: 'q' }, { sleep: '1s' }] },
      { name: 'other', program: [{ run: 'forever' }] },
      { name: 's', policy: 'fifo', priority: 50, start: '5ms', program: [...TAKE, { sleep: '2s' }] },
    ],
  });
  const hangs = ran.verdicts.filter((v) => v.kind === 'rt-spin-hang');
  const served = stints(ran).find((s) => s.fromNs > 5_000_000 && s.name !== 's')!;
  // It ends when the server's turn begins, whichever fair thread has it first, and does not come back within the turn.
  expect(hangs.map((v) => v.toNs)).toEqual([served.fromNs]);
});

test('who waits beside a hang for ever starves for ever, though yielders take turns', () => {
  const ran = run({
    duration: '1s',
    machine: { cpus: 1, kernel: '6.1', rtThrottling: false, costs: { contextSwitch: '50us' } },
    locks: { q: YIELD },
    threads: [
      { name: 'h', program: [{ lock: 'q' }, { run: '20ms' }, { unlock: 'q' }] },
      ...['a', 'b', 'c'].map((name) => ({ name, policy: 'fifo', priority: 50, start: '5ms', program: TAKE })),
      { name: 'shell', start: '10ms', program: [{ run: '1ms' }] },
    ],
  });
  expect(found(ran)).toEqual([
    // The first spinner is switched in at 5 ms and pays for the switch before its first attempt.
    ['rt-spin-hang', 5.05, 1000, true],
    ['starvation', 10, 1000, true],
  ]);
});

test('a renice of a waiter re-evaluates nothing (fact 6.6); a new real-time priority does', () => {
  const document = (attrs: object) => ({
    duration: '40ms',
    machine: { cpus: 1, kernel: '6.12', hz: 1000, fairServer: false },
    locks: { m: { kind: 'pi' } },
    threads: [
      { name: 'h', nice: 10, program: [{ lock: 'm' }, { run: '30ms' }, { unlock: 'm' }] },
      { name: 'w', start: '1ms', birth: 'woken', program: [{ lock: 'm' }, { unlock: 'm' }] },
    ],
    toggles: { k: { label: 'k', values: { a: {}, b: { threads: { w: attrs } } }, default: 'a' } },
    interventions: [{ at: '10ms', set: { k: 'b' } }],
  });
  const boosts = (attrs: object) => {
    const ran = runScenario(scenarioOf(document(attrs)));
    const list: number[][] = [];
    for (let i = 0; i < ran.records.count; i++) {
      if (ran.records.kind[i] === RecordKind.schedPiSetprio) list.push([ran.records.a[i]!, ran.records.b[i]!]);
    }
    return list;
  };
  expect(boosts({ nice: -5 })[1]).toEqual([120, 130]);
  expect(boosts({ policy: 'fifo', priority: 10 })[1]).toEqual([120, 89]);
});

test('a child of a real-time thread is listed with the policy that it inherits', () => {
  const ran = run({
    duration: '10ms',
    machine: { cpus: 1, kernel: '6.1', rtThrottling: false },
    threads: [
      { name: 'parent', policy: 'fifo', priority: 10, program: [{ fork: 'child' }, { run: '1ms' }] },
      { name: 'child', start: 'fork', program: [{ run: '1ms' }] },
    ],
  });
  expect(ran.sim.tasks[1]).toMatchObject({ name: 'child', policy: 'fifo', rtPrio: 10 });
});
