// biome-ignore-all lint/suspicious/noThenProperty: the scenario format calls it "then".
// Adaptive, hand-off, ceiling and kernel mutexes, and what the kernel does at a circle of PI mutexes. Expected values:
// fact sheet 6.8-6.11, checks V37, V46, V48, catalogue 1-3 and 15, and arithmetic on an ideal machine.

import { describe, expect, test } from 'vitest';
import { acquired, countRecords, findings, marks } from '../../testing/lock_events.ts';
import { picture, type Ran, run, stints } from '../../testing/scene.ts';
import { StopReason } from '../../trace/reasons.ts';
import { RecordKind, SpinCountAt } from '../../trace/records.ts';

function scene(locks: object, threads: readonly object[], cpus = threads.length, over: object = {}): Ran {
  return run({
    duration: '100ms',
    machine: { cpus, kernel: '6.1', hz: 1000, rtThrottling: false, ...over },
    locks,
    threads: threads.map((thread, i) => ({ cpus: [i % cpus], ...thread })),
  });
}

function fifo(name: string, priority: number, start: string, program: readonly unknown[]): object {
  return { name, policy: 'fifo', priority, start, program };
}

function hold(lock: string, time: string): object[] {
  return [{ lock }, { run: time }, { unlock: lock }];
}

describe('priority ceiling', () => {
  test('V37, catalogue 1 and 11: the ceiling holds from the lock on, without any contender', () => {
    const ran = scene(
      { bus: { kind: 'protect', ceiling: 30 } },
      [
        fifo('L', 10, '0ms', hold('bus', '5ms')),
        fifo('H', 30, '1ms', hold('bus', '1ms')),
        fifo('M', 20, '2ms', [{ run: '50ms' }]),
      ],
      1,
    );
    expect(picture(ran)).toBe('L[0-5] H[5-6] M[6-56]');
  });

  test('nested ceilings: the strongest counts until it is given up', () => {
    const ran = scene(
      { a: { kind: 'protect', ceiling: 20 }, b: { kind: 'protect', ceiling: 40 } },
      [
        fifo('L', 10, '0ms', [
          { lock: 'a' },
          { run: '1ms' },
          { lock: 'b' },
          { run: '2ms' },
          { unlock: 'b' },
          { run: '1ms' },
          { unlock: 'a' },
          { run: '1ms' },
        ]),
        fifo('M', 15, '0.5ms', [{ run: '1ms' }]),
        fifo('N', 30, '2ms', [{ run: '1ms' }]),
      ],
      1,
    );
    // N waits for b (40 > 30) only, M for a too.
    expect(picture(ran)).toBe('L[0-3] N[3-4] L[4-5] M[5-6] L[6-7]');
  });

  test('EINVAL for a thread without real-time policy, and for one above the ceiling: a finding, and no lock', () => {
    const ran = scene({ p: { kind: 'protect', ceiling: 30 } }, [
      { name: 'F', program: [{ lock: 'p', else: [{ mark: 'refused' }, 'exit'] }, { unlock: 'p' }] },
      fifo('R', 40, '1ms', [{ tryLock: 'p', then: [{ unlock: 'p' }], else: [{ mark: 'too strong' }] }]),
    ]);
    expect(findings(ran)).toEqual(['protectRefused F@0', 'protectRefused R@1']);
    expect(marks(ran)).toEqual(['refused@0', 'too strong@1']);
    expect(acquired(ran)).toEqual([]);
  });

  test('one that gives up waiting gives the ceiling up too', () => {
    const ran = scene(
      { p: { kind: 'protect', ceiling: 30 } },
      [
        fifo('A', 10, '0ms', hold('p', '9ms')),
        { ...fifo('B', 10, '1ms', [{ lock: 'p', timeout: '1ms', else: [{ run: '2ms' }] }]), cpus: [1] },
        { ...fifo('C', 20, '3ms', [{ run: '1ms' }]), cpus: [1] },
      ],
      2,
    );
    // B gives up at 2 ms and is at 10 again: C preempts it at 3.
    expect(picture(ran, 10, 1)).toBe('B[2-3] C[3-4] B[4-5]');
  });
});

describe('hand-off', () => {
  test('V46: two threads alternate every 1000 us', () => {
    const loop = [{ repeat: 10, do: hold('m', '1ms') }];
    const ran = scene({ m: { kind: 'handoff' } }, [
      { name: 'T1', program: loop },
      { name: 'T2', program: loop },
    ]);
    expect(acquired(ran).slice(0, 6)).toEqual(['T1@0', 'T2@1', 'T1@2', 'T2@3', 'T1@4', 'T2@5']);
  });

  test('is first-come, whatever the priorities', () => {
    const ran = scene({ m: { kind: 'handoff' } }, [
      { name: 'H', program: hold('m', '5ms') },
      { name: 'F', start: '1ms', nice: 19, program: hold('m', '1ms') },
      fifo('R', 50, '2ms', hold('m', '1ms')),
    ]);
    expect(acquired(ran)).toEqual(['H@0', 'F@5', 'R@6']);
  });
});

describe('adaptive mutex', () => {
  function failedTries(ran: Ran, at: number): number[] {
    const r = ran.records;
    const list: number[] = [];
    for (let i = 0; i < r.count; i++) if (r.kind[i] === RecordKind.spinCount && r.reason[i] === at) list.push(r.b[i]!);
    return list;
  }

  test('V48: a first contended call makes 10 tries, then sleeps; the average grows to 1 and to 2: then 12 and 14 tries', () => {
    // (11 - 0) / 8, then (13 - 1) / 8, rounded toward zero: each adds 1.
    const ran = scene({ m: { kind: 'adaptive' } }, [
      fifo('H', 1, '0ms', [{ repeat: 3, do: [...hold('m', '2ms'), { period: '5ms' }] }]),
      fifo('S', 1, '1ms', [{ repeat: 3, do: [...hold('m', '1us'), { period: '5ms' }] }]),
    ]);
    expect(failedTries(ran, SpinCountAt.aborted)).toEqual([10, 12, 14]);
    expect(acquired(ran)).toEqual(['H@0', 'S@2', 'H@5', 'S@7', 'H@10', 'S@12']);
    // 10 pauses of 40 ns.
    expect(stints(ran, 1)[0]!.toNs - stints(ran, 1)[0]!.fromNs).toBe(400);
  });

  test('catalogue 15: a critical section of 0.3 us is outwaited without a switch', () => {
    const ran = scene({ m: { kind: 'adaptive' } }, [
      { name: 'H', program: [{ sleepUntil: '1ms' }, ...hold('m', '0.3us')] },
      { name: 'S', start: '1.05ms', program: [...hold('m', '1us')] },
    ]);
    // H, with 50 us of slack, takes it at 1.05 ms; the eighth try, after 320 ns, finds it free.
    expect(acquired(ran)).toEqual(['H@1.05', 'S@1.05032']);
    expect(countRecords(ran, RecordKind.taskState, StopReason.lockBlocked)).toBe(0);
    expect(failedTries(ran, SpinCountAt.acquired)).toEqual([7]);
  });

  test('`spins` bounds the tries; none means a plain futex', () => {
    const tries = (spins: number) =>
      failedTries(
        scene({ m: { kind: 'adaptive', spins } }, [
          { name: 'H', program: hold('m', '2ms') },
          { name: 'S', start: '1ms', program: hold('m', '1us') },
        ]),
        SpinCountAt.aborted,
      );
    expect(tries(3)).toEqual([3]);
    expect(tries(0)).toEqual([]);
  });
});

describe('the kernel’s mutex', () => {
  test('spins while the owner runs, and takes it at the release without a switch', () => {
    const ran = scene({ k: { kind: 'kernel' } }, [
      { name: 'H', program: hold('k', '5ms') },
      { name: 'S', start: '1ms', program: hold('k', '1ms') },
    ]);
    expect(acquired(ran)).toEqual(['H@0', 'S@5']);
    expect(picture(ran, 10, 1)).toBe('S[1-6]');
  });

  test('spinners line up: first come, first served', () => {
    const ran = scene({ k: { kind: 'kernel' } }, [
      { name: 'H', program: hold('k', '5ms') },
      { name: 'A', start: '1ms', program: hold('k', '1ms') },
      fifo('B', 50, '2ms', hold('k', '1ms')),
    ]);
    expect(acquired(ran)).toEqual(['H@0', 'A@5', 'B@6']);
  });

  test('stops spinning when the owner leaves its CPU: all in line go to sleep', () => {
    const ran = scene({ k: { kind: 'kernel' } }, [
      {
        name: 'H',
        policy: 'fifo',
        priority: 1,
        program: [{ lock: 'k' }, { run: '3ms' }, { sleep: '4ms' }, { unlock: 'k' }],
      },
      { name: 'A', start: '1ms', program: hold('k', '1ms') },
      { name: 'B', start: '2ms', program: hold('k', '1ms') },
    ]);
    expect(picture(ran, 10, 1)).toBe('A[1-3] A[7-8]');
    expect(stints(ran, 2)[0]).toMatchObject({ fromNs: 2e6, toNs: 3e6 });
    expect(acquired(ran)).toEqual(['H@0', 'A@7', 'B@8']);
  });

  test('a waiter that woke in vain is handed the lock', () => {
    // W sleeps in the queue; each wake-up takes 10 us, in which H takes the lock again, once.
    const ran = scene(
      { k: { kind: 'kernel' } },
      [
        fifo('H', 1, '0ms', [
          { lock: 'k' },
          { sleep: '2ms' },
          { unlock: 'k' },
          { run: '1us' },
          { repeat: 3, do: [{ lock: 'k' }, { run: '1ms' }, { unlock: 'k' }] },
        ]),
        { name: 'W', start: '1ms', program: hold('k', '1ms') },
      ],
      2,
      { costs: { wakeupIpi: '10us' } },
    );
    // Released at 2, retaken at 2.001; W is up at 2.01, and gets it at the next release, at 3.001.
    expect(acquired(ran).slice(0, 4)).toEqual(['H@0', 'H@2.001', 'W@3.001', 'H@4.001']);
  });

  test('a spinner that is put off its CPU sleeps when it comes back', () => {
    const ran = scene(
      { k: { kind: 'kernel' } },
      [
        { name: 'H', cpus: [0], program: hold('k', '8ms') },
        { name: 'S', cpus: [1], start: '1ms', program: hold('k', '1ms') },
        { ...fifo('R', 1, '2ms', [{ run: '1ms' }]), cpus: [1] },
      ],
      2,
    );
    expect(picture(ran, 10, 1)).toBe('S[1-2] R[2-3] S[8-9]');
    expect(countRecords(ran, RecordKind.taskState, StopReason.lockBlocked, 'S')).toBe(1);
  });
});

describe('catalogue 3: ABBA on PI mutexes', () => {
  const locks = { a: { kind: 'pi' }, b: { kind: 'pi' } };
  const first = {
    name: 'T1',
    program: [{ lock: 'a' }, { run: '2ms' }, { lock: 'b' }, { unlock: 'b' }, { unlock: 'a' }],
  };

  test('the second locker gets EDEADLK, and the C library parks it for ever', () => {
    const ran = scene(locks, [
      first,
      {
        name: 'T2',
        start: '1ms',
        program: [{ lock: 'b' }, { run: '2ms' }, { lock: 'a' }, { unlock: 'a' }, { unlock: 'b' }],
      },
    ]);
    expect(findings(ran).slice(0, 1)).toEqual(['deadlockDetected T2@3']);
    expect(countRecords(ran, RecordKind.taskState, StopReason.parkedDeadlock, 'T2')).toBe(1);
    expect(acquired(ran)).toEqual(['T1@0', 'T2@1']);
  });

  test('a program that looks at the answer backs out', () => {
    const ran = scene(locks, [
      first,
      {
        name: 'T2',
        start: '1ms',
        program: [
          { lock: 'b' },
          { run: '2ms' },
          { lock: 'a', else: [{ unlock: 'b' }, { mark: 'backed out' }, 'exit'] },
        ],
      },
    ]);
    expect(marks(ran)).toEqual(['backed out@3']);
    expect(acquired(ran)).toEqual(['T1@0', 'T2@1', 'T1@3']);
  });
});
