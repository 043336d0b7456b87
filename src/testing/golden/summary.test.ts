import { expect, test } from 'vitest';
import type { Observation } from './observation.ts';
import { nearestRank, summarise } from './summary.ts';

const MS = 1_000_000;

const TWO_PHASES: Observation = {
  cpus: 1,
  endNs: 20 * MS,
  stints: [
    { thread: 'a', cpu: 0, fromNs: 0, toNs: 6 * MS, endedBy: 'runnable' },
    { thread: 'b', cpu: 0, fromNs: 6 * MS, toNs: 8 * MS, endedBy: 'runnable' },
    { thread: 'a', cpu: 0, fromNs: 8 * MS, toNs: 12 * MS, endedBy: 'runnable' },
    { thread: 'b', cpu: 0, fromNs: 12 * MS, toNs: 20 * MS, endedBy: 'open' },
  ],
  wakeups: [
    { thread: 'b', atNs: 5 * MS, latencyNs: 1 * MS },
    { thread: 'coord', atNs: 5 * MS, latencyNs: 9 * MS },
  ],
  marks: [
    { atNs: 4 * MS, thread: 'coord', text: 'phase one' },
    { atNs: 14 * MS, thread: 'coord', text: 'phase gap' },
  ],
  locks: [
    { thread: 'b', lock: 'm', askedNs: 7 * MS, acquiredNs: 13 * MS, releasedNs: 15 * MS },
    { thread: 'a', lock: 'm', askedNs: 9 * MS },
  ],
  boosts: [],
  sleeps: [],
};

test('a share counts the parts of stints that lie in the phase', () => {
  const phase = summarise(TWO_PHASES, { sequences: false }).phases.one;
  // Of [4 ms, 14 ms): a runs 2 + 4 ms, b runs 2 + 2 ms.
  expect(phase?.threads.a?.share).toBe(0.6);
  expect(phase?.threads.b?.share).toBe(0.4);
});

test('stints count only where they lie wholly in the phase', () => {
  const phase = summarise(TWO_PHASES, { sequences: false }).phases.one;
  expect(phase?.threads.a?.stints).toEqual({ n: 1, p50Ns: 4 * MS, maxNs: 4 * MS });
  expect(phase?.threads.b?.stints).toEqual({ n: 1, p50Ns: 2 * MS, maxNs: 2 * MS });
});

test('a phase without work ends the one before and is none itself', () => {
  const phases = summarise(TWO_PHASES, { sequences: false }).phases;
  expect(Object.keys(phases)).toEqual(['one']);
});

test('without marks the whole run is one phase', () => {
  const phases = summarise({ ...TWO_PHASES, marks: [] }, { sequences: false }).phases;
  expect(phases.all?.toNs).toBe(20 * MS);
});

test('the coordinator is not measured', () => {
  expect(summarise(TWO_PHASES, { sequences: false }).phases.one?.wakeups).toEqual({
    n: 1,
    p50Ns: 1 * MS,
    p99Ns: 1 * MS,
    maxNs: 1 * MS,
  });
});

test('a sequence is cut at the edges of its phase', () => {
  expect(summarise(TWO_PHASES, { sequences: true }).phases.one?.sequence).toEqual([
    ['a', 2 * MS, 0],
    ['b', 2 * MS, 2 * MS],
    ['a', 4 * MS, 4 * MS],
    ['b', 2 * MS, 8 * MS],
  ]);
});

test('a wait has the time that its thread spent on a CPU', () => {
  const [first, second] = summarise(TWO_PHASES, { sequences: false }).locks;
  expect(first).toEqual({
    thread: 'b',
    lock: 'm',
    outcome: 'acquired',
    waitNs: 6 * MS,
    onCpuNs: 2 * MS,
    holdNs: 2 * MS,
    releasedAtNs: 15 * MS,
  });
  expect(second?.outcome).toBe('open');
  expect(second?.waitNs).toBe(11 * MS);
});

test('a runnable thread that never gets a CPU again is off it until the end', () => {
  // a: off from 12 ms to 20 ms, longer than from 6 ms to 8 ms.
  expect(summarise(TWO_PHASES, { sequences: false }).longestOffCpuNs.a).toBe(8 * MS);
});

test('percentiles are nearest-rank', () => {
  // Ten values: the 50th percentile is the 5th, the 51st percent and the 99th round up.
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  expect(nearestRank(values, 50)).toBe(5);
  expect(nearestRank(values, 51)).toBe(6);
  expect(nearestRank(values, 99)).toBe(10);
});
