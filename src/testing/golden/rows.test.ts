import { expect, test } from 'vitest';
import type { MeasureKind, MeasureSpec, Tolerance } from './measure_spec.ts';
import { MEASURE_KINDS } from './measure_spec.ts';
import type { Row } from './row.ts';
import { rowsOf } from './rows.ts';
import type { LockSummary, Summary, ThreadSummary } from './summary.ts';

const MS = 1_000_000;

const EMPTY: Summary = {
  cpus: 1,
  lengthNs: 1000 * MS,
  phases: {},
  locks: [],
  boosts: [],
  sleeps: {},
  longestOffCpuNs: {},
};

function thread(share: number, stintMs: number, n = 30): ThreadSummary {
  return { runNs: share * 1000 * MS, share, stints: { n, p50Ns: stintMs * MS, maxNs: stintMs * MS } };
}

function withThreads(threads: Record<string, ThreadSummary>): Summary {
  return { ...EMPTY, phases: { one: { fromNs: 0, toNs: 1000 * MS, threads, migrations: 0 } } };
}

function compare(
  kind: MeasureKind,
  tolerance: Tolerance,
  recorded: Summary,
  simulated: Summary,
  kernel = '6.12',
): Row[] {
  const tolerances = Object.fromEntries(MEASURE_KINDS.map((each) => [each, tolerance])) as MeasureSpec['tolerances'];
  const spec = {
    kernels: { k: { kernel, piReweight: false } },
    tolerances,
    workloads: { w: { kernels: ['k'], measures: [kind] } },
  } as MeasureSpec;
  return rowsOf({ spec, workload: 'w', recordedKernel: 'k', recorded, simulated, yieldTurnNs: 1000 });
}

test('a share within a point passes, beyond it fails', () => {
  const recorded = withThreads({ a: thread(0.3, 4), b: thread(0.7, 4) });
  const rows = compare(
    'share',
    { points: 1, stints: 1.5 },
    recorded,
    withThreads({ a: thread(0.309, 4), b: thread(0.689, 4) }),
  );
  expect(rows.map((row) => [row.id, row.ok])).toEqual([
    ['w/k/share/one/a', true],
    ['w/k/share/one/b', false],
  ]);
});

test('the shortest stint of the phase widens the share, not the longest', () => {
  // 1.5 stints of 20 ms are 3 % of 1 s; a stint of 100 ms would allow 15 %.
  const recorded = withThreads({ a: thread(0.3, 20), b: thread(0.7, 100) });
  const rows = compare(
    'share',
    { points: 1, stints: 1.5 },
    recorded,
    withThreads({ a: thread(0.329, 20), b: thread(0.665, 100) }),
  );
  expect(rows.map((row) => row.ok)).toEqual([true, false]);
});

test('a thread that the simulation never runs has a share of 0', () => {
  const [row] = compare('share', { points: 1 }, withThreads({ a: thread(0.5, 4) }), EMPTY);
  expect(row?.simulated).toBe(0);
  expect(row?.ok).toBe(false);
});

test('medians count from 20 stints on', () => {
  const recorded = withThreads({ a: thread(0.5, 4, 19), b: thread(0.5, 4, 20) });
  const rows = compare('stint', { relative: 0.05, absoluteUs: 150, atLeast: 20 }, recorded, recorded);
  expect(rows.map((row) => row.id)).toEqual(['w/k/stint/one/b']);
});

test('a latency on 7.2 may be off by a slice, elsewhere by a tick', () => {
  const at = (ms: number): Summary => ({
    ...EMPTY,
    phases: {
      one: {
        fromNs: 0,
        toNs: MS,
        threads: {},
        migrations: 0,
        wakeups: { n: 1, p50Ns: ms * MS, p99Ns: ms * MS, maxNs: ms * MS },
      },
    },
  });
  const tolerance = { ticks: 1, slicesWithHrtick: 1 };
  expect(compare('wakeup', tolerance, at(1), at(4.9)).map((row) => row.ok)).toEqual([true, true]);
  expect(compare('wakeup', tolerance, at(1), at(4.9), '7.2').map((row) => row.ok)).toEqual([false, false]);
});

test('an order is equal or not; the worst length is shown', () => {
  const sequence = (...stints: [string, number][]): Summary => ({
    ...EMPTY,
    phases: {
      one: {
        fromNs: 0,
        toNs: MS,
        threads: {},
        migrations: 0,
        sequence: stints.map(([name, ms]) => [name, ms * MS, 0] as const),
      },
    },
  });
  const recorded = sequence(['a', 97], ['b', 100]);
  expect(compare('order', { equal: true }, recorded, sequence(['b', 97], ['a', 100]))[0]?.ok).toBe(false);
  const [row] = compare('lengths', { relative: 0.05 }, recorded, sequence(['a', 96], ['b', 94]));
  expect(row?.ok).toBe(false);
  expect(row?.detail).toBe('stint 2 of 2, b');
});

const CALL: LockSummary = {
  thread: 's',
  lock: 'l',
  outcome: 'acquired',
  waitNs: 100 * MS,
  onCpuNs: 100 * MS,
  iterations: 25_000,
};

test('turns are counted in units of sched_yield, at the speed that four busy CPUs leave', () => {
  // Recorded: 4 us a turn on 4 CPUs with a yield of 1 us is one yield a turn. Simulated: 1.08 us.
  const recorded = { ...EMPTY, cpus: 4, locks: [CALL] };
  const simulated = { ...EMPTY, cpus: 4, locks: [{ ...CALL, onCpuNs: 27 * MS }] };
  const [row] = compare('yieldRate', { relative: 0.1 }, recorded, simulated);
  expect(row?.recorded).toBeCloseTo(1, 12);
  expect(row?.simulated).toBeCloseTo(1.08, 12);
  expect(row?.ok).toBe(true);
});

test('a spinner that gave up makes a hang', () => {
  const recorded = { ...EMPTY, locks: [CALL] };
  const simulated = { ...EMPTY, locks: [{ ...CALL, outcome: 'aborted' as const }] };
  const [row] = compare('outcome', { equal: true }, recorded, simulated);
  expect([row?.recorded, row?.simulated, row?.ok]).toEqual(['clears', 'hang', false]);
});

test('waits of several spinners are compared by rank', () => {
  const waits = (...ms: number[]): Summary => ({ ...EMPTY, locks: ms.map((each) => ({ ...CALL, waitNs: each * MS })) });
  const rows = compare('spinWait', { ticks: 1 }, waits(10, 30, 20), waits(31, 11, 21));
  expect(rows.map((row) => [row.recorded, row.simulated, row.ok])).toEqual([
    [10 * MS, 11 * MS, true],
    [20 * MS, 21 * MS, true],
    [30 * MS, 31 * MS, true],
  ]);
});

test('a release that one side lacks fails', () => {
  const holder: LockSummary = { ...CALL, thread: 'WebProcess', releasedAtNs: 5 * MS };
  const { releasedAtNs, ...never } = holder;
  expect(releasedAtNs).toBe(5 * MS);
  expect(compare('released', { ticks: 1 }, { ...EMPTY, locks: [holder] }, { ...EMPTY, locks: [never] })[0]?.ok).toBe(
    false,
  );
  expect(compare('released', { ticks: 1 }, { ...EMPTY, locks: [never] }, { ...EMPTY, locks: [never] })[0]?.ok).toBe(
    true,
  );
});
