import { expect, test } from 'vitest';
import { usToNs } from '../base/units.ts';
import { endOf, type HandMade, metaOf, pen, piece, resultOf, scenarioOf } from '../testing/by_hand/hand_made.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason } from '../trace/reasons.ts';
import { PrevState, RecordKind, SpinCountAt, WaitMode } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import { addRecords, createResultBuilder, finishResult } from './build_result.ts';
import { probesFor } from './claims.ts';

const US = 1000;
const HAND: HandMade = { threads: [{ name: 'holder' }, { name: 'spinner' }], locks: ['heap'], cpus: 2, endUs: 200 };

/** holder owns heap 10-110 on CPU 0; spinner on CPU 1 wants it from 20, turns of 4 us, is off its CPU 60-70, gets it at 112. */
function spinStream() {
  const p = pen().wakeup(0, 0).sw(0, 0, NONE, 0, 0).wakeup(0, 1).sw(0, 1, NONE, 0, 1);
  p.put(10, RecordKind.lockAcquire, { task: 0, a: 0, b: 0 });
  p.put(20, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.spin, c: 0 }).put(20, RecordKind.spinState, {
    task: 1,
    a: 1,
    b: 0,
    c: 0,
  });
  p.put(50, RecordKind.spinCount, { task: 1, a: 0, b: 7, reason: SpinCountAt.probe });
  p.state(60, 1, SegKind.runnable).sw(60, 1, 1, PrevState.runnable, NONE).sw(70, 1, NONE, 0, 1);
  p.put(90, RecordKind.spinCount, { task: 1, a: 0, b: 15, reason: SpinCountAt.probe });
  p.put(110, RecordKind.lockRelease, { task: 0, a: 0 });
  p.put(112, RecordKind.spinCount, { task: 1, a: 0, b: 20, reason: SpinCountAt.acquired });
  p.put(112, RecordKind.lockAcquire, { task: 1, a: 0, b: 1 }).put(112, RecordKind.spinState, { task: 1, a: 0, b: 0 });
  return p;
}

test('a slow-path call has its wall time, its CPU time and its failed attempts', () => {
  const [heap] = resultOf(HAND, spinStream().records).locks;
  expect(heap!.slow_path).toEqual([
    {
      thread: 'spinner',
      start_ns: 20 * US,
      wall_ns: 92 * US,
      exec_ns: 82 * US,
      iterations: 20,
      exec_share: 82 / 92,
      holder: 'holder',
    },
  ]);
  expect(heap!.acquisitions).toEqual({ holder: 1, spinner: 1 });
  expect(heap!.wait_ns).toMatchObject({ n: 1, p50: 92 * US });
  // spinner holds it to the end: only the holder's hold is over.
  expect(heap!.hold_ns).toMatchObject({ n: 1, p50: 100 * US });
});

test('in a window the call counts with the part inside, its attempts between the probes at the edges', () => {
  const [heap] = resultOf(HAND, spinStream().records, [50, 90]).locks;
  expect(heap!.slow_path).toEqual([
    {
      thread: 'spinner',
      start_ns: 50 * US,
      wall_ns: 40 * US,
      exec_ns: 30 * US,
      iterations: 8,
      exec_share: 0.75,
      holder: 'holder',
    },
  ]);
  expect(heap!.acquisitions).toEqual({});
  expect(resultOf(HAND, spinStream().records, [90, 200]).locks[0]!.slow_path[0]).toMatchObject({
    wall_ns: 22 * US,
    iterations: 5,
  });
  expect(resultOf(HAND, spinStream().records, [112, 200]).locks[0]!.slow_path).toEqual([]);
});

test('a call that never ends is open and counts up to the end of the run', () => {
  const p = pen().wakeup(0, 1).sw(0, 1, NONE, 0, 1);
  p.put(20, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.spin, c: 0 }).put(200, RecordKind.spinCount, {
    task: 1,
    a: 0,
    b: 45,
    reason: SpinCountAt.end,
  });
  const [heap] = resultOf(HAND, p.records).locks;
  expect(heap!.slow_path).toEqual([
    {
      thread: 'spinner',
      start_ns: 20 * US,
      wall_ns: 180 * US,
      exec_ns: 180 * US,
      iterations: 45,
      exec_share: 1,
      holder: 'holder',
      open: true,
    },
  ]);
  expect(heap!.wait_ns.n).toBe(0);
});

test('a wait in the kernel uses no CPU, and the time is blocked time', () => {
  const p = pen().wakeup(0, 1).sw(0, 1, NONE, 0, 1);
  p.put(30, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.block, c: 0 });
  p.state(30, 1, SegKind.blocked, StopReason.lockBlocked).sw(30, 1, 1, PrevState.blocked, NONE);
  p.waking(80, 1).wakeup(80, 1).sw(80, 1, NONE, 0, 1).put(80, RecordKind.lockAcquire, { task: 1, a: 0, b: 1 });
  const result = resultOf(HAND, p.records);
  expect(result.locks[0]!.slow_path[0]).toMatchObject({ wall_ns: 50 * US, exec_ns: 0, exec_share: 0, iterations: 0 });
  expect(result.threads[1]).toMatchObject({ blocked_ns: 50 * US, sleep_ns: 0 });
});

test('when the kind of the lock changes under a waiter the call goes on, with the attempts of both ways', () => {
  const p = pen().wakeup(0, 1).sw(0, 1, NONE, 0, 1);
  p.put(20, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.spin, c: 0 });
  p.put(60, RecordKind.spinCount, { task: 1, a: 0, b: 9, reason: SpinCountAt.aborted }).put(60, RecordKind.lockAbort, {
    task: 1,
    a: 0,
    b: WaitMode.spin,
  });
  p.put(60, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.spin, c: 0 });
  p.put(80, RecordKind.spinCount, { task: 1, a: 0, b: 4, reason: SpinCountAt.acquired }).put(
    80,
    RecordKind.lockAcquire,
    { task: 1, a: 0, b: 1 },
  );
  const [heap] = resultOf(HAND, p.records).locks;
  expect(heap!.slow_path).toHaveLength(1);
  expect(heap!.slow_path[0]).toMatchObject({ start_ns: 20 * US, wall_ns: 60 * US, iterations: 13 });
});

test('giving up ends a call where it happened, and a later wait is a new one', () => {
  const p = pen().wakeup(0, 1).sw(0, 1, NONE, 0, 1);
  p.put(20, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.spin, c: 0 }).put(60, RecordKind.lockAbort, {
    task: 1,
    a: 0,
    b: WaitMode.spin,
  });
  p.put(90, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.spin, c: 0 }).put(95, RecordKind.lockAcquire, {
    task: 1,
    a: 0,
    b: 1,
  });
  const [heap] = resultOf(HAND, p.records).locks;
  expect(heap!.slow_path.map((call) => [call.start_ns, call.wall_ns, call.exec_ns])).toEqual([
    [20 * US, 40 * US, 40 * US],
    [90 * US, 5 * US, 5 * US],
  ]);
  expect(heap!.wait_ns).toMatchObject({ n: 1, p50: 5 * US });
});

test('one pass checks claims over windows of their own', () => {
  const claim = (text: string, name: string, args: string[], value: number, between?: [number, number]) => ({
    claim: text,
    when: {},
    measure: { name, args, text: `${name}(${args.join(', ')})` },
    test: { test: 'is', value, tolerance: 0, relative: false } as const,
    ...(between === undefined ? {} : { betweenNs: [usToNs(between[0]), usToNs(between[1])] as const }),
  });
  const hand: HandMade = {
    ...HAND,
    claims: [
      claim('turns in the middle', 'iterations', ['spinner', 'heap'], 8, [50, 90]),
      claim('turns in all', 'iterations', ['spinner', 'heap'], 20),
      claim('off by one', 'iterations', ['spinner', 'heap'], 21),
      claim('waits', 'lockWait', ['spinner', 'heap'], 92 * US),
      claim('both', 'cpuTime', ['*'], 0),
    ],
  };
  const scenario = scenarioOf(hand);
  expect(probesFor(scenario.claims, [0, 10_000])).toEqual([0, 10_000, 50_000, 90_000]);
  const builder = createResultBuilder(scenario, metaOf(hand), [usToNs(100), usToNs(200)], scenario.claims);
  const records = spinStream().records;
  addRecords(builder, piece(records, 0, records.count));
  expect(finishResult(builder, endOf(hand)).claims).toEqual([
    { claim: 'turns in the middle', ok: true, actual: 8 },
    { claim: 'turns in all', ok: true, actual: 20 },
    { claim: 'off by one', ok: false, actual: 20 },
    { claim: 'waits', ok: true, actual: 92 * US },
    { claim: 'both', ok: false, actual: null },
  ]);
});

test("the machine's context switches are the thread's time, but no part of its call", () => {
  const hand = { ...HAND, costs: { contextSwitchNs: 4_000 } };
  const p = pen().wakeup(0, 1).sw(0, 1, NONE, 0, 1);
  p.put(20, RecordKind.lockWait, { task: 1, a: 0, b: WaitMode.spin, c: 0 });
  p.state(30, 1, SegKind.sleep, StopReason.backoffSleep).sw(30, 1, 1, PrevState.sleeping, NONE).sw(60, 1, NONE, 0, 1);
  p.put(80, RecordKind.lockAcquire, { task: 1, a: 0, b: 1 });
  // On the CPU 20-30 and 60-80, of which 60-64 is the switch.
  expect(resultOf(hand, p.records).locks[0]!.slow_path[0]).toMatchObject({ wall_ns: 60 * US, exec_ns: 26 * US });
  expect(resultOf(hand, p.records).threads[1]).toMatchObject({ run_ns: 170 * US });
  // A window that begins inside the switch.
  expect(resultOf(hand, p.records, [62, 70]).locks[0]!.slow_path[0]).toMatchObject({
    wall_ns: 8 * US,
    exec_ns: 6 * US,
  });
});
