import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HandMade, pen, resultOf } from '../testing/by_hand/hand_made.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason, WaitReason } from '../trace/reasons.ts';
import { PrevState, RecordKind } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import type { RunResult } from './result.ts';

const END_US = 1000;
const HAND: HandMade = {
  threads: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  cpus: 2,
  irqSources: [{ cpu: 0, name: 'nic', firstNs: 7_000, periodNs: 31_000, runNs: 3_000 }],
  endUs: END_US,
};

type Move = {
  readonly gapUs: number;
  readonly task: number;
  readonly to: 'run' | 'spin' | 'runnable' | 'sleep' | 'blocked' | 'throttled' | 'exit';
};

const move = fc.record({
  gapUs: fc.integer({ min: 0, max: 40 }),
  task: fc.integer({ min: 0, max: 2 }),
  to: fc.constantFrom<Move['to']>('run', 'run', 'spin', 'runnable', 'sleep', 'blocked', 'throttled', 'exit'),
});

/** In an interrupt a thread on CPU 0 could run and does not. */
const inIrq = (us: number) => us >= 7 && (us - 7) % 31 < 3;

/** Plays moves on a tiny model of two CPUs; what a move cannot do it leaves out. Returns the stream and, by task, the state at each us. */
function play(moves: readonly Move[]) {
  const p = pen();
  const cpuOf = [NONE, NONE, NONE];
  const state: string[] = ['absent', 'absent', 'absent'];
  const history: string[][] = [[], [], []];
  let nowUs = 0;
  const liveUntil = (us: number) => {
    for (; nowUs < us; nowUs++) {
      for (const [i, name] of state.entries()) history[i]!.push(cpuOf[i] === 0 && inIrq(nowUs) ? 'runnable' : name);
    }
  };
  for (const { gapUs, task, to } of moves) {
    const at = Math.min(nowUs + gapUs, END_US - 1);
    liveUntil(at);
    if (state[task] === 'dead') continue;
    const onCpu = cpuOf[task]!;
    if (to === 'run' || to === 'spin') {
      if (onCpu === NONE) {
        const free = [0, 1].find((cpu) => !cpuOf.includes(cpu));
        if (free === undefined) continue;
        if (state[task] !== 'runnable' && state[task] !== 'throttled') p.waking(at, task).wakeup(at, task);
        p.sw(at, free, NONE, 0, task);
        cpuOf[task] = free;
      }
      p.put(at, RecordKind.spinState, { task, a: to === 'spin' ? 1 : 0 });
      state[task] = to;
    } else if (onCpu !== NONE) {
      const [kind, prev, reason] = LEAVE[to];
      if (to === 'exit') p.put(at, RecordKind.taskExit, { task });
      p.state(at, task, kind, reason).sw(at, onCpu, task, prev, NONE);
      cpuOf[task] = NONE;
      state[task] = to === 'exit' ? 'dead' : to;
    }
  }
  liveUntil(END_US);
  return { records: p.records, history };
}

const LEAVE = {
  runnable: [SegKind.runnable, PrevState.runnable, WaitReason.preemptedByWakeup],
  sleep: [SegKind.sleep, PrevState.sleeping, StopReason.sleepStep],
  blocked: [SegKind.blocked, PrevState.blocked, StopReason.lockBlocked],
  throttled: [SegKind.throttled, PrevState.throttled, StopReason.rtThrottled],
  exit: [SegKind.absent, PrevState.exiting, StopReason.ended],
} as const;

const moves = fc.array(move, { minLength: 5, maxLength: 60 });
const window = fc
  .tuple(fc.integer({ min: 0, max: END_US }), fc.integer({ min: 0, max: END_US }))
  .map(([x, y]) => [Math.min(x, y), Math.max(x, y)] as const);

test('every time of a thread in a window is the number of microseconds that it spent in that state', () => {
  fc.assert(
    fc.property(moves, window, (list, [from, to]) => {
      const { records, history } = play(list);
      const result = resultOf(HAND, records, [from, to]);
      result.threads.forEach((thread, i) => {
        const count = (name: string) => history[i]!.slice(from, to).filter((state) => state === name).length * 1000;
        expect(thread.run_ns).toBe(count('run'));
        expect(thread.spin_ns).toBe(count('spin'));
        expect(thread.runnable_ns).toBe(count('runnable'));
        expect(thread.blocked_ns).toBe(count('blocked'));
        expect(thread.sleep_ns).toBe(count('sleep'));
        expect(thread.throttled_ns).toBe(count('throttled'));
      });
      for (const cpu of result.cpus) expect(cpu.busy_ns + cpu.idle_ns + cpu.irq_ns).toBe((to - from) * 1000);
      const used = result.threads.reduce((sum, thread) => sum + thread.run_ns + thread.spin_ns, 0);
      expect(result.cpus.reduce((sum, cpu) => sum + cpu.busy_ns, 0)).toBe(used);
    }),
    { seed: 20261130, numRuns: 300 },
  );
});

test('how the stream is cut into pieces changes nothing', () => {
  fc.assert(
    fc.property(moves, window, fc.integer({ min: 1, max: 9 }), (list, range, rows) => {
      const { records } = play(list);
      expect(resultOf(HAND, records, range, rows)).toEqual(resultOf(HAND, records, range));
    }),
    { seed: 20261130, numRuns: 100 },
  );
});

test('two windows that touch hold the events, samples and times of their union', () => {
  const counts = (result: RunResult) =>
    result.threads.map((t) => [
      t.run_ns,
      t.spin_ns,
      t.runnable_ns,
      t.sleep_ns,
      t.switches,
      t.preemptions,
      t.wakeups,
      t.stint_ns.n,
      t.wakeup_latency_ns.n,
      t.sleep_time_ns.n,
    ]);
  fc.assert(
    fc.property(moves, window, ([...list], [cut]) => {
      const { records } = play(list);
      const left = counts(resultOf(HAND, records, [0, cut]));
      const right = counts(resultOf(HAND, records, [cut, END_US]));
      const sum = left.map((row, i) => row.map((value, j) => value + right[i]![j]!));
      expect(sum).toEqual(counts(resultOf(HAND, records, [0, END_US])));
    }),
    { seed: 20261130, numRuns: 100 },
  );
});
