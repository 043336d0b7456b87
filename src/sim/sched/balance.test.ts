// Balancing of fair tasks. Expected values: the recorded kernels (golden workload smp2: 3 hogs on 2 CPUs, 7 to 9 moves in a
// second, one hog's share between 60 and 75 %), fact 9.3 and the intervals of fair.c and topology.c.

import { expect, test } from 'vitest';
import { cpuTime, type Ran, run, scenarioOf } from '../../testing/scene.ts';
import { MigrateReason } from '../../trace/reasons.ts';
import { RecordKind } from '../../trace/records.ts';
import { createMachine } from '../machine.ts';
import { balanceIntervalNs } from './balance.ts';

const MS = 1_000_000;

function moves(ran: Ran, reason: number): { atMs: number; task: number; from: number; to: number }[] {
  const r = ran.records;
  const list = [];
  for (let i = 0; i < r.count; i++) {
    if (r.kind[i] !== RecordKind.schedMigrateTask || r.reason[i] !== reason) continue;
    list.push({ atMs: r.tsNs[i]! / MS, task: r.task[i]!, from: r.a[i]!, to: r.b[i]! });
  }
  return list;
}

function threeHogs(kernel: string, seconds: number): Ran {
  return run({
    duration: `${seconds}s`,
    machine: { cpus: 2, kernel },
    threads: [{ name: 'hog', count: 3, program: [{ run: 'forever' }] }],
  });
}

test.each(['6.1', '6.12', '7.2'])('three hogs on two CPUs: %s moves one about every 115 ms, as recorded', (kernel) => {
  const ran = threeHogs(kernel, 1);
  const list = moves(ran, MigrateReason.periodicBalance);
  expect(list.length).toBeGreaterThanOrEqual(6);
  expect(list.length).toBeLessThanOrEqual(10);
  for (let i = 1; i < list.length; i++) {
    // The CPU that has one hog pulls, so the direction alternates; recorded gaps are 88 to 156 ms.
    expect(list[i]!.to).toBe(1 - list[i - 1]!.to);
    expect(list[i]!.atMs - list[i - 1]!.atMs).toBeGreaterThanOrEqual(84);
    expect(list[i]!.atMs - list[i - 1]!.atMs).toBeLessThanOrEqual(160);
  }
  const shares = [0, 1, 2].map((i) => cpuTime(ran, `hog/${i}`) / (1000 * MS)).sort();
  expect(shares[0]).toBeGreaterThan(0.53);
  expect(shares[2]).toBeLessThan(0.83);
});

test.each([
  // HZ 250, 2 CPUs: 32 ms are 8 ticks, less one; twice that, less one; idle 2 ms are one tick.
  [250, 2, 1, true, 28],
  [250, 2, 2, true, 60],
  [250, 2, 1, false, 4],
  [1000, 4, 1, true, 63],
  [1000, 4, 2, false, 8],
  // HZ 100, 1 CPU more than one: 32 ms are 4 ticks, less one.
  [100, 2, 1, true, 30],
])('HZ %i, %i CPUs, factor %i, busy %s: a look every %i ms', (hz, cpus, factor, busy, ms) => {
  const m = createMachine(scenarioOf({ machine: { cpus, hz }, threads: [{ name: 'a', program: [] }] }), [], 1);
  m.rqs[0]!.balanceFactor = factor;
  expect(balanceIntervalNs(m, m.rqs[0]!, busy)).toBe(ms * MS);
});

test('a CPU that becomes idle takes a waiting task at once, but not one that ran less than 0.5 ms ago', () => {
  const ran = run({
    duration: '40ms',
    machine: { cpus: 2, kernel: '6.12', hz: 1000 },
    threads: [
      { name: 'short', cpus: [1], startCpu: 1, program: [{ run: '10.7ms' }] },
      { name: 'a', startCpu: 0, program: [{ run: 'forever' }] },
      { name: 'b', startCpu: 0, program: [{ run: 'forever' }] },
    ],
  });
  const [pulled] = moves(ran, MigrateReason.newidleBalance);
  // Switches on CPU 0 are at whole ms: at 10.7 ms the waiting one has waited 0.7 ms at least.
  expect(pulled).toMatchObject({ atMs: 10.7, from: 0, to: 1 });
});

test('a fair task that may run nowhere else stays', () => {
  const ran = run({
    machine: { cpus: 2 },
    threads: [
      { name: 'a', cpus: [0], program: [{ run: 'forever' }] },
      { name: 'b', cpus: [0], program: [{ run: 'forever' }] },
      { name: 'c', cpus: [1], program: [{ run: 'forever' }] },
    ],
  });
  expect(moves(ran, MigrateReason.periodicBalance)).toEqual([]);
  // Catalogue 8: a pinned pair and a third: 50, 50, 100.
  expect(cpuTime(ran, 'c')).toBe(1000 * MS);
  expect(Math.abs(cpuTime(ran, 'a') - 500 * MS)).toBeLessThanOrEqual(4 * MS);
});

test('over seconds each of three hogs gets its two thirds of a CPU, within recorded unfairness', () => {
  const ran = threeHogs('6.1', 5);
  for (const i of [0, 1, 2]) expect(Math.abs(cpuTime(ran, `hog/${i}`) / (5000 * MS) - 2 / 3)).toBeLessThan(0.09);
});
