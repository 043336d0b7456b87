import { expect, test } from 'vitest';
import type { RecordedEvent } from './recorded_run.ts';
import { recordedRun, sleepsOfLog } from './recorded_run.ts';

// Events of a recording of pi-reweight-short on 6.12, shortened.
const START = 9_565_316_671;
const MAIN = 242;
const LOW = 243;
const mark = (atNs: number, pid: number, text: string): RecordedEvent => ({ atNs, cpu: 0, kind: 'mark', pid, text });
const to = (atNs: number, prev: number, prevState: number, next: number): RecordedEvent => ({
  atNs,
  cpu: 0,
  kind: 'switch',
  prev,
  prevState,
  next,
});
const EVENTS: RecordedEvent[] = [
  mark(START, MAIN, 'workload pi-reweight'),
  mark(9_565_323_534, MAIN, 'thread main tid=242 policy=OTHER prio=0'),
  to(9_565_510_541, MAIN, 1, LOW),
  mark(9_565_525_130, LOW, 'thread low tid=243 policy=OTHER prio=10'),
  mark(9_565_527_139, LOW, 'lock_req low m'),
  mark(9_565_529_179, LOW, 'lock_acq low m'),
  { atNs: 9_565_658_231, cpu: 0, kind: 'waking', pid: MAIN },
  to(9_565_663_475, LOW, 0, MAIN),
  to(9_572_014_742, MAIN, 0, 17),
  to(9_572_041_560, 17, 1, MAIN),
  to(9_588_005_048, MAIN, 0x100, LOW),
  { atNs: 9_588_105_048, cpu: 0, kind: 'boost', pid: LOW, oldPrio: 130, newPrio: 120 },
  mark(9_592_005_174, LOW, 'lock_rel low m'),
];

test('events become stints, named by the thread marks', () => {
  const { observation, startNs } = recordedRun(EVENTS, 1, '');
  expect(startNs).toBe(START);
  expect(observation.stints).toEqual([
    { thread: 'main', cpu: 0, fromNs: 0, toNs: 193_870, endedBy: 'sleeping' },
    { thread: 'low', cpu: 0, fromNs: 193_870, toNs: 346_804, endedBy: 'runnable' },
    { thread: 'main', cpu: 0, fromNs: 346_804, toNs: 6_698_071, endedBy: 'runnable' },
    { thread: 'main', cpu: 0, fromNs: 6_724_889, toNs: 22_688_377, endedBy: 'runnable' },
    { thread: 'low', cpu: 0, fromNs: 22_688_377, toNs: 26_688_503, endedBy: 'open' },
  ]);
});

test('latency counts from sched_waking to the switch', () => {
  const { wakeups } = recordedRun(EVENTS, 1, '').observation;
  expect(wakeups).toEqual([{ thread: 'main', atNs: 341_560, latencyNs: 5_244 }]);
});

test('lock marks become calls and sched_pi_setprio becomes a boost', () => {
  const { observation } = recordedRun(EVENTS, 1, '');
  expect(observation.locks).toEqual([
    { thread: 'low', lock: 'm', askedNs: 210_468, acquiredNs: 212_508, releasedNs: 26_688_503 },
  ]);
  expect(observation.boosts).toEqual(['low 130->120']);
});

test('who leaves as a zombie or dead has exited', () => {
  const events = [...EVENTS, to(9_592_100_000, LOW, 0x20, MAIN), to(9_592_200_000, MAIN, 0x10, 0)];
  const ends = recordedRun(events, 1, '').observation.stints.map((stint) => stint.endedBy);
  expect(ends.slice(-2)).toEqual(['exited', 'exited']);
});

test('counts of the slow path are read from its marks', () => {
  const events: RecordedEvent[] = [
    mark(5_000_000_000, 1, 'workload bmalloc'),
    mark(5_000_001_000, 1, 'thread vqueue:src tid=1 policy=FIFO prio=50'),
    mark(5_000_002_000, 1, 'lock_req vqueue:src bmalloc'),
    mark(5_000_009_000, 1, 'lock_abort vqueue:src bmalloc iters=680431 wall_us=7 cpu_us=7'),
  ];
  expect(recordedRun(events, 4, '').observation.locks).toEqual([
    { thread: 'vqueue:src', lock: 'bmalloc', askedNs: 2_000, abortedNs: 9_000, iterations: 680_431 },
  ]);
});

test('elapsed times of usleep come from the program itself', () => {
  const log = 'RES usleep fair req_us=125 min=181.6 p50=181.7 p90=181.8 p99=182.5 max=182.7 mean=181.7\nRES other';
  expect(sleepsOfLog(log)).toEqual([{ phase: 'fair_125', n: 200, minNs: 181_600, p50Ns: 181_700, maxNs: 182_700 }]);
});
