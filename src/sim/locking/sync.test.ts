// biome-ignore-all lint/suspicious/noThenProperty: the scenario format calls it "then".
// Semaphores, conditions, barriers, reader-writer locks. Expected instants are arithmetic on an ideal machine: all costs 0,
// every thread on its own CPU unless said.

import { describe, expect, test } from 'vitest';
import { acquired, countRecords, findings, marks } from '../../testing/lock_events.ts';
import { type Ran, run } from '../../testing/scene.ts';
import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import { RecordKind } from '../../trace/records.ts';

function scene(locks: object, threads: readonly object[], over: object = {}): Ran {
  return run({
    duration: '100ms',
    machine: { cpus: threads.length, kernel: '6.1', hz: 1000, rtThrottling: false, ...over },
    locks,
    threads: threads.map((thread, i) => ({ cpus: [i % threads.length], ...thread })),
  });
}

describe('semaphores', () => {
  test('let as many in as their value says; the next comes in at the first post', () => {
    const use = [{ wait: 's' }, { run: '1ms' }, { post: 's' }];
    const ran = scene({ s: { kind: 'sem', initial: 2 } }, [
      { name: 'A', program: use },
      { name: 'B', program: use },
      { name: 'C', program: use },
    ]);
    expect(acquired(ran)).toEqual(['A@0', 'B@0', 'C@1']);
  });

  test('a post that nobody waits for is kept', () => {
    const ran = scene({ s: { kind: 'sem' } }, [
      { name: 'P', program: [{ post: 's' }, { post: 's' }] },
      { name: 'C', start: '5ms', program: [{ wait: 's' }, { wait: 's' }, { mark: 'twice' }, { wait: 's' }] },
    ]);
    expect(marks(ran)).toEqual(['twice@5']);
    expect(countRecords(ran, RecordKind.taskState, StopReason.semWait, 'C')).toBe(1);
  });

  test('a real-time waiter is served before fair ones that came earlier, equal ones in order of arrival', () => {
    const take = [{ wait: 's' }];
    const ran = scene({ s: { kind: 'sem' } }, [
      { name: 'F1', start: '1ms', nice: 10, program: take },
      { name: 'F2', start: '2ms', nice: -10, program: take },
      { name: 'R', start: '3ms', policy: 'fifo', priority: 1, program: take },
      { name: 'P', start: '4ms', program: [{ repeat: 3, do: [{ post: 's' }, { run: '1ms' }] }] },
    ]);
    expect(acquired(ran)).toEqual(['R@4', 'F1@5', 'F2@6']);
    expect(countRecords(ran, RecordKind.schedWaking, WakeReason.post)).toBe(3);
    expect(countRecords(ran, RecordKind.taskState, WaitReason.wokenByPost)).toBe(3);
  });

  test('there is no hand-off: who is on a CPU is faster than the one that was woken, which sleeps again', () => {
    // The wake-up takes 10 us to arrive; P takes the semaphore back after 1 us.
    const ran = scene(
      { s: { kind: 'sem' } },
      [
        { name: 'W', program: [{ wait: 's' }] },
        {
          name: 'P',
          start: '1ms',
          program: [{ post: 's' }, { run: '1us' }, { wait: 's' }, { sleep: '1ms' }, { post: 's' }],
        },
      ],
      { costs: { wakeupIpi: '10us' } },
    );
    expect(acquired(ran)[0]).toBe('P@1.001');
    expect(countRecords(ran, RecordKind.taskState, StopReason.semWait, 'W')).toBe(2);
    expect(acquired(ran)).toHaveLength(2);
  });

  test('the caller pays for calls that enter the kernel only: a wait that sleeps, a post that wakes', () => {
    const ran = scene(
      { s: { kind: 'sem', initial: 1 } },
      [
        { name: 'A', program: [{ wait: 's' }, { post: 's' }, { mark: 'free' }] },
        { name: 'B', start: '1ms', program: [{ wait: 's' }, { wait: 's' }] },
        { name: 'C', start: '2ms', program: [{ post: 's' }, { mark: 'posted' }] },
      ],
      { costs: { syscall: '200ns' } },
    );
    expect(marks(ran)).toEqual(['free@0', 'posted@2.0002']);
  });
});

describe('barriers', () => {
  test('let all go when the last one comes, round after round', () => {
    const party = (name: string, work: string) => ({
      name,
      program: [{ repeat: 2, do: [{ run: work }, { barrier: 'b' }, { mark: name }] }],
    });
    const ran = scene({ b: { kind: 'barrier', parties: 3 } }, [
      party('A', '1ms'),
      party('B', '2ms'),
      party('C', '3ms'),
    ]);
    expect([...marks(ran)].sort()).toEqual(['A@3', 'A@6', 'B@3', 'B@6', 'C@3', 'C@6']);
    expect(countRecords(ran, RecordKind.taskState, StopReason.barrierWait)).toBe(4);
    expect(countRecords(ran, RecordKind.taskState, WaitReason.wokenByBarrier)).toBe(4);
  });

  test('a barrier of one holds nobody up', () => {
    const ran = scene({ b: { kind: 'barrier', parties: 1 } }, [
      { name: 'A', program: [{ barrier: 'b' }, { mark: 'on' }] },
    ]);
    expect(marks(ran)).toEqual(['on@0']);
  });
});

describe('conditions', () => {
  const wait = [{ lock: 'm' }, { condWait: 'c', lock: 'm' }, { mark: 'go' }, { run: '1ms' }, { unlock: 'm' }];
  const mutex = { m: { kind: 'futex' } };

  test('a waiter gives the mutex up, and takes it again before it goes on', () => {
    const ran = scene({ ...mutex, c: { kind: 'cond' } }, [
      { name: 'W', program: wait },
      { name: 'S', start: '1ms', program: [{ lock: 'm' }, { signal: 'c' }, { run: '2ms' }, { unlock: 'm' }] },
    ]);
    expect(acquired(ran, 'm')).toEqual(['W@0', 'S@1', 'W@3']);
    expect(acquired(ran, 'c')).toEqual(['W@1']);
    expect(marks(ran)).toEqual(['go@3']);
    expect(countRecords(ran, RecordKind.taskState, WaitReason.wokenBySignal)).toBe(1);
  });

  test('a signal that nobody waits for is lost', () => {
    const ran = scene({ ...mutex, c: { kind: 'cond' } }, [
      { name: 'S', program: [{ signal: 'c' }] },
      { name: 'W', start: '1ms', program: wait },
    ]);
    expect(marks(ran)).toEqual([]);
  });

  // Fact sheet, catalogue 10.
  test.each([
    [false, 16, 15, 15],
    [true, 1, 15, 0],
  ])(
    'thundering herd of 16, requeue %s: %i wake at the broadcast, %i at a release, %i woke for nothing',
    (requeue, signals, unlocks, wasted) => {
      const herd = Array.from({ length: 16 }, (_, i) => ({ name: `W${i}`, program: wait }));
      const ran = scene({ ...mutex, c: { kind: 'cond', requeue } }, [
        ...herd,
        { name: 'S', start: '5ms', program: [{ broadcast: 'c' }] },
      ]);
      expect(countRecords(ran, RecordKind.schedWaking, WakeReason.signal)).toBe(signals);
      expect(countRecords(ran, RecordKind.schedWaking, WakeReason.unlock)).toBe(unlocks);
      const blocked = countRecords(ran, RecordKind.taskState, StopReason.lockBlocked);
      expect(blocked - (requeue ? unlocks : 0)).toBe(wasted);
      // One after the other, a millisecond each.
      expect(
        acquired(ran, 'm')
          .slice(16)
          .map((text) => text.split('@')[1]),
      ).toEqual(Array.from({ length: 16 }, (_, i) => String(5 + i)));
    },
  );

  test('a late waiter can’t take the signal that an earlier group is due, however strong it is; with requeue it can', () => {
    const order = (requeue: boolean) => {
      const waitOnly = [{ lock: 'm' }, { condWait: 'c', lock: 'm' }, { unlock: 'm' }];
      const ran = scene({ ...mutex, c: { kind: 'cond', requeue } }, [
        { name: 'F1', start: '1ms', program: waitOnly },
        { name: 'F2', start: '2ms', program: waitOnly },
        {
          name: 'S',
          start: '3ms',
          program: [{ signal: 'c' }, { sleepUntil: '5ms' }, { signal: 'c' }, { run: '1ms' }, { signal: 'c' }],
        },
        { name: 'R', start: '4ms', policy: 'fifo', priority: 9, program: waitOnly },
      ]);
      return acquired(ran, 'c').map((text) => text.split('@')[0]);
    };
    expect(order(false)).toEqual(['F1', 'F2', 'R']);
    expect(order(true)).toEqual(['F1', 'R', 'F2']);
  });

  test('waiting without the lock is a finding', () => {
    const ran = scene({ ...mutex, c: { kind: 'cond' } }, [
      { name: 'H', program: [{ lock: 'm' }, { run: '5ms' }, { unlock: 'm' }] },
      {
        name: 'W',
        start: '1ms',
        program: [{ tryLock: 'm', then: [], else: [] }, { condWait: 'c', lock: 'm' }, { mark: 'go' }, { unlock: 'm' }],
      },
      { name: 'S', start: '2ms', program: [{ signal: 'c' }] },
    ]);
    expect(findings(ran)).toEqual(['condWithoutLock W@1']);
    expect(marks(ran)).toEqual(['go@5']);
  });

  test('a broadcast that moves waiters to a PI mutex lets the strongest boost its holder', () => {
    const waitOnly = [{ lock: 'm' }, { condWait: 'c', lock: 'm' }, { unlock: 'm' }];
    const ran = scene({ m: { kind: 'pi' }, c: { kind: 'cond', requeue: true } }, [
      { name: 'R1', policy: 'fifo', priority: 30, program: waitOnly },
      { name: 'R2', policy: 'fifo', priority: 20, program: waitOnly },
      { name: 'S', start: '1ms', program: [{ lock: 'm' }, { broadcast: 'c' }, { run: '3ms' }, { unlock: 'm' }] },
    ]);
    const r = ran.records;
    const boosts: string[] = [];
    for (let i = 0; i < r.count; i++)
      if (r.kind[i] === RecordKind.schedPiSetprio)
        boosts.push(`${ran.sim.tasks[r.task[i]!]!.name} ${r.a[i]}->${r.b[i]}`);
    // R2 is moved first (R1, first in the queue, is woken and blocks on its own).
    expect(boosts).toEqual(['S 120->79', 'S 79->69', 'S 69->120']);
    expect(acquired(ran, 'm').slice(-2)).toEqual(['R1@4', 'R2@4']);
  });
});

describe('reader-writer locks', () => {
  const reader = (name: string, start: string, hold: string) => ({
    name,
    start,
    program: [{ readLock: 'l' }, { run: hold }, { unlock: 'l' }],
  });
  const writer = (name: string, start: string, hold: string) => ({
    name,
    start,
    program: [{ lock: 'l' }, { run: hold }, { unlock: 'l' }],
  });

  test.each([
    ['readers', ['R1@0', 'R2@2', 'W@6']],
    ['writers', ['R1@0', 'W@4', 'R2@5']],
  ])('prefer %s: a reader that comes while a writer waits for readers', (prefer, expected) => {
    const ran = scene({ l: { kind: 'rw', prefer } }, [
      reader('R1', '0ms', '4ms'),
      writer('W', '1ms', '1ms'),
      reader('R2', '2ms', '4ms'),
    ]);
    expect(acquired(ran)).toEqual(expected);
  });

  test.each([
    ['readers', ['W1@0', 'R1@2', 'R2@2', 'W2@3']],
    ['writers', ['W1@0', 'W2@2', 'R1@3', 'R2@3']],
  ])('prefer %s: a writer releases while readers and a writer wait', (prefer, expected) => {
    const ran = scene({ l: { kind: 'rw', prefer } }, [
      writer('W1', '0ms', '2ms'),
      reader('R1', '0.5ms', '1ms'),
      writer('W2', '1ms', '1ms'),
      reader('R2', '1.5ms', '1ms'),
    ]);
    expect(acquired(ran)).toEqual(expected);
  });

  test('a stream of overlapping readers starves a writer only where readers are preferred', () => {
    const stream = (name: string, start: string) => ({
      name,
      start,
      program: [{ repeat: 'forever', do: [{ readLock: 'l' }, { run: '2ms' }, { unlock: 'l' }, { run: '1us' }] }],
    });
    const wait = (prefer: string) =>
      acquired(
        scene({ l: { kind: 'rw', prefer } }, [stream('R1', '0ms'), stream('R2', '1ms'), writer('W', '5ms', '1ms')]),
      ).filter((text) => text.startsWith('W@'));
    expect(wait('readers')).toEqual([]);
    expect(wait('writers')).toHaveLength(1);
  });

  test('a thread may read twice, and a lock is free when it has unlocked twice', () => {
    const ran = scene({ l: { kind: 'rw' } }, [
      {
        name: 'R',
        program: [
          { readLock: 'l' },
          { readLock: 'l' },
          { run: '1ms' },
          { unlock: 'l' },
          { run: '1ms' },
          { unlock: 'l' },
        ],
      },
      writer('W', '0.5ms', '1ms'),
    ]);
    expect(acquired(ran)).toEqual(['R@0', 'R@0', 'W@2']);
    expect(findings(ran)).toEqual([]);
  });

  test('a writer that gives up lets in the readers that it kept out', () => {
    const ran = scene({ l: { kind: 'rw', prefer: 'writers' } }, [
      reader('R1', '0ms', '9ms'),
      {
        name: 'W',
        start: '1ms',
        policy: 'fifo',
        priority: 1,
        program: [{ lock: 'l', timeout: '2ms', else: [{ mark: 'gave up' }, 'exit'] }],
      },
      reader('R2', '2ms', '1ms'),
    ]);
    expect(marks(ran)).toEqual(['gave up@3']);
    expect(acquired(ran)).toEqual(['R1@0', 'R2@3']);
  });

  test('tryLock fails while readers hold it', () => {
    const ran = scene({ l: { kind: 'rw' } }, [
      reader('R', '0ms', '2ms'),
      { name: 'W', start: '1ms', program: [{ tryLock: 'l', then: [], else: [{ mark: 'busy' }] }] },
    ]);
    expect(marks(ran)).toEqual(['busy@1']);
  });
});
