// A task that reads its own CPU clock: its account is current all the time. Expected values by arithmetic: request 0.7 ms,
// ticks every 4 ms; recorded 6.12 shows the same stints of 0.70 ms that end at no tick.

import { expect, test } from 'vitest';
import { picture, run, stints } from '../../testing/scene.ts';

const machine = { cpus: 1, kernel: '6.12', hz: 250, tunableScaling: 'none' };
const HOG = [{ run: 'forever' }];
const READER = [{ run: 'forever', clockReads: true }];

test('a request of 0.7 ms ends at once where the task reads its clock, at a tick where it does not', () => {
  const threads = [
    { name: 'A', program: READER },
    { name: 'B', program: HOG },
  ];
  // At 4.7 ms A is picked again, which does not protect it: it is out 1 ns beyond B's v of 3.3 ms, 2.6 ms after 4 ms.
  expect(picture(run({ duration: '8ms', machine, threads }))).toBe('A[0-0.7] B[0.7-4] A[4-6.600001] B[6.600001-8]');
});

test('reads change nothing under CFS', () => {
  const of = (program: object) => {
    const threads = ['A', 'B'].map((name) => ({ name, program }));
    return picture(run({ duration: '60ms', machine: { ...machine, kernel: '6.1' }, threads }));
  };
  expect(of(READER)).toBe(of(HOG));
});

test('the quota of a group is seen at once: 5 ms of 20 ms end at 5 ms, not at the tick of 8 ms', () => {
  const of = (program: object) =>
    picture(
      run({
        duration: '20ms',
        machine,
        groups: { g: { quota: '5ms', period: '20ms' } },
        threads: [{ name: 'A', group: 'g', program }],
      }),
    );
  expect(of(READER)).toBe('A[0-5]');
  expect(of(HOG)).toBe('A[0-8]');
});

test('7.2: two requests of 100 ms beside one of 0.7 ms are protected for 0.7 ms, so all three go on at ticks', () => {
  const threads = [
    { name: 'A', slice: '100ms', program: HOG },
    { name: 'B', slice: '100ms', program: HOG },
    { name: 'C', program: HOG },
  ];
  const ran = run({ duration: '400ms', machine: { ...machine, kernel: '7.2' }, threads });
  const lengths = stints(ran)
    .slice(4, -1)
    .map((s) => s.toNs - s.fromNs);
  // As recorded: whole ticks of 4 ms.
  expect(lengths.length).toBeGreaterThan(80);
  expect(Math.max(...lengths)).toBe(4_000_000);
});
