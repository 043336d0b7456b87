// Hand-worked checks of the fact sheet, section 15, fair classes. Expected values are the sheet's, not ours.

import { expect, test } from 'vitest';
import { cpuTime, picture, run, scenarioOf } from '../../testing/scene.ts';
import { tunableFactor } from '../kernels/rules.ts';
import { createMachine, type Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { prepareTask } from '../start.ts';
import type { Task } from '../task.ts';
import { pickCfs, wakeupPreemptEntity } from './fair_cfs.ts';
import { inflatedLag, lagLimit, reweightEevdf, yieldEevdf } from './fair_eevdf.ts';
import { insertEntity } from './fair_queue.ts';
import { calcDeltaFair, inverseWeight, PRIO_TO_WEIGHT, WEIGHT_IDLEPRIO } from './weights.ts';

const HOG = [{ run: 'forever' }];

function machine(over: object): object {
  return { cpus: 1, kernel: '6.1', hz: 1000, tunableScaling: 'none', ...over };
}

const EIGHT = { kernel: '6.12', cpus: 8, tunableScaling: 'log' };

test('V1: virtual time of 1 ms of CPU at each weight', () => {
  const dv = (nice: number) => {
    const weight = PRIO_TO_WEIGHT[nice + 20]!;
    return calcDeltaFair(1_000_000, weight, inverseWeight(weight));
  };
  expect([-20, -5, 0, 1, 5, 10, 19].map(dv)).toEqual([11536, 328099, 1000000, 1248780, 3056716, 9309090, 68266666]);
  expect(calcDeltaFair(1_000_000, WEIGHT_IDLEPRIO, inverseWeight(WEIGHT_IDLEPRIO))).toBe(341333333);
});

test('V2: tunables scale with the number of CPUs, counted up to eight', () => {
  expect([1, 2, 3, 4, 7, 8, 64].map(tunableFactor)).toEqual([1, 2, 2, 3, 3, 4, 4]);
});

test('V3: two equal CFS hogs at HZ 1000 switch every 4 ms, since 3 ms is not more than the slice', () => {
  const ran = run({
    duration: '12ms',
    machine: machine({}),
    threads: [
      { name: 'A', program: HOG },
      { name: 'B', program: HOG },
    ],
  });
  expect(picture(ran)).toBe('A[0-4] B[4-8] A[8-12]');
});

test('V4: three equal CFS hogs at HZ 1000 get 3 ms each', () => {
  const threads = ['A', 'B', 'C'].map((name) => ({ name, program: HOG }));
  expect(picture(run({ duration: '12ms', machine: machine({}), threads }))).toBe('A[0-3] B[3-6] C[6-9] A[9-12]');
});

test('V6: CFS, nice 0 beside nice 10: the light one gets single ticks, 194 of 2000 ms', () => {
  const threads = [
    { name: 'A', program: HOG },
    { name: 'B', nice: 10, program: HOG },
  ];
  const ran = run({ duration: '2s', machine: machine({}), threads });
  expect(picture(ran, 11)).toBe(
    'A[0-6] B[6-7] A[7-13] B[13-14] A[14-21] B[21-22] A[22-31] B[31-32] A[32-42] B[42-43] A[43-52]',
  );
  expect([cpuTime(ran, 'A'), cpuTime(ran, 'B')]).toEqual([1_806_000_000, 194_000_000]);
});

test.each([
  [250, 'A[0-12] B[12-24] A[24-36]'],
  [1000, 'A[0-10] B[10-20] A[20-30] B[30-36]'],
])('V8: on four CPUs CFS slices are 9 ms, so HZ %i rounds them up', (hz, expected) => {
  const threads = ['A', 'B'].map((name) => ({ name, cpus: [0], program: HOG }));
  expect(picture(run({ duration: '36ms', machine: machine({ hz, cpus: 4, tunableScaling: 'log' }), threads }))).toBe(
    expected,
  );
});

test.each([
  [{}, 'A[0-10] B[10-14] A[14-18]'],
  [{ nice: 19 }, 'A[0-11] B[11-12] A[12-18]'],
  [{ policy: 'batch' }, 'A[0-11] B[11-15] A[15-18]'],
])('V9: CFS wake-up preemption of a hog by a long sleeper %j', (attrs, expected) => {
  const threads = [
    { name: 'A', program: HOG },
    { name: 'B', start: '10ms', birth: 'woken', ...attrs, program: HOG },
  ];
  expect(picture(run({ duration: '18ms', machine: machine({}), threads }))).toBe(expected);
});

test('V11: a short sleeper keeps its own virtual time and does not preempt', () => {
  // B runs 9.5 ms first, sleeps until A has run 10 ms: B.v = 9.5, min_vruntime = 10, credit 3: max(9.5, 7) = 9.5.
  const threads = [
    { name: 'B', program: [{ run: '9.5ms' }, { sleep: '10ms' }, { run: 'forever' }], timerSlack: '0us' },
    { name: 'A', start: '9.5ms', birth: 'settled', program: HOG },
  ];
  const ran = run({ duration: '22ms', machine: machine({}), threads });
  // A starts at v = min_vruntime = 9.5 and reaches 19.5 when B wakes at 19.5: vdiff is 10, so here B does preempt;
  // with a sleep of 0.5 ms vdiff is 0.5 and it does not.
  expect(picture(ran, 3)).toMatch(/^B\[0-9\.5\] A\[9\.5-19\.5\] B\[19\.5-/);
  const short = run({
    duration: '14ms',
    machine: machine({}),
    threads: [{ ...threads[0]!, program: [{ run: '9.5ms' }, { sleep: '0.5ms' }, { run: 'forever' }] }, threads[1]!],
  });
  // B waits for the tick at which A has had more than its 3 ms slice: picked at 9.5, that is tick 13.
  expect(picture(short, 2)).toBe('B[0-9.5] A[9.5-13]');
});

/** A machine at rest with one CPU and tasks A and B, for checks on the deciding numbers themselves. */
function bench(over: object, threads: object[]): { m: Machine; rq: Rq; a: Task; b: Task } {
  const m = createMachine(scenarioOf({ machine: machine(over), threads }), [], 1);
  for (const p of m.tasks) prepareTask(m, p);
  return { m, rq: m.rqs[0]!, a: m.tasks[0]!, b: m.tasks[1]! };
}

const TWO = [
  { name: 'A', program: HOG },
  { name: 'B', program: HOG },
];

/** Puts A on the CPU and B in the queue with these virtual times (and deadlines). */
function onQueue(at: ReturnType<typeof bench>, av: number, bv: number, ad = 0, bd = 0): void {
  const cfs = at.rq.cfs;
  Object.assign(at.a.se, { vruntime: av, deadline: ad, onRq: true, cfsRq: cfs });
  Object.assign(at.b.se, { vruntime: bv, deadline: bd, onRq: true, cfsRq: cfs });
  cfs.curr = at.a.se;
  cfs.nrRunning = 2;
  cfs.loadWeight = at.a.se.weight + at.b.se.weight;
  cfs.minVruntime = Math.min(av, bv);
  insertEntity(at.m, cfs, at.b.se);
}

test('V10: a wakee exactly the granularity to the left does not preempt, one ns more does', () => {
  const at = bench({}, TWO);
  onQueue(at, 5_000_000, 4_000_000);
  expect(wakeupPreemptEntity(at.m, at.a.se, at.b.se)).toBe(0);
  at.b.se.vruntime = 3_999_999;
  expect(wakeupPreemptEntity(at.m, at.a.se, at.b.se)).toBe(1);
});

test.each([
  [6_000_000, 'B'],
  [6_000_001, 'A'],
])('V12: A yields at 5 ms; with B at %i ns the next is %s', (bv, next) => {
  const at = bench({}, TWO);
  onQueue(at, 5_000_000, bv);
  at.rq.cfs.skip = at.a.se;
  expect(pickCfs(at.m, at.rq.cfs, undefined)?.task?.name).toBe(next);
});

test.each([
  ['6.12', 0, 5_600_000],
  ['6.12', 10, 52_130_908],
  ['7.2', 0, 3_800_000],
])('V19: kernel %s, nice %i: a stored lag is at most %i', (kernel, nice, limit) => {
  const at = bench({ ...EIGHT, kernel }, [{ name: 'A', nice, program: HOG }, TWO[1]!]);
  expect(lagLimit(at.m, at.rq.cfs, at.a.se)).toBe(limit);
});

test('V20: a new weight keeps the real size of lag and request', () => {
  const at = bench({ ...EIGHT, cpus: 1 }, TWO);
  // V is 100 000 000 when B balances A around it.
  onQueue(at, 98_000_000, 102_000_000, 110_000_000, 120_000_000);
  reweightEevdf(at.m, at.rq.cfs, at.a.se, 110, inverseWeight(110));
  expect([at.a.se.vruntime, at.a.se.deadline]).toEqual([81_381_819, 193_090_909]);
});

test('V21: an eligible yielder jumps to its deadline; an ineligible one stays', () => {
  const at = bench({ ...EIGHT, cpus: 1, tunables: { base_slice_ns: '2.8ms' } }, TWO);
  onQueue(at, 10_000_000, 10_000_000, 10_800_000, 12_000_000);
  yieldEevdf(at.m, at.a);
  expect([at.a.se.vruntime, at.a.se.deadline]).toEqual([10_800_000, 13_600_000]);
  yieldEevdf(at.m, at.a);
  expect([at.a.se.vruntime, at.a.se.deadline]).toEqual([10_800_000, 13_600_000]);
});

test('V13: EEVDF 6.12, two new hogs: half a first request, then 2.8 ms rounded up to ticks', () => {
  const threads = ['A', 'B'].map((name) => ({ name, cpus: [0], birth: 'new', program: HOG }));
  expect(picture(run({ duration: '13ms', machine: machine(EIGHT), threads }))).toBe(
    'A[0-2] B[2-4] A[4-7] B[7-10] A[10-13]',
  );
});

test('V14: EEVDF at HZ 250 alternates at every tick; with hrtick exactly at the request', () => {
  const threads = ['A', 'B'].map((name) => ({ name, cpus: [0], birth: 'new', program: HOG }));
  const two = { hz: 250, cpus: 2, tunableScaling: 'log' };
  expect(picture(run({ duration: '16ms', machine: machine({ ...two, kernel: '6.12' }), threads }))).toBe(
    'A[0-4] B[4-8] A[8-12] B[12-16]',
  );
  expect(picture(run({ duration: '16ms', machine: machine({ ...two, kernel: '7.2' }), threads }), 4)).toBe(
    'A[0-0.7] B[0.7-1.4] A[1.4-2.8] B[2.8-4.2]',
  );
});

// The sheet's V15 has A until 22: there a pick of the same task protects it anew. The recorded 6.12 kernels show that it
// does not (golden: pi-chain fair_to_rt_pi, fairhog runs 6.52 ms, no whole number of requests of 0.7 ms), and by section 17
// they are right. A (v = 2 at 4 ms) is beyond B's v of 2 * 9.309 = 18.62 first at the tick of 21 (v = 19).
test('V15: EEVDF, nice 0 beside nice 10; a task that is picked again is not protected again', () => {
  const threads = [
    { name: 'A', cpus: [0], birth: 'new', program: HOG },
    { name: 'B', cpus: [0], birth: 'new', nice: 10, program: HOG },
  ];
  const ran = run({ duration: '2s', machine: machine(EIGHT), threads });
  expect(picture(ran, 4)).toBe('A[0-2] B[2-4] A[4-21] B[21-24]');
  expect([cpuTime(ran, 'A'), cpuTime(ran, 'B')]).toEqual([1_806_000_000, 194_000_000]);
});

test.each([
  ['6.12', '600us', false],
  ['6.12', '500us', true],
  ['6.12', '400us', true],
  ['7.2', '600us', true],
  ['7.2', '500us', true],
  ['7.2', '400us', true],
])('V17: kernel %s, a wakee with a slice of %s preempts at once: %s', (kernel, slice, preempts) => {
  const threads = [
    { name: 'A', cpus: [0], birth: 'new', program: HOG },
    { name: 'B', cpus: [0], start: '10.3ms', birth: 'woken', slice, program: [{ run: '100us' }, { sleep: '1s' }] },
  ];
  const ran = run({ duration: '12ms', machine: machine({ ...EIGHT, kernel }), threads });
  expect(picture(ran, 2).startsWith('A[0-10.3] B[10.3-')).toBe(preempts);
});

test('V18: a stored lag is inflated so that placing the task does not shrink it', () => {
  expect(inflatedLag(1_000_000, 1024, 1024)).toBe(2_000_000);
  expect(inflatedLag(1_000_000, 3072, 1024)).toBe(1_333_333);
});

test.each(['6.1', '6.12', '7.2'])(
  'V23: kernel %s, a normal task preempts a SCHED_IDLE hog at once, never the reverse',
  (kernel) => {
    const idleHog = { name: 'I', policy: 'idle', program: HOG };
    const ran = run({
      duration: '5ms',
      machine: machine({ kernel, hz: 250 }),
      threads: [idleHog, { name: 'N', start: '3.2ms', birth: 'woken', program: HOG }],
    });
    expect(picture(ran, 2)).toMatch(/^I\[0-3\.2\] N\[3\.2-/);
    const reverse = run({
      duration: '5ms',
      machine: machine({ kernel, hz: 250 }),
      threads: [
        { name: 'N', program: HOG },
        { ...idleHog, start: '3.2ms', birth: 'woken' },
      ],
    });
    // The end of N's request or a tick, not the wake-up at 3.2.
    expect(Number(/^N\[0-([\d.]+)\]/.exec(picture(reverse, 1))?.[1])).toBeGreaterThan(3.2);
  },
);

test('weights decide shares: 1024 : 335 : 110 (catalogue 5) on both fair classes', () => {
  for (const kernel of ['6.1', '6.12', '7.2']) {
    const threads = [0, 5, 10].map((nice) => ({ name: `n${nice}`, nice, program: HOG }));
    const ran = run({ duration: '10s', machine: machine({ kernel, hz: 250 }), threads });
    const total = 1024 + 335 + 110;
    for (const [nice, weight] of [
      [0, 1024],
      [5, 335],
      [10, 110],
    ] as const) {
      // One tick of 10 s each way, and the last request.
      expect(Math.abs(cpuTime(ran, `n${nice}`) / 1e10 - weight / total)).toBeLessThan(0.003);
    }
  }
});
