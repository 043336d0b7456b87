import { expect, test } from 'vitest';
import { scenarioOf } from '../testing/scene.ts';
import {
  advance,
  checkpoint,
  createSimulation,
  hashOf,
  historyOf,
  noteHistory,
  restore,
  type Simulation,
  stateAt,
  takeRecords,
} from './api.ts';

const HOG = [{ run: 'forever' }];

/** A scene with something of everything: groups with quota, a PI lock, timers, random times, two CPUs. */
const MIXED = scenarioOf({
  duration: '400ms',
  machine: { kernel: '6.12', cpus: 2, hz: 250 },
  groups: { g: { quota: '20ms', period: '100ms' } },
  locks: { L: { kind: 'pi' } },
  threads: [
    { name: 'A', group: 'g', program: HOG },
    {
      name: 'B',
      nice: 5,
      program: [
        {
          repeat: 'forever',
          do: [{ lock: 'L' }, { run: { uniform: ['1ms', '3ms'] } }, { unlock: 'L' }, { sleep: '1ms' }],
        },
      ],
    },
    {
      name: 'C',
      policy: 'fifo',
      priority: 5,
      program: [{ repeat: 'forever', do: [{ lock: 'L' }, { run: '500us' }, { unlock: 'L' }, { sleep: '7ms' }] }],
    },
    { name: 'D', cpus: [0], program: HOG },
  ],
});

function finish(sim: Simulation): string {
  while (advance(sim, Number.POSITIVE_INFINITY, 1000) === 'running') takeRecords(sim);
  takeRecords(sim);
  return hashOf(sim);
}

test('a run from a checkpoint at any instant ends as the run itself', () => {
  const whole = finish(createSimulation(MIXED));
  for (let ms = 0; ms < 400; ms += 13) {
    const sim = createSimulation(MIXED);
    advance(sim, ms * 1e6, Number.POSITIVE_INFINITY);
    takeRecords(sim);
    const kept = checkpoint(sim);
    expect(finish(restore(kept))).toBe(whole);
    // A checkpoint is not used up, and the run itself is not touched.
    expect(finish(restore(kept))).toBe(whole);
    expect(finish(sim)).toBe(whole);
  }
});

test('the state at an instant: queues in order with the numbers that decide', () => {
  const sim = createSimulation(
    scenarioOf({
      duration: '20ms',
      machine: { kernel: '6.12', cpus: 1, hz: 250, tunableScaling: 'none', tunables: { base_slice_ns: '3ms' } },
      locks: { L: { kind: 'futex' } },
      threads: [
        { name: 'A', program: [{ lock: 'L' }, ...HOG] },
        { name: 'B', program: HOG },
        { name: 'W', start: '9ms', policy: 'fifo', priority: 1, program: [{ lock: 'L' }] },
        { name: 'S', program: [{ sleep: '15ms' }] },
      ],
    }),
  );
  const history = historyOf(sim);
  while (advance(sim, Number.POSITIVE_INFINITY, 5) === 'running') {
    takeRecords(sim);
    noteHistory(history, sim);
  }
  // A runs its request of 3 ms up to the tick at 4 ms, then B to 8 ms; S goes to sleep there; then A runs until W comes at 9 ms
  // and blocks on the lock: A, at v = 5 ms, is beyond V = 4.5 ms, so B goes on. At 9.5 ms B is at 4.5 ms and V at 4.75 ms.
  const state = stateAt(history, 9_500_000);
  const [fair] = state.cpus[0]!.fair;
  expect(state.cpus[0]!.current).toBe(1);
  expect(fair!.v).toBe(4_750_000);
  expect(fair!.entities.map((e) => [e.task, e.isCurrent, e.vruntime, e.lag, e.eligible])).toEqual([
    [1, true, 4_500_000, 250_000, true],
    [0, false, 5_000_000, -250_000, false],
  ]);
  expect(state.locks).toEqual([{ lock: 0, holder: 0, waiters: [2], spinners: [] }]);
  // 50 us of slack for a fair sleeper.
  expect(state.timers).toEqual([{ task: 3, cpu: 0, softNs: 23_000_000, hardNs: 23_050_000 }]);
});
