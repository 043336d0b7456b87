import { expect, test } from 'vitest';
import { type HandMade, pen, resultOf } from '../testing/by_hand/hand_made.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason, WaitReason } from '../trace/reasons.ts';
import { PrevState, RecordKind } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';

const US = 1000;

/**
 * One CPU, three threads, 100 us:
 *   a runs 0-20, preempted by b, waits 20-50, runs 50-60, sleeps 60-90 (woken at 85, queued at 86), runs 90-100
 *   b (real-time) starts at 20, spins 20-30, runs 30-45, is throttled 45-100
 *   c starts at 45, runs 45-50, ends at 50
 */
const HAND: HandMade = {
  threads: [{ name: 'a' }, { name: 'b', policy: 'fifo', rtPrio: 50 }, { name: 'c' }],
  endUs: 100,
};

function stream() {
  const p = pen();
  p.waking(0, 0).wakeup(0, 0).sw(0, 0, NONE, 0, 0);
  p.waking(20, 1).wakeup(20, 1);
  p.put(20, RecordKind.spinState, { task: 1, a: 1, b: 0 });
  p.state(20, 0, SegKind.runnable, WaitReason.preemptedByClass).sw(20, 0, 0, PrevState.runnable, 1);
  p.put(30, RecordKind.spinState, { task: 1, a: 0, b: 0 });
  p.waking(45, 2).wakeup(45, 2);
  p.state(45, 1, SegKind.throttled, StopReason.rtThrottled).sw(45, 0, 1, PrevState.throttled, 2);
  p.put(50, RecordKind.taskExit, { task: 2 }).sw(50, 0, 2, PrevState.exiting, 0);
  p.state(60, 0, SegKind.sleep, StopReason.sleepStep).sw(60, 0, 0, PrevState.sleeping, NONE);
  p.waking(85, 0).wakeup(86, 0).sw(90, 0, NONE, 0, 0);
  return p.records;
}

test('the six times of each thread are those that the stream spells out', () => {
  const [a, b, c] = resultOf(HAND, stream()).threads;
  expect(a).toMatchObject({
    run_ns: 40 * US,
    spin_ns: 0,
    runnable_ns: 34 * US,
    blocked_ns: 0,
    sleep_ns: 26 * US,
    throttled_ns: 0,
    share: 0.4,
  });
  expect(b).toMatchObject({
    run_ns: 15 * US,
    spin_ns: 10 * US,
    runnable_ns: 0,
    sleep_ns: 0,
    throttled_ns: 55 * US,
    share: 0.25,
  });
  expect(c).toMatchObject({ run_ns: 5 * US, runnable_ns: 0, throttled_ns: 0, share: 0.05, finished_ns: 50 * US });
});

test('counts and distributions follow the switches', () => {
  const [a, b, c] = resultOf(HAND, stream()).threads;
  expect(a).toMatchObject({ switches: 3, preemptions: 1, wakeups: 2, longest_wait_ns: 30 * US, finished_ns: null });
  // Stints 0-20 and 50-60; the one from 90 on never ended.
  expect(a!.stint_ns).toEqual({ n: 2, min: 10 * US, p50: 10 * US, p95: 20 * US, p99: 20 * US, max: 20 * US });
  // Waking to switched in: 0 at the start, 85 to 90 after the sleep.
  expect(a!.wakeup_latency_ns).toMatchObject({ n: 2, min: 0, max: 5 * US });
  expect(a!.sleep_time_ns).toMatchObject({ n: 1, p50: 30 * US });
  expect(b).toMatchObject({ switches: 1, preemptions: 1, longest_wait_ns: 55 * US });
  expect(c!.stint_ns).toMatchObject({ n: 1, p50: 5 * US });
  expect(b!.sleep_time_ns).toEqual({ n: 0, min: null, p50: null, p95: null, p99: null, max: null });
});

test('a window [40, 88) counts what lies inside it', () => {
  const [a, b, c] = resultOf(HAND, stream(), [40, 88]).threads;
  // a: runnable 40-50, run 50-60, sleep 60-86, runnable 86-88.
  expect(a).toMatchObject({
    run_ns: 10 * US,
    runnable_ns: 12 * US,
    sleep_ns: 26 * US,
    switches: 1,
    wakeups: 1,
    preemptions: 0,
    longest_wait_ns: 10 * US,
  });
  expect(a!.share).toBeCloseTo(10 / 48, 12);
  // The switch-in at 90 is outside, so the latency and the sleep step are too.
  expect(a!.wakeup_latency_ns.n).toBe(0);
  expect(a!.sleep_time_ns.n).toBe(0);
  // The stint 20-45 of b ends inside and counts with its whole length.
  expect(b!.stint_ns).toMatchObject({ n: 1, p50: 25 * US });
  expect(b).toMatchObject({ run_ns: 5 * US, spin_ns: 0, throttled_ns: 43 * US });
  expect(c).toMatchObject({ run_ns: 5 * US, finished_ns: 50 * US });
});

test('a window is half-open: an event at its end is outside, one at its start inside', () => {
  expect(resultOf(HAND, stream(), [20, 50]).threads[2]).toMatchObject({
    finished_ns: null,
    switches: 1,
    stint_ns: { n: 0 },
  });
  expect(resultOf(HAND, stream(), [50, 60]).threads[2]).toMatchObject({ finished_ns: 50 * US, run_ns: 0 });
  expect(resultOf(HAND, stream(), [50, 60]).threads[0]).toMatchObject({
    switches: 1,
    stint_ns: { n: 0 },
    run_ns: 10 * US,
  });
});

test('a yield is a switch but no preemption', () => {
  const p = pen().wakeup(0, 0).wakeup(0, 1).sw(0, 0, NONE, 0, 0);
  p.state(10, 0, SegKind.runnable, WaitReason.yielded).sw(10, 0, 0, PrevState.runnable, 1);
  const [a] = resultOf({ threads: [{ name: 'a' }, { name: 'b' }], endUs: 20 }, p.records).threads;
  expect(a).toMatchObject({ preemptions: 0, run_ns: 10 * US, runnable_ns: 10 * US });
});

test('runnable and throttled in a row are one wait', () => {
  const p = pen()
    .wakeup(0, 0)
    .state(10, 0, SegKind.throttled, StopReason.rtThrottled)
    .state(25, 0, SegKind.runnable, WaitReason.unthrottled);
  p.sw(40, 0, NONE, 0, 0);
  const [a] = resultOf({ threads: [{ name: 'a' }], endUs: 50 }, p.records).threads;
  expect(a).toMatchObject({ longest_wait_ns: 40 * US, runnable_ns: 25 * US, throttled_ns: 15 * US });
});

test('priority is the whole run whatever the window, and the last change of an instant counts', () => {
  const p = pen().put(0, RecordKind.taskAttrs, { task: 0, a: 130, b: 110, c: 130 });
  p.put(10, RecordKind.schedPiSetprio, { task: 0, a: 130, b: 120, c: 1 }).put(10, RecordKind.taskAttrs, {
    task: 0,
    a: 120,
    b: 1024,
    c: 130,
  });
  p.put(30, RecordKind.schedPiSetprio, { task: 0, a: 120, b: 130 }).put(30, RecordKind.taskAttrs, {
    task: 0,
    a: 130,
    b: 110,
    c: 130,
  });
  p.put(40, RecordKind.taskAttrs, { task: 0, a: 130, b: 110, c: 130 });
  const [low] = resultOf({ threads: [{ name: 'low', nice: 10 }], endUs: 50 }, p.records, [20, 25]).threads;
  expect(low!.priority).toEqual([
    [0, 130, 110],
    [10 * US, 120, 1024],
    [30 * US, 130, 110],
  ]);
});

test('migrations count where they happen, and a thread that never starts has no time at all', () => {
  const p = pen()
    .wakeup(0, 0)
    .put(5, RecordKind.schedMigrateTask, { task: 0, a: 0, b: 1 })
    .put(15, RecordKind.schedMigrateTask, { task: 0, a: 1, b: 0 });
  const hand: HandMade = { threads: [{ name: 'a' }, { name: 'never' }], cpus: 2, endUs: 20 };
  expect(resultOf(hand, p.records, [10, 20]).threads[0]!.migrations).toBe(1);
  expect(resultOf(hand, p.records).threads[0]).toMatchObject({ migrations: 2, runnable_ns: 20 * US });
  expect(resultOf(hand, p.records).threads[1]).toMatchObject({
    run_ns: 0,
    runnable_ns: 0,
    sleep_ns: 0,
    share: 0,
    priority: [],
  });
});

test('a sleep step lasts until the thread goes on: its switch, its call and a move to another CPU are part of it', () => {
  const costs = { contextSwitchNs: 1_500, syscallNs: 200, migrationNs: 5_000 };
  const sleepOn = (cpu: number) => {
    const p = pen().wakeup(0, 0).sw(0, 0, NONE, 0, 0);
    p.state(10, 0, SegKind.sleep, StopReason.sleepStep).sw(10, 0, 0, PrevState.sleeping, NONE);
    p.waking(60, 0).wakeup(60, 0).sw(64, cpu, NONE, 0, 0);
    return resultOf({ threads: [{ name: 'a' }], cpus: 2, endUs: 100, costs }, p.records).threads[0]!.sleep_time_ns.p50;
  };
  expect(sleepOn(0)).toBe(54_000 + 1_700);
  expect(sleepOn(1)).toBe(54_000 + 6_700);
});
