// Groups: weights, nesting, quotas (fact sheet, section 11, checks V35 and catalogue 14). Expected values are the
// sheet's or follow from the kernel's arithmetic, written out here.

import { expect, test } from 'vitest';
import { cpuTime, picture, run } from '../../testing/scene.ts';

const HOG = [{ run: 'forever' }];

function machine(over: object): object {
  return { cpus: 1, kernel: '6.1', hz: 1000, tunableScaling: 'none', ...over };
}

const KERNELS = ['6.1', '6.6', '6.12', '7.2'] as const;

function quota(kernel: string, hz: number, quotaMs: number): string {
  return picture(
    run({
      duration: '250ms',
      machine: machine({ kernel, hz }),
      groups: { g: { quota: `${quotaMs}ms`, period: '100ms' } },
      threads: [{ name: 'H', group: 'g', program: HOG }],
    }),
  );
}

test.each(KERNELS)('V35: kernel %s: cpu.max 20/100 ms: a hog runs 20 ms of each period', (kernel) => {
  expect(quota(kernel, 1000, 20)).toBe('H[0-20] H[100-120] H[200-220]');
  expect(quota(kernel, 250, 20)).toBe('H[0-20] H[100-120] H[200-220]');
});

test.each(KERNELS)('V35: kernel %s: at HZ 250 what a tick lets through is paid from the next refill', (kernel) => {
  expect(quota(kernel, 250, 10)).toBe('H[0-12] H[100-108] H[200-212]');
});

test('the period begins where the scenario says', () => {
  const ran = run({
    duration: '180ms',
    machine: machine({}),
    groups: { g: { quota: '20ms', period: '100ms', periodPhase: '30ms' } },
    threads: [{ name: 'H', group: 'g', program: HOG }],
  });
  // 20 ms of the first, cut period; refills at 30 and 130 ms.
  expect(picture(ran)).toBe('H[0-20] H[30-50] H[130-150]');
});

test('burst: quota that was not used is kept up to the burst', () => {
  const ran = run({
    duration: '320ms',
    machine: machine({}),
    groups: { g: { quota: '20ms', period: '100ms', burst: '10ms' } },
    threads: [{ name: 'H', group: 'g', start: '150ms', program: HOG }],
  });
  // The pool holds 20 ms, and 30 ms after the refill at 100 ms with nothing used; then the period's 20 ms each.
  expect(picture(ran)).toBe('H[150-180] H[200-220] H[300-320]');
});

test('two CPUs share one quota: 20 ms between them in each period', () => {
  const ran = run({
    duration: '1s',
    machine: machine({ cpus: 2 }),
    groups: { g: { quota: '20ms', period: '100ms' } },
    threads: [
      { name: 'A', cpus: [0], group: 'g', program: HOG },
      { name: 'B', cpus: [1], group: 'g', program: HOG },
    ],
  });
  expect(Math.abs(cpuTime(ran, 'A') + cpuTime(ran, 'B') - 200_000_000)).toBeLessThanOrEqual(2_000_000);
});

test('catalogue 14: a holder out of quota keeps its lock for 80 ms', () => {
  const ran = run({
    duration: '150ms',
    machine: machine({ cpus: 2 }),
    groups: { g: { quota: '20ms', period: '100ms' } },
    locks: { L: { kind: 'futex' } },
    threads: [
      { name: 'H', cpus: [0], group: 'g', program: [{ run: '10ms' }, { lock: 'L' }, { run: '20ms' }, { unlock: 'L' }] },
      { name: 'W', cpus: [1], start: '15ms', program: [{ lock: 'L' }, { run: '5ms' }, { unlock: 'L' }] },
    ],
  });
  // H works 20 ms, is out until 100 ms, owes 10 ms more: W gets the lock at 110 ms.
  expect(picture(ran)).toBe('H[0-20] H[100-110]');
  expect(picture(ran, 9, 1)).toBe('W[110-115]');
});

function shares(kernel: string, document: object, names: readonly string[]): number[] {
  const ran = run({ duration: '10s', machine: machine({ kernel }), ...document });
  return names.map((name) => Math.round(cpuTime(ran, name) / 100_000_000));
}

test.each(KERNELS)('kernel %s: groups of weight 100 and 300 get a quarter and three quarters', (kernel) => {
  const groups = { light: { weight: 100 }, heavy: { weight: 300 } };
  const threads = [
    { name: 'A', group: 'light', program: HOG },
    { name: 'B', group: 'heavy', program: HOG },
  ];
  expect(shares(kernel, { groups, threads }, ['A', 'B'])).toEqual([25, 75]);
});

test.each(KERNELS)('kernel %s: nice means nothing across groups', (kernel) => {
  const groups = { a: {}, b: {} };
  const threads = [
    { name: 'A', group: 'a', nice: 19, program: HOG },
    { name: 'B', group: 'b', nice: -10, program: HOG },
    { name: 'C', group: 'b', nice: -10, program: HOG },
  ];
  expect(shares(kernel, { groups, threads }, ['A', 'B', 'C'])).toEqual([50, 25, 25]);
});

test.each(KERNELS)('kernel %s: a group inside a group shares what its parent gets', (kernel) => {
  const groups = { top: {}, inner: { parent: 'top' }, other: {} };
  const threads = [
    { name: 'A', group: 'inner', program: HOG },
    { name: 'B', group: 'top', program: HOG },
    { name: 'C', group: 'other', program: HOG },
  ];
  expect(shares(kernel, { groups, threads }, ['A', 'B', 'C'])).toEqual([25, 25, 50]);
});

test.each(KERNELS)('kernel %s: a thread beside a group counts as much as the whole group', (kernel) => {
  const groups = { g: {} };
  const threads = [
    { name: 'A', group: 'g', program: HOG },
    { name: 'B', group: 'g', program: HOG },
    { name: 'C', program: HOG },
  ];
  expect(shares(kernel, { groups, threads }, ['A', 'B', 'C'])).toEqual([25, 25, 50]);
});

test.each(KERNELS)('kernel %s: a group with cpu.idle weighs 3', (kernel) => {
  const groups = { g: { idle: true } };
  const threads = [
    { name: 'A', group: 'g', program: HOG },
    { name: 'B', program: HOG },
  ];
  const ran = run({ duration: '20s', machine: machine({ kernel }), groups, threads });
  // 3 / 1027 of 20 s = 58.4 ms, in stints of a few ticks.
  expect(Math.abs(cpuTime(ran, 'A') - 58_400_000)).toBeLessThanOrEqual(6_000_000);
});

test('a group that has work on one of two CPUs only has its full weight there', () => {
  const ran = run({
    duration: '10s',
    machine: machine({ cpus: 2 }),
    groups: { g: {} },
    threads: [
      { name: 'A', cpus: [0], group: 'g', program: HOG },
      { name: 'B', cpus: [0], program: HOG },
      { name: 'C', cpus: [1], program: HOG },
    ],
  });
  expect(cpuTime(ran, 'A') / 1e9).toBeCloseTo(5, 1);
});

test('a group whose load is spread over two CPUs has half its weight on each', () => {
  const ran = run({
    duration: '10s',
    machine: machine({ cpus: 2 }),
    groups: { g: {} },
    threads: [0, 1].flatMap((cpu) => [
      { name: `A${cpu}`, cpus: [cpu], group: 'g', program: HOG },
      { name: `B${cpu}`, cpus: [cpu], program: HOG },
    ]),
  });
  // 512 against 1024 on each CPU.
  expect(cpuTime(ran, 'A0') / 1e9).toBeCloseTo(10 / 3, 1);
  expect(cpuTime(ran, 'A1') / 1e9).toBeCloseTo(10 / 3, 1);
});

test('autogroup: ten threads of one session weigh as much as one of another', () => {
  const many = Array.from({ length: 10 }, (_, i) => ({ name: `M${i}`, session: 'make', program: HOG }));
  const threads = [...many, { name: 'V', session: 'video', program: HOG }];
  const share = (autogroup: boolean) =>
    cpuTime(run({ duration: '11s', machine: machine({ autogroup }), threads }), 'V') / 11e9;
  expect(share(true)).toBeCloseTo(1 / 2, 2);
  expect(share(false)).toBeCloseTo(1 / 11, 2);
});

test('a real-time thread in a group does not feel its quota', () => {
  const ran = run({
    duration: '300ms',
    machine: machine({ rtThrottling: false }),
    groups: { g: { quota: '20ms', period: '100ms' } },
    threads: [{ name: 'R', policy: 'fifo', priority: 10, group: 'g', program: HOG }],
  });
  expect(cpuTime(ran, 'R')).toBe(300_000_000);
});

test('6.6: a yield pushes the deadline and keeps the virtual time; 6.12: it costs the request', () => {
  const document = (kernel: string) => ({
    duration: '100ms',
    machine: machine({ kernel, hz: 1000 }),
    threads: [
      { name: 'Y', program: [{ repeat: 'forever', do: [{ run: '100us' }, 'yield'] }] },
      { name: 'H', program: HOG },
    ],
  });
  const y66 = cpuTime(run(document('6.6')), 'Y');
  const y612 = cpuTime(run(document('6.12')), 'Y');
  // Fact 3.11: under 6.6 it stays eligible and runs again and again; the new form costs a whole slice of virtual time.
  expect(y66).toBeGreaterThan(2 * y612);
});
