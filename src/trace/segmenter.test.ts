import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NONE } from './ids.ts';
import type { TaskInfo } from './meta.ts';
import { PickReason, SpinReason, StopReason, WaitReason, WakeReason } from './reasons.ts';
import { createRecords, PrevState, pushRecord, type RecordColumns, RecordKind, WaitMode } from './records.ts';
import { addTasks, createSegmenter, feedRecords, type Segmenter, settle } from './segmenter.ts';
import { SegFlag, SegKind } from './segments.ts';

function task(name: string, change: Partial<TaskInfo> = {}): TaskInfo {
  return { name, tid: 1, policy: 'other', rtPrio: 0, nice: 0, allowedCpus: [0, 1], ...change };
}

const meta = {
  cpus: 2,
  tasks: [task('low'), task('rt', { policy: 'fifo', rtPrio: 10 })],
  locks: [{ name: 'heap', kind: 'spin' }],
};
const LOW = 0;
const RT = 1;
const LANE = { cpu0: 0, cpu1: 1, low: 2, rt: 3, heap: 4, firstWait: 5 };

type Row = readonly [
  tsNs: number,
  kind: RecordKind,
  reason: number,
  cpu: number,
  task: number,
  a: number,
  b: number,
  c: number,
];

function records(rows: readonly Row[]): RecordColumns {
  const r = createRecords(1);
  for (const row of rows) pushRecord(r, ...row);
  return r;
}

function segment(rows: readonly Row[], endNs: number): Segmenter {
  const s = createSegmenter(meta);
  feedRecords(s, records(rows));
  settle(s, endNs);
  return s;
}

/** Rows of one lane as [start, kind, who]. */
function lane(s: Segmenter, id: number): [number, number, number][] {
  const out: [number, number, number][] = [];
  for (let i = 0; i < s.rows.count; i++) {
    if (s.rows.lane[i] === id) out.push([s.rows.startNs[i]!, s.rows.kind[i]!, s.rows.who[i]!]);
  }
  return out;
}

function column(s: Segmenter, id: number, name: 'flags' | 'prio' | 'reason' | 'arg' | 'arg2'): number[] {
  const out: number[] = [];
  for (let i = 0; i < s.rows.count; i++) if (s.rows.lane[i] === id) out.push(s.rows[name][i]!);
  return out;
}

const wake = (t: number, cpu: number, id: number): Row => [t, RecordKind.schedWakeup, 0, cpu, id, NONE, NONE, NONE];
const pick = (
  t: number,
  cpu: number,
  next: number,
  prev: number,
  state: number,
  reason: number = PickReason.only,
): Row => [t, RecordKind.schedSwitch, reason, cpu, next, prev, state, NONE];

test('before any record CPUs idle, threads are absent and locks are free from instant 0', () => {
  const s = segment([], 10);
  expect(lane(s, LANE.cpu0)).toEqual([[0, SegKind.idle, NONE]]);
  expect(lane(s, LANE.low)).toEqual([[0, SegKind.absent, NONE]]);
  expect(lane(s, LANE.heap)).toEqual([[0, SegKind.free, NONE]]);
  expect(column(s, LANE.rt, 'prio')).toEqual([89]); // 99 - rtPrio 10
});

test('a switch ends the run of prev and begins that of next on both lanes', () => {
  const s = segment(
    [wake(0, 0, LOW), pick(2, 0, LOW, NONE, 0), pick(9, 0, NONE, LOW, PrevState.sleeping, PickReason.idle)],
    20,
  );
  expect(lane(s, LANE.cpu0)).toEqual([
    [0, SegKind.idle, NONE],
    [2, SegKind.run, LOW],
    [9, SegKind.idle, NONE],
  ]);
  expect(lane(s, LANE.low)).toEqual([
    [0, SegKind.runnable, 0],
    [2, SegKind.run, 0],
    [9, SegKind.sleep, NONE],
  ]);
});

test('taskState before the switch says why prev stopped and on what', () => {
  const s = segment(
    [
      wake(0, 0, LOW),
      pick(1, 0, LOW, NONE, 0),
      [5, RecordKind.taskState, StopReason.lockBlocked, 0, LOW, SegKind.blocked, 0, RT],
      pick(5, 0, NONE, LOW, PrevState.blocked, PickReason.idle),
    ],
    9,
  );
  expect(lane(s, LANE.low).at(-1)).toEqual([5, SegKind.blocked, NONE]);
  expect([
    column(s, LANE.low, 'reason').at(-1),
    column(s, LANE.low, 'arg').at(-1),
    column(s, LANE.low, 'arg2').at(-1),
  ]).toEqual([StopReason.lockBlocked, 0, RT]);
});

test('a taskState of an earlier instant does not colour a later switch', () => {
  const s = segment(
    [
      pick(1, 0, LOW, NONE, 0),
      [3, RecordKind.taskState, StopReason.io, 0, LOW, SegKind.sleep, NONE, NONE],
      pick(5, 0, RT, LOW, PrevState.runnable, PickReason.rtClass),
    ],
    9,
  );
  expect(lane(s, LANE.low).at(-1)).toEqual([5, SegKind.runnable, 0]);
});

test('put off the CPU is preempted, woken is not, and moving does not change it', () => {
  const s = segment(
    [
      wake(0, 0, LOW),
      pick(1, 0, LOW, NONE, 0),
      [4, RecordKind.taskState, WaitReason.preemptedByClass, 0, LOW, SegKind.runnable, RT, NONE],
      pick(4, 0, RT, LOW, PrevState.runnable, PickReason.rtClass),
      [6, RecordKind.schedMigrateTask, 0, 0, LOW, 0, 1, NONE],
      pick(7, 1, LOW, NONE, 0),
    ],
    9,
  );
  expect(lane(s, LANE.low)).toEqual([
    [0, SegKind.runnable, 0],
    [1, SegKind.run, 0],
    [4, SegKind.runnable, 0],
    [6, SegKind.runnable, 1],
    [7, SegKind.run, 1],
  ]);
  expect(column(s, LANE.low, 'flags').map((flags) => flags & SegFlag.preempted)).toEqual([0, 0, 4, 4, 0]);
  expect(column(s, LANE.low, 'reason')[3]).toBe(WaitReason.moved);
});

test('several changes at one instant leave one row, and a change undone at once leaves none', () => {
  const s = segment(
    [
      pick(1, 0, LOW, NONE, 0),
      pick(5, 0, RT, LOW, PrevState.runnable),
      pick(5, 0, LOW, RT, PrevState.sleeping),
      pick(8, 0, NONE, LOW, PrevState.sleeping, PickReason.idle),
    ],
    9,
  );
  expect(lane(s, LANE.cpu0)).toEqual([
    [0, SegKind.idle, NONE],
    [1, SegKind.run, LOW],
    [8, SegKind.idle, NONE],
  ]);
});

test('a spinner spins on its CPU only, keeps spinning over a preemption and runs again once it has the lock', () => {
  const s = segment(
    [
      pick(0, 0, RT, NONE, 0),
      [2, RecordKind.lockWait, 0, 0, RT, 0, WaitMode.spin, LOW],
      [2, RecordKind.spinState, SpinReason.contended, 0, RT, 1, 0, LOW],
      pick(4, 0, LOW, RT, PrevState.runnable),
      pick(6, 0, RT, LOW, PrevState.runnable),
      [9, RecordKind.spinState, SpinReason.acquired, 0, RT, 0, 0, NONE],
      [9, RecordKind.lockAcquire, 0, 0, RT, 0, 1, NONE],
    ],
    12,
  );
  expect(lane(s, LANE.rt).map(([start, kind]) => [start, kind])).toEqual([
    [0, SegKind.run],
    [2, SegKind.spin],
    [4, SegKind.runnable],
    [6, SegKind.spin],
    [9, SegKind.run],
  ]);
  // Picked while spinning, the row's reason is the pick's and its second operand the lock.
  expect(column(s, LANE.rt, 'arg2')[3]).toBe(0);
  expect(column(s, LANE.rt, 'flags').at(-1)! & SegFlag.holdsLock).toBe(SegFlag.holdsLock);
  expect(lane(s, LANE.cpu0).map(([start, kind, who]) => [start, kind, who])).toEqual([
    [0, SegKind.run, RT],
    [2, SegKind.spin, RT],
    [4, SegKind.run, LOW],
    [6, SegKind.spin, RT],
    [9, SegKind.run, RT],
  ]);
});

test('a lock lane shows the holder and the number of waiters, and each waiter has a lane of its own', () => {
  const s = segment(
    [
      [1, RecordKind.lockAcquire, 0, 0, LOW, 0, 0, NONE],
      [3, RecordKind.lockWait, 0, 1, RT, 0, WaitMode.block, LOW],
      [7, RecordKind.lockRelease, 0, 0, LOW, 0, RT, NONE],
      [7, RecordKind.lockAcquire, 0, 1, RT, 0, 1, NONE],
      [9, RecordKind.lockRelease, 0, 1, RT, 0, NONE, NONE],
    ],
    12,
  );
  expect(lane(s, LANE.heap)).toEqual([
    [0, SegKind.free, NONE],
    [1, SegKind.held, LOW],
    [3, SegKind.held, LOW],
    [7, SegKind.held, RT],
    [9, SegKind.free, NONE],
  ]);
  expect(column(s, LANE.heap, 'arg')).toEqual([0, 0, 1, 0, 0]);
  expect(column(s, LANE.heap, 'reason')).toEqual([
    0,
    SpinReason.acquired,
    SpinReason.acquired,
    WakeReason.handoff,
    WakeReason.unlock,
  ]);
  expect(s.lanes[LANE.firstWait]).toEqual({ id: 5, kind: 'lockWait', subject: 0, task: RT });
  expect(lane(s, LANE.firstWait)).toEqual([
    [3, SegKind.blocked, RT],
    [7, SegKind.absent, NONE],
  ]);
  expect(s.tasks.map((t) => t.holds)).toEqual([0, 0]);
});

test('a boost begins a row with the flag and the inherited prio, and its end another', () => {
  const s = segment(
    [
      pick(0, 0, LOW, NONE, 0),
      [3, RecordKind.schedPiSetprio, 0, 0, LOW, 120, 89, RT],
      [3, RecordKind.taskAttrs, 0, 0, LOW, 89, 1024, 120],
      [6, RecordKind.taskAttrs, 0, 0, LOW, 120, 1024, 120],
    ],
    9,
  );
  expect(lane(s, LANE.low).map(([start]) => start)).toEqual([0, 3, 6]);
  expect(column(s, LANE.low, 'prio')).toEqual([120, 89, 120]);
  expect(column(s, LANE.low, 'flags')).toEqual([0, SegFlag.boosted | SegFlag.rt, 0]);
});

test('a task that runs by grace of the fair server says so until the server ends', () => {
  const s = segment(
    [pick(0, 0, LOW, NONE, 0, PickReason.fairServer), [5, RecordKind.fairServer, 0, 0, NONE, 0, NONE, NONE]],
    9,
  );
  expect(lane(s, LANE.low).map(([start]) => start)).toEqual([0, 5]);
  expect(column(s, LANE.low, 'flags')).toEqual([SegFlag.fairServer, 0]);
});

test('where a recorded switch was lost, the lane says unknown instead of a guess', () => {
  const s = segment([pick(0, 0, LOW, NONE, 0), pick(5, 0, NONE, RT, PrevState.sleeping, PickReason.idle)], 9);
  expect(lane(s, LANE.low).at(-1)).toEqual([5, SegKind.unknown, NONE]);
});

test('a forked task gets the next lane when it is first named, wherever the records were cut', () => {
  const table = [...meta.tasks, task('child')];
  const early: Row[] = [pick(4, 0, LOW, NONE, 0), pick(5, 0, NONE, LOW, 1)];
  const fork: Row[] = [[6, RecordKind.taskNew, 0, 1, 2, NONE, NONE, NONE], wake(8, 1, 2)];
  for (const cut of [[...early, ...fork], undefined]) {
    const s = createSegmenter(meta);
    if (cut === undefined) {
      feedRecords(s, records(early));
      settle(s, 6);
      addTasks(s, table);
      feedRecords(s, records(fork));
    } else {
      addTasks(s, table);
      feedRecords(s, records(cut));
    }
    settle(s, 9);
    expect(s.lanes[5]).toEqual({ id: 5, kind: 'thread', subject: 2, task: NONE });
    expect(lane(s, 5)).toEqual([
      [6, SegKind.absent, NONE],
      [8, SegKind.runnable, 1],
    ]);
  }
});

test('what is wrong in the order of records is a bug, not a picture', () => {
  const s = createSegmenter(meta);
  feedRecords(s, records([wake(5, 0, LOW)]));
  expect(() => feedRecords(s, records([wake(4, 0, LOW)]))).toThrow('order of time');
});

test('rows are the same however the records are cut and whenever rows are taken', () => {
  const anyRecord = fc.record({
    step: fc.nat({ max: 3 }),
    kind: fc.constantFrom(
      RecordKind.schedSwitch,
      RecordKind.schedWakeup,
      RecordKind.schedMigrateTask,
      RecordKind.taskState,
      RecordKind.spinState,
      RecordKind.taskAttrs,
      RecordKind.lockWait,
      RecordKind.lockAcquire,
      RecordKind.lockRelease,
      RecordKind.lockAbort,
      RecordKind.taskExit,
      RecordKind.fairServer,
    ),
    cpu: fc.nat({ max: 1 }),
    task: fc.nat({ max: 1 }),
    other: fc.constantFrom(NONE, 0, 1),
    pick: fc.nat({ max: 12 }),
    bit: fc.nat({ max: 1 }),
    prio: fc.constantFrom(89, 100, 120),
    cut: fc.nat({ max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 60 }), (list) => {
      let t = 0;
      const r = createRecords(1);
      const cuts: number[] = [];
      for (const one of list) {
        t += one.step;
        const operands = operandsOf(one);
        pushRecord(r, t, one.kind, one.pick, one.cpu, operands[0], operands[1], operands[2], operands[3]);
        if (one.cut === 0) cuts.push(r.count);
      }
      const endNs = t + 1;
      const whole = createSegmenter(meta);
      feedRecords(whole, r);
      settle(whole, endNs);

      const cutUp = createSegmenter(meta);
      let from = 0;
      for (const to of [...cuts, r.count]) {
        feedRecords(cutUp, r, from, to);
        // Nothing earlier than the next record can follow.
        settle(cutUp, to < r.count ? r.tsNs[to]! : endNs);
        from = to;
      }
      expect(allLanes(cutUp)).toEqual(allLanes(whole));
      expect(cutUp.lanes).toEqual(whole.lanes);
      for (const rows of allLanes(whole)) {
        for (let i = 1; i < rows.length; i++) expect(rows[i]![0]).toBeGreaterThan(rows[i - 1]![0]!);
      }
    }),
    { numRuns: 300 },
  );
});

function operandsOf(one: {
  kind: number;
  task: number;
  other: number;
  bit: number;
  prio: number;
  step: number;
}): [number, number, number, number] {
  switch (one.kind) {
    case RecordKind.schedSwitch:
      return [one.other, one.other === one.task ? NONE : one.task, one.bit, NONE];
    case RecordKind.schedMigrateTask:
      return [one.task, one.bit, 1 - one.bit, NONE];
    case RecordKind.taskState:
      return [one.task, one.bit === 1 ? SegKind.sleep : SegKind.runnable, one.other, NONE];
    case RecordKind.spinState:
      return [one.task, one.bit, 0, one.other];
    case RecordKind.taskAttrs:
      return [one.task, one.prio, 1024, 120];
    case RecordKind.lockRelease:
      return [one.task, 0, one.other, NONE];
    default:
      return [one.task, 0, one.bit, one.other];
  }
}

function allLanes(s: Segmenter): number[][][] {
  const lanes: number[][][] = s.lanes.map(() => []);
  const r = s.rows;
  for (let i = 0; i < r.count; i++) {
    lanes[r.lane[i]!]!.push([
      r.startNs[i]!,
      r.kind[i]!,
      r.flags[i]!,
      r.who[i]!,
      r.prio[i]!,
      r.reason[i]!,
      r.arg[i]!,
      r.arg2[i]!,
    ]);
  }
  return lanes;
}

function lockRows(kind: string, rows: readonly Row[], endNs: number): Segmenter {
  const s = createSegmenter({ ...meta, locks: [{ name: 'x', kind }] });
  feedRecords(s, records(rows));
  settle(s, endNs);
  return s;
}

test('semaphores, conditions and barriers have waiters but no holder', () => {
  for (const kind of ['sem', 'cond', 'barrier']) {
    const s = lockRows(
      kind,
      [
        [1, RecordKind.lockWait, 0, 0, RT, 0, WaitMode.block, NONE],
        [4, RecordKind.lockRelease, 0, 0, LOW, 0, NONE, NONE],
        [4, RecordKind.lockAcquire, 0, 0, RT, 0, 1, NONE],
      ],
      9,
    );
    expect(lane(s, LANE.heap).map(([start, row, who]) => [start, row, who])).toEqual([
      [0, SegKind.free, NONE],
      [1, SegKind.free, NONE],
      [4, SegKind.free, NONE],
    ]);
    expect(column(s, LANE.heap, 'arg')).toEqual([0, 1, 0]);
    expect(s.tasks.map((one) => one.holds)).toEqual([0, 0]);
  }
});

test('a reader-writer lock is held until the last reader has left', () => {
  const s = lockRows(
    'rw',
    [
      [1, RecordKind.lockAcquire, 0, 0, LOW, 0, 0, NONE],
      [2, RecordKind.lockAcquire, 0, 1, RT, 0, 0, NONE],
      [5, RecordKind.lockRelease, 0, 0, LOW, 0, NONE, NONE],
      [8, RecordKind.lockRelease, 0, 1, RT, 0, NONE, NONE],
    ],
    9,
  );
  expect(lane(s, LANE.heap)).toEqual([
    [0, SegKind.free, NONE],
    [1, SegKind.held, LOW],
    [5, SegKind.held, RT],
    [8, SegKind.free, NONE],
  ]);
  expect(s.tasks.map((one) => one.holds)).toEqual([0, 0]);
});
