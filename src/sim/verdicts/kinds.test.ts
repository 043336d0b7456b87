// Findings beside hangs and starvation: each with its proof. Expected numbers are the fact sheet's or arithmetic.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime, type Ran, run } from '../../testing/scene.ts';
import type { Verdict, VerdictKind } from '../../trace/verdicts.ts';

const HOG = [{ run: 'forever' }];

function of(ran: Ran, kind: VerdictKind): readonly Verdict[] {
  return ran.verdicts.filter((v) => v.kind === kind);
}

function factOf<F extends Verdict['facts'][number]['fact']>(verdict: Verdict, fact: F) {
  return verdict.facts.find((f): f is Extract<Verdict['facts'][number], { fact: F }> => f.fact === fact);
}

/** A takes x then y, B takes y then x, each after 1 ms of work. */
function crossed(kind: string, duration: string, over: object = {}): Ran {
  const take = (first: string, second: string, more: object) => [
    { lock: first },
    { run: '1ms' },
    { lock: second, ...more },
    { unlock: second },
    { unlock: first },
  ];
  return run({
    duration,
    machine: { cpus: 2, kernel: '6.12' },
    locks: { x: { kind }, y: { kind } },
    threads: [
      { name: 'A', cpus: [0], program: take('x', 'y', over) },
      { name: 'B', cpus: [1], program: take('y', 'x', {}) },
      { name: 'C', cpus: [1], program: HOG },
    ],
  });
}

test.each(['futex', 'handoff', 'kernel', 'pi'])('deadlock: two threads in a circle on locks of kind %s', (kind) => {
  const ran = crossed(kind, '100ms');
  const [verdict, ...others] = of(ran, 'deadlock');
  expect(others).toEqual([]);
  expect(verdict).toMatchObject({ forever: true, ended: false, toNs: 100_000_000 });
  expect([...verdict!.tasks].sort()).toEqual([0, 1]);
  expect([...verdict!.locks].sort()).toEqual([0, 1]);
  // Each member waits for what the next one holds.
  const waits = verdict!.facts.filter((f) => f.fact === 'waitsFor');
  expect(waits.map((f) => f.holder)).toEqual([waits[1]!.task, waits[0]!.task]);
  // Only the kernel's PI code looks for circles.
  expect(factOf(verdict!, 'kernelNoticed') !== undefined).toBe(kind === 'pi');
});

test('deadlock: a circle with a time limit ends', () => {
  const ran = crossed('futex', '100ms', { timeout: '20ms' });
  expect(of(ran, 'deadlock')).toMatchObject([{ forever: false, ended: true }]);
});

// Not the kernel's mutex: its waiters spin while the owner, spinning too, is on a CPU.
test('deadlock: ten times longer, no member of the circle has more CPU time', () => {
  fc.assert(
    fc.property(fc.constantFrom('futex', 'handoff', 'pi'), fc.integer({ min: 2, max: 5 }), (kind, count) => {
      const names = Array.from({ length: count }, (_, i) => `l${i}`);
      const document = (duration: string) => ({
        duration,
        machine: { cpus: 2, kernel: '6.1' },
        locks: Object.fromEntries(names.map((name) => [name, { kind }])),
        threads: names.map((name, i) => ({
          name: `T${i}`,
          program: [{ lock: name }, { sleep: '5ms' }, { lock: names[(i + 1) % count] }, { run: '1ms' }],
        })),
      });
      const short = run(document('50ms'));
      const [verdict] = of(short, 'deadlock');
      expect(verdict).toMatchObject({ forever: true });
      expect(verdict!.tasks.length).toBe(count);
      const long = run(document('500ms'));
      for (let i = 0; i < count; i++) expect(cpuTime(long, `T${i}`)).toBe(cpuTime(short, `T${i}`));
    }),
    { numRuns: 30 },
  );
});

/** Catalogue 1 (Pathfinder), check V37. */
function pathfinder(kind: string): Ran {
  return run({
    duration: '60ms',
    machine: { cpus: 1, kernel: '6.1', hz: 1000 },
    locks: { bus: { kind } },
    threads: [
      {
        name: 'L',
        policy: 'fifo',
        priority: 10,
        program: [{ lock: 'bus' }, { run: '5ms' }, { unlock: 'bus' }],
      },
      { name: 'M', policy: 'fifo', priority: 20, start: '2ms', program: [{ run: '50ms' }] },
      {
        name: 'H',
        policy: 'fifo',
        priority: 30,
        start: '1ms',
        program: [{ lock: 'bus' }, { run: '1ms' }, { unlock: 'bus' }],
      },
    ],
  });
}

test('priority-inversion: M runs 50 ms in the place of L while H waits; that has no bound', () => {
  const [verdict] = of(pathfinder('futex'), 'priority-inversion');
  expect(verdict).toMatchObject({ fromNs: 1_000_000, toNs: 55_000_000, ended: true, forever: false });
  expect(factOf(verdict!, 'ranInstead')).toMatchObject({ task: 2, by: 1, ns: 50_000_000 });
  expect(factOf(verdict!, 'inversionBound')).toMatchObject({ bounded: false, ns: 54_000_000 });
});

test('priority-inversion: with inheritance it is bounded by what L does with the lock: 4 ms', () => {
  const [verdict] = of(pathfinder('pi'), 'priority-inversion');
  expect(factOf(verdict!, 'ranInstead')).toBeUndefined();
  expect(factOf(verdict!, 'inversionBound')).toMatchObject({ bounded: true, ns: 4_000_000 });
});

test('throttled: a group of 20 ms in 100 ms is held up 80 ms in each period', () => {
  const ran = run({
    duration: '1s',
    machine: { cpus: 1, kernel: '6.12', hz: 1000 },
    groups: { g: { quota: '20ms', period: '100ms' } },
    threads: [{ name: 'H', group: 'g', program: HOG }],
  });
  expect(of(ran, 'throttled')).toMatchObject([{ tasks: [0], fromNs: 20_000_000 }]);
  expect(factOf(of(ran, 'throttled')[0]!, 'throttledFor')).toMatchObject({ what: 'quota', times: 10, ns: 800_000_000 });
});

test('throttled: a FIFO hog on 6.1 is stopped by real-time throttling', () => {
  const ran = run({
    duration: '3s',
    machine: { cpus: 1, kernel: '6.1', hz: 1000, rtThrottling: { runtime: '950ms', period: '1s' } },
    threads: [{ name: 'R', policy: 'fifo', priority: 10, program: HOG }],
  });
  expect(of(ran, 'throttled')).toMatchObject([{ tasks: [0] }]);
  expect(factOf(of(ran, 'throttled')[0]!, 'throttledFor')).toMatchObject({ what: 'rt', times: 3 });
});

test('overload: 12 ms of work each 10 ms comes too late', () => {
  const ran = run({
    duration: '1s',
    machine: { cpus: 1, kernel: '6.12' },
    threads: [{ name: 'P', program: [{ repeat: 'forever', do: [{ run: '12ms' }, { period: '10ms' }] }] }],
  });
  const [verdict] = of(ran, 'overload');
  // Each round ends 2 ms later against its release: the first is 2 ms late, the 83rd, at 996 ms, 166 ms.
  expect(factOf(verdict!, 'missed')).toMatchObject({ task: 0, times: 83, worstNs: 166_000_000 });
  expect(verdict).toMatchObject({ fromNs: 12_000_000, toNs: 996_000_000 });
});

test('overload: enough time, no finding', () => {
  const ran = run({
    duration: '1s',
    machine: { cpus: 1, kernel: '6.12' },
    threads: [{ name: 'P', program: [{ repeat: 'forever', do: [{ run: '8ms' }, { period: '10ms' }] }] }],
  });
  expect(of(ran, 'overload')).toEqual([]);
});

test.each([1, 4])('convoy: on %i CPUs four threads hand a lock on every millisecond (catalogue 2)', (cpus) => {
  const threads = ['A', 'B', 'C', 'D'].map((name, i) => ({
    name,
    cpus: [i % cpus],
    program: [{ repeat: 'forever', do: [{ lock: 'l' }, { run: '1ms' }, { unlock: 'l' }] }],
  }));
  const ran = run({
    duration: '200ms',
    machine: { cpus, kernel: '6.12' },
    locks: { l: { kind: 'handoff' } },
    threads,
  });
  const [verdict] = of(ran, 'convoy');
  expect(verdict!.tasks.length).toBe(4);
  // With a CPU for each, the one who gave the lock away asks again at once: three wait at any time.
  if (cpus === 4) expect(factOf(verdict!, 'queueOn')).toMatchObject({ waiters: 3, holdNs: 1_000_000 });
});

test('convoy: two threads that meet now and then are none', () => {
  const ran = run({
    duration: '1s',
    machine: { cpus: 2, kernel: '6.12' },
    locks: { l: { kind: 'futex' } },
    threads: ['A', 'B'].map((name, i) => ({
      name,
      cpus: [i],
      program: [
        {
          repeat: 'forever',
          do: [{ lock: 'l' }, { run: '1ms' }, { unlock: 'l' }, { run: { uniform: ['2ms', '9ms'] } }],
        },
      ],
    })),
  });
  expect(of(ran, 'convoy')).toEqual([]);
});
