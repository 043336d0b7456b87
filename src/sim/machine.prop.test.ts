// Properties of any run: invariants hold at every rest, time adds up, affinity and exclusion are kept, and neither
// the cut of the run into calls nor an unrelated thread changes anything. Seeds print on failure.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ran, run, scenarioOf } from '../testing/scene.ts';
import { RecordKind } from '../trace/records.ts';
import { hashRecords, hashText } from './hash.ts';
import { createMachine } from './machine.ts';
import { boot, runUntil } from './run.ts';

const us = (n: number) => `${n}us`;

/** Written through a list, since a literal with a `then` looks like a promise. */
function tryLock(lock: string, steps: unknown[], otherwise: unknown[]): object {
  return Object.fromEntries([
    ['tryLock', lock],
    ['then', steps],
    ['else', otherwise],
  ]);
}

const SPAN = fc.integer({ min: 1, max: 3000 }).map(us);

const STEP: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: SPAN.map((run) => ({ run })) },
  { weight: 3, arbitrary: SPAN.map((sleep) => ({ sleep })) },
  { weight: 1, arbitrary: SPAN.map((io) => ({ io })) },
  { weight: 1, arbitrary: fc.constant('yield') },
  { weight: 1, arbitrary: fc.record({ set: fc.record({ nice: fc.integer({ min: -20, max: 19 }) }) }) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom('s', 'f', 'p'), SPAN).map(([lock, span]) => ({
      repeat: 1,
      do: [{ lock }, { run: span }, { unlock: lock }],
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('s', 'f', 'p'), SPAN, SPAN).map(([lock, span, timeout]) => ({
      repeat: 1,
      do: [tryLock(lock, [{ run: span }, { unlock: lock }], [{ run: timeout }])],
    })),
  },
);

const POLICY = fc.oneof(
  fc.record({ policy: fc.constantFrom('other', 'batch', 'idle'), nice: fc.integer({ min: -20, max: 19 }) }),
  fc.record({ policy: fc.constantFrom('fifo', 'rr'), priority: fc.integer({ min: 1, max: 99 }) }),
);

const THREAD = fc.record({
  attrs: POLICY,
  start: fc.integer({ min: 0, max: 8000 }).map(us),
  cpus: fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { nil: undefined }),
  steps: fc.array(STEP, { minLength: 1, maxLength: 6 }),
});

function pause(then: object): object {
  return Object.fromEntries([
    ...Object.entries({ kind: 'pause', first: '40ns', factor: 2, max: '2us', steps: 6 }),
    ['then', then],
  ]);
}

const BACKOFF = fc.constantFrom(
  { kind: 'none' },
  { kind: 'yield', cost: '4.02us' },
  { kind: 'sleep', for: '125us', cost: '6.37us' },
  pause({ kind: 'yield', cost: '4us' }),
  pause({ kind: 'park' }),
  { kind: 'park' },
);

const DOCUMENT = fc
  .record({
    cpus: fc.integer({ min: 1, max: 3 }),
    kernel: fc.constantFrom('6.1', '6.12', '7.2'),
    hz: fc.constantFrom(100, 250, 1000),
    costs: fc.constantFrom('ideal', 'server', 'set-top-box'),
    throttling: fc.constantFrom(false, { runtime: '5ms', period: '10ms' }),
    backoff: BACKOFF,
    threads: fc.array(THREAD, { minLength: 1, maxLength: 6 }),
  })
  .map((d) => ({
    duration: '40ms',
    machine: {
      cpus: d.cpus,
      kernel: d.kernel,
      hz: d.hz,
      costs: d.costs,
      ...(d.kernel === '6.1' ? { rtThrottling: d.throttling } : {}),
    },
    locks: {
      s: { kind: 'spin', tries: 10, oneSpinner: true, backoff: d.backoff, marks: true },
      f: { kind: 'futex' },
      p: { kind: 'pi' },
    },
    threads: d.threads.map((t, i) => {
      const cpus = t.cpus?.filter((cpu) => cpu < d.cpus);
      return {
        name: `t${i}`,
        ...t.attrs,
        start: t.start,
        ...(cpus !== undefined && cpus.length > 0 ? { cpus } : {}),
        program: [{ repeat: 'forever', do: [...t.steps, { run: '10us' }] }],
      };
    }),
  }));

/** What every trace must satisfy, read from its records alone. */
function checkTrace(ran: Ran): void {
  const r = ran.records;
  const cpus = ran.scenario.machine.cpus;
  const current = new Array<number>(cpus).fill(-1);
  const owner = new Map<number, number>();
  let last = 0;
  for (let i = 0; i < r.count; i++) {
    expect(r.tsNs[i]!).toBeGreaterThanOrEqual(last);
    expect(Number.isInteger(r.tsNs[i]!)).toBe(true);
    last = r.tsNs[i]!;
    const task = r.task[i]!;
    switch (r.kind[i]) {
      case RecordKind.schedSwitch: {
        const cpu = r.cpu[i]!;
        expect(r.a[i]).toBe(current[cpu]);
        current[cpu] = task;
        if (task < 0) break;
        expect(current.filter((t) => t === task).length).toBe(1);
        expect(ran.sim.tasks[task]!.allowedCpus).toContain(cpu);
        break;
      }
      case RecordKind.lockAcquire:
        expect(owner.has(r.a[i]!)).toBe(false);
        owner.set(r.a[i]!, task);
        break;
      case RecordKind.lockRelease:
        expect(owner.get(r.a[i]!)).toBe(task);
        owner.delete(r.a[i]!);
        break;
      default:
    }
  }
}

test('invariants hold after every event, and the trace is one that a kernel could write', () => {
  fc.assert(
    fc.property(DOCUMENT, (document) => {
      checkTrace(run(document, {}, 1));
    }),
    { numRuns: 150 },
  );
});

test('how the run is cut into calls changes nothing', () => {
  fc.assert(
    fc.property(DOCUMENT, fc.integer({ min: 1, max: 50 }), (document, slice) => {
      expect(run(document, {}, slice).hash).toBe(run(document, {}, 1_000_000).hash);
    }),
    { numRuns: 30 },
  );
});

test('a thread that never runs changes nothing for the others', () => {
  fc.assert(
    fc.property(DOCUMENT, (document) => {
      const more = {
        ...document,
        threads: [...document.threads, { name: 'never', start: '1h', program: [{ run: '1us' }] }],
      };
      const a = run(document);
      const b = run(more);
      const others = (ran: Ran) => {
        const rows: number[][] = [];
        for (let i = 0; i < ran.records.count; i++) {
          if (ran.records.task[i] === document.threads.length) continue;
          rows.push([
            ran.records.tsNs[i]!,
            ran.records.kind[i]!,
            ran.records.cpu[i]!,
            ran.records.task[i]!,
            ran.records.a[i]!,
            ran.records.b[i]!,
          ]);
        }
        return rows;
      };
      expect(others(b)).toEqual(others(a));
    }),
    { numRuns: 30 },
  );
});

test('the highest class runs: no fair task has a CPU that an unthrottled real-time task waits on', () => {
  fc.assert(
    fc.property(DOCUMENT, (document) => {
      const noServer = {
        ...document,
        machine: { ...document.machine, costs: 'ideal', rtThrottling: false, fairServer: false },
      };
      const ran = run(noServer);
      const r = ran.records;
      const isRt = (task: number) =>
        ran.scenario.threads[task]!.policy === 'fifo' || ran.scenario.threads[task]!.policy === 'rr';
      const prio = new Map<number, number>();
      for (let i = 0; i < r.count; i++) {
        if (r.kind[i] === RecordKind.taskAttrs) prio.set(r.task[i]!, r.a[i]!);
        if (r.kind[i] !== RecordKind.schedSwitch || r.task[i]! < 0 || r.c[i]! < 0) continue;
        // The runner-up that the pick names is never of a stronger class.
        if (isRt(r.c[i]!) && (prio.get(r.c[i]!) ?? 140) < 100) expect(prio.get(r.task[i]!)!).toBeLessThan(100);
      }
    }),
    { numRuns: 50 },
  );
});

test('an unusable document never reaches the machine: scenarioOf refuses it', () => {
  expect(() => scenarioOf({ threads: [{ name: 'x', program: [{ run: '1' }] }] })).toThrow(/time/);
});

test('the machine is plain data: a copy of it in the middle of a run goes on to the same end', () => {
  fc.assert(
    fc.property(DOCUMENT, fc.integer({ min: 1, max: 200 }), (document, events) => {
      const machine = createMachine(scenarioOf(document), [], 1_000_000);
      boot(machine);
      runUntil(machine, Number.POSITIVE_INFINITY, events);
      const copy = structuredClone(machine);
      runUntil(machine, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
      runUntil(copy, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
      hashRecords(machine, machine.records);
      hashRecords(copy, copy.records);
      expect(hashText(copy)).toBe(hashText(machine));
      expect(copy.events).toBe(machine.events);
    }),
    { numRuns: 30 },
  );
});
