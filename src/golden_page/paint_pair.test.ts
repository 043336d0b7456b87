import { expect, test } from 'vitest';
import type { Stint } from '../testing/golden/observation.ts';
import { lanesOf, stintAt } from './paint_pair.ts';

const stint = (thread: string, cpu: number, fromNs: number, toNs: number): Stint => ({
  thread,
  cpu,
  fromNs,
  toNs,
  endedBy: 'runnable',
});

test('each CPU has its recorded lane above its simulated one', () => {
  const lanes = lanesOf([stint('a', 1, 0, 10)], [stint('b', 0, 0, 10)], 2);
  expect(lanes.map((lane) => [lane.side, lane.cpu, lane.stints.map((s) => s.thread).join()])).toEqual([
    ['recorded', 0, ''],
    ['simulated', 0, 'b'],
    ['recorded', 1, 'a'],
    ['simulated', 1, ''],
  ]);
  expect(lanes.every((lane, i) => i === 0 || lane.topPx > lanes[i - 1]!.topPx)).toBe(true);
});

test('an instant finds its stint, and an idle one finds none', () => {
  const [lane] = lanesOf([stint('a', 0, 0, 10), stint('b', 0, 20, 30)], [], 1);
  expect([5, 15, 25, 35].map((at) => stintAt(lane!, at)?.thread)).toEqual(['a', undefined, 'b', undefined]);
});
