import { expect, test } from 'vitest';
import type { Stint } from './observation.ts';
import { joinCutStints } from './observation.ts';

function stint(thread: string, fromNs: number, toNs: number, endedBy: Stint['endedBy'] = 'runnable', cpu = 0): Stint {
  return { thread, cpu, fromNs, toNs, endedBy };
}

test('a stint that a kernel thread cut for a moment counts as one', () => {
  const joined = joinCutStints([stint('a', 0, 1000), stint('a', 1040, 4000, 'sleeping')], 100);
  expect(joined).toEqual([stint('a', 0, 4000, 'sleeping')]);
});

test('a thread of the workload in between ends the stint', () => {
  const stints = [stint('a', 0, 1000), stint('b', 1000, 1040), stint('a', 1040, 4000)];
  expect(joinCutStints(stints, 100)).toEqual(stints);
});

test('a sleep ends the stint however short it is', () => {
  const stints = [stint('a', 0, 1000, 'sleeping'), stint('a', 1040, 4000)];
  expect(joinCutStints(stints, 100)).toEqual(stints);
});

test('a longer absence than the gap ends the stint', () => {
  const stints = [stint('a', 0, 1000), stint('a', 1101, 4000)];
  expect(joinCutStints(stints, 100)).toEqual(stints);
});

test('stints on other CPUs do not come between', () => {
  const joined = joinCutStints([stint('a', 0, 1000), stint('b', 500, 2000, 'open', 1), stint('a', 1040, 4000)], 100);
  expect(joined).toEqual([stint('a', 0, 4000), stint('b', 500, 2000, 'open', 1)]);
});
