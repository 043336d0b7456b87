// Interrupts with softirq work, ksoftirqd and posts. Expected values by arithmetic from the sheet's limits (fact 10.4: 2 ms or
// 10 restarts, then ksoftirqd) and kernel/softirq.c.

import { expect, test } from 'vitest';
import { addToNumbers, closeNumbers, costsOf, createNumbers } from '../analysis/numbers.ts';
import { cpuTime, type Ran, run } from '../testing/scene.ts';
import { RecordKind } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';

const MS = 1_000_000;

/** irq, idle and per thread [used, taken away by interrupts], in ms. */
function sums(ran: Ran, cpu = 0) {
  const numbers = createNumbers(ran.sim.meta, costsOf(ran.scenario));
  addToNumbers(numbers, ran.records);
  closeNumbers(numbers, ran.scenario.durationNs, ran.sim.tasks.length);
  const track = numbers.cpus[cpu]!;
  const used: Record<string, number> = {};
  ran.sim.tasks.forEach((task, i) => {
    used[task.name] = numbers.threads[i]!.timesNs[SegKind.run]! / MS;
  });
  return { irq: track.irqNs / MS, idle: track.idleNs / MS, busy: track.busyNs / MS, used };
}

function scene(kernel: string, interrupts: object[], threads: object[]) {
  return run({ machine: { kernel, rtThrottling: false, fairServer: false, interrupts }, threads });
}

const LONG = { cpu: 0, period: '100ms', run: '1ms', softirq: '5ms', name: 'net' };
const FIFO_HOG = { name: 'rt', policy: 'fifo', priority: 50, program: [{ run: 'forever' }] };

test('softirq work beyond 2 ms is done by ksoftirqd, a fair task', () => {
  const got = sums(scene('6.1', [LONG], [{ name: 'hog', program: [{ run: 'forever' }] }]));
  // Nine firings from 100 ms on: 1 + 2 ms in the interrupt, 3 ms by ksoftirqd.
  expect(got.irq).toBeCloseTo(9 * 3, 6);
  expect(got.used['ksoftirqd/0']).toBeCloseTo(9 * 3, 6);
  expect(got.used['hog']).toBeCloseTo(1000 - 9 * 6, 6);
  expect(got.irq + got.busy + got.idle).toBeCloseTo(1000, 6);
});

test('on an idle CPU ksoftirqd does the rest at once', () => {
  const ran = scene('6.12', [LONG], [{ name: 'late', start: '999ms', program: [] }]);
  const got = sums(ran);
  expect(got.used['ksoftirqd/0']).toBeCloseTo(27, 6);
  expect(got.idle).toBeCloseTo(1000 - 9 * 6, 6);
});

test('a real-time hog starves ksoftirqd; on 6.1 the softirqs stop altogether, later kernels go on at ticks', () => {
  const old = sums(scene('6.1', [LONG], [FIFO_HOG]));
  expect(old.used['ksoftirqd/0']).toBe(0);
  // 2 ms once; after that every end of an interrupt leaves it to ksoftirqd, which waits for ever.
  expect(old.irq).toBeCloseTo(9 * 1 + 2, 6);
  expect(old.used['rt']).toBeCloseTo(1000 - 11, 6);
  const later = sums(scene('6.12', [LONG], [FIFO_HOG]));
  expect(later.used['ksoftirqd/0']).toBe(0);
  // d15121be7485: ticks at 104 and 108 ms do what is left.
  expect(later.irq).toBeCloseTo(9 * 6, 6);
});

test('short softirq work follows its interrupt and makes no events', () => {
  const ran = scene('6.12', [{ cpu: 0, period: '10ms', run: '20us', softirq: '50us', name: 'net' }], [FIFO_HOG]);
  const got = sums(ran);
  // 99 firings at 10 .. 990 ms.
  expect(got.irq).toBeCloseTo(99 * 0.07, 6);
  expect(got.used['rt']).toBeCloseTo(1000 - 99 * 0.07, 6);
  expect(ran.sim.events).toBeLessThan(20);
});

test('machines without softirq work have no ksoftirqd', () => {
  const ran = scene('6.12', [{ cpu: 0, period: '10ms', run: '20us', name: 'irq' }], [FIFO_HOG]);
  expect(ran.sim.tasks.map((t) => t.name)).toEqual(['rt']);
});

test.each([
  ['of its softirq', '100us', 150_000],
  ['of its hard part where it has none', '0us', 50_000],
])('an interrupt posts at the end %s', (_, softirq, afterNs) => {
  const ran = run({
    duration: '35ms',
    machine: { interrupts: [{ cpu: 0, period: '10ms', run: '50us', softirq, post: 's', name: 'dev' }] },
    locks: { s: { kind: 'sem' } },
    threads: [{ name: 'handler', program: [{ repeat: 'forever', do: [{ wait: 's' }, { run: '1ms' }] }] }],
  });
  const id = ran.sim.tasks.findIndex((t) => t.name === 'handler');
  const r = ran.records;
  const wakings: number[] = [];
  for (let i = 0; i < r.count; i++)
    if (r.kind[i] === RecordKind.schedWaking && r.task[i] === id && r.tsNs[i]! > 0) wakings.push(r.tsNs[i]!);
  expect(wakings).toEqual([1, 2, 3].map((k) => k * 10 * MS + afterNs));
  expect(cpuTime(ran, 'handler')).toBe(3 * MS);
});

test('a switch waits for the end of the interrupt, counted ones too', () => {
  // The timer fires inside the interrupt at 10 .. 10.5 ms.
  const ran = scene(
    '6.12',
    [{ cpu: 0, period: '10ms', run: '500us', name: 'irq' }],
    [{ name: 'w', policy: 'fifo', priority: 1, program: [{ sleep: '10.2ms' }, { run: '1ms' }] }],
  );
  const r = ran.records;
  const ins: number[] = [];
  for (let i = 0; i < r.count; i++)
    if (r.kind[i] === RecordKind.schedSwitch && r.task[i] === 0 && r.tsNs[i]! > 0) ins.push(r.tsNs[i]!);
  expect(ins).toEqual([10.5 * MS]);
});
