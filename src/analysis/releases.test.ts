import { expect, test } from 'vitest';
import type { Step } from '../scenario/scenario.ts';
import { type HandMade, pen, resultOf } from '../testing/by_hand/hand_made.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason, WaitReason } from '../trace/reasons.ts';
import { PrevState, pushRecord, RecordKind } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';

const period: Step = { op: 'period', everyNs: 10_000, path: '' };
const run: Step = { op: 'run', forNs: 4_000, path: '' };
const forEver = (steps: readonly Step[]): Step => ({ op: 'repeat', times: 'forever', do: steps, path: '' });

function hand(program: readonly Step[]): HandMade {
  return { threads: [{ name: 'job', program, start: 5_000 }], endUs: 65 };
}

/** Starts at 5, releases at 5, 15, 25, … 55. Met: 15. The job of 15 lasts until 38, so 25 and 35 are skipped; asleep from 38 for 45; runs 45-49, asleep for 55. */
function stream() {
  const p = pen().waking(5, 0).wakeup(5, 0).sw(5, 0, NONE, 0, 0);
  const sleep = (from: number, to: number) => {
    p.state(from, 0, SegKind.sleep, StopReason.period).sw(from, 0, 0, PrevState.sleeping, NONE);
    p.waking(to, 0).wakeup(to, 0).sw(to, 0, NONE, 0, 0);
  };
  sleep(9, 15);
  sleep(38, 45);
  sleep(49, 55);
  p.state(59, 0, SegKind.sleep, StopReason.period).sw(59, 0, 0, PrevState.sleeping, NONE);
  return p.records;
}

test('releases are start + k * period; those that the thread did not sleep for are missed', () => {
  const [job] = resultOf(hand([forEver([run, period])]), stream()).threads;
  expect(job).toMatchObject({ releases: 6, missed: 2 });
});

test('in a window releases and misses count where the release lies', () => {
  const at = (from: number, to: number) => resultOf(hand([forEver([run, period])]), stream(), [from, to]).threads[0];
  expect(at(0, 25)).toMatchObject({ releases: 2, missed: 0 });
  expect(at(20, 40)).toMatchObject({ releases: 2, missed: 2 });
  expect(at(36, 65)).toMatchObject({ releases: 2, missed: 0 });
});

test('a thread that never gets to its next period step goes on missing', () => {
  const p = pen().waking(5, 0).wakeup(5, 0).state(9, 0, SegKind.runnable, WaitReason.preemptedByClass);
  expect(resultOf(hand([forEver([run, period])]), p.records).threads[0]).toMatchObject({ releases: 6, missed: 5 });
});

test('a loop with other work after it has no releases after the last one that was slept for', () => {
  const once: Step = { op: 'repeat', times: 3, do: [run, period], path: '' };
  const p = pen().waking(5, 0).wakeup(5, 0).sw(5, 0, NONE, 0, 0);
  p.state(9, 0, SegKind.sleep, StopReason.period)
    .sw(9, 0, 0, PrevState.sleeping, NONE)
    .waking(15, 0)
    .wakeup(15, 0)
    .sw(15, 0, NONE, 0, 0);
  expect(resultOf(hand([once, run]), p.records).threads[0]).toMatchObject({ releases: 2, missed: 0 });
});

test('no period step: null', () => {
  expect(resultOf(hand([run]), stream()).threads[0]).toMatchObject({ releases: null, missed: null });
});

test('a loop that ends with the thread: releases until then, those that it was late for are missed', () => {
  // 25 us of work, three times, every 10 us from 5: never asleep, done at 80. Releases 5, 15, … 75: eight, one met.
  const late: Step = { op: 'repeat', times: 3, do: [{ op: 'run', forNs: 25_000, path: '' }, period], path: '' };
  const p = pen().waking(5, 0).wakeup(5, 0).sw(5, 0, NONE, 0, 0);
  p.put(80, RecordKind.taskExit, { task: 0 }).sw(80, 0, 0, PrevState.exiting, NONE);
  expect(resultOf({ ...hand([late]), endUs: 100 }, p.records).threads[0]).toMatchObject({ releases: 8, missed: 7 });
});

test('a job of deadlineAt that ends too late is missed; without period and deadlineAt there is nothing to miss', () => {
  const job: Step = { op: 'deadlineAt', withinNs: 5_000, do: [run], path: '' };
  const p = pen().waking(5, 0).wakeup(5, 0).sw(5, 0, NONE, 0, 0);
  // In time at 9 us, 2 us late at 17 us.
  pushRecord(p.records, 9_000, RecordKind.deadlineEnd, 0, 0, 0, 1, 0, NONE);
  pushRecord(p.records, 17_000, RecordKind.deadlineEnd, 0, 0, 0, 0, 2_000, NONE);
  expect(resultOf(hand([job, job]), p.records).threads[0]).toMatchObject({ releases: null, missed: 1 });
  expect(resultOf(hand([job, job]), p.records, [0, 10]).threads[0]).toMatchObject({ missed: 0 });
  expect(resultOf(hand([run]), p.records).threads[0]).toMatchObject({ missed: null });
});
