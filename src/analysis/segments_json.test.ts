import { expect, test } from 'vitest';
import { usToNs } from '../base/units.ts';
import { type HandMade, metaOf, pen, resultOf } from '../testing/by_hand/hand_made.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason, WaitReason } from '../trace/reasons.ts';
import { PrevState, RecordKind } from '../trace/records.ts';
import { createSegmenter, feedRecords, settle } from '../trace/segmenter.ts';
import { SegKind } from '../trace/segments.ts';
import { addSegmentRows, createSegmentsBuilder, finishSegments } from './segments_json.ts';

const HAND: HandMade = {
  threads: [{ name: 'a' }, { name: 'b', policy: 'fifo', rtPrio: 1 }],
  cpus: 2,
  irqSources: [{ cpu: 0, name: 'nic', firstNs: 10_000, periodNs: 40_000, runNs: 5_000 }],
  endUs: 100,
};

/** a runs 0-20 on CPU 0, b takes it and spins 20-60 and is throttled then, a runs again 60-80 and sleeps. */
function stream() {
  const p = pen().waking(0, 0).wakeup(0, 0).sw(0, 0, NONE, 0, 0).waking(20, 1).wakeup(20, 1);
  p.put(20, RecordKind.spinState, { task: 1, a: 1, b: NONE });
  p.state(20, 0, SegKind.runnable, WaitReason.preemptedByClass).sw(20, 0, 0, PrevState.runnable, 1);
  p.state(60, 1, SegKind.throttled, StopReason.rtThrottled).sw(60, 0, 1, PrevState.throttled, 0);
  p.state(80, 0, SegKind.sleep, StopReason.sleepStep).sw(80, 0, 0, PrevState.sleeping, NONE);
  return p.records;
}

function rowsOf(window: readonly [number, number] | undefined, settleUs: readonly number[]) {
  const meta = metaOf(HAND);
  const segmenter = createSegmenter(meta);
  const builder = createSegmentsBuilder(meta, window && [usToNs(window[0]), usToNs(window[1])]);
  feedRecords(segmenter, stream());
  for (const us of settleUs) {
    settle(segmenter, usToNs(us));
    addSegmentRows(builder, segmenter.rows);
    segmenter.rows.count = 0;
  }
  return finishSegments(builder, segmenter.lanes, meta.tasks, usToNs(100)).map(
    ([cpu, from, to, name, state]) => `${cpu} ${from / 1000}-${to / 1000} ${name} ${state}`,
  );
}

test('rows of a CPU touch and never overlap; an interrupt cuts what it hits', () => {
  expect(rowsOf(undefined, [100])).toEqual([
    '0 0-10 a run',
    '1 0-100  idle',
    '-1 10-15 a runnable',
    '0 10-15 nic irq',
    '0 15-20 a run',
    '-1 20-60 a runnable',
    '0 20-50 b spin',
    '-1 50-55 b runnable',
    '0 50-55 nic irq',
    '0 55-60 b spin',
    '-1 60-100 b throttled',
    '0 60-80 a run',
    '-1 80-100 a sleep',
    '0 80-90  idle',
    '0 90-95 nic irq',
    '0 95-100  idle',
  ]);
});

test('a window cuts the rows at its edges', () => {
  expect(rowsOf([52, 65], [100])).toEqual(
    [
      '-1 52-60 a runnable',
      '-1 52-55 b runnable',
      '0 52-55 nic irq',
      '1 52-65  idle',
      '0 55-60 b spin',
      '-1 60-65 b throttled',
      '0 60-65 a run',
    ].sort((x, y) => rank(x) - rank(y)),
  );
});

/** Start, then CPU, then name, as the rows are sorted. */
function rank(row: string): number {
  const [cpu, range, name] = row.split(' ');
  return Number(range!.split('-')[0]) * 1000 + Number(cpu) * 10 + (name === 'b' ? 1 : 0);
}

test('the rows of a thread add up to its numbers in the result', () => {
  const result = resultOf(HAND, stream(), [5, 93]);
  const meta = metaOf(HAND);
  const segmenter = createSegmenter(meta);
  const builder = createSegmentsBuilder(meta, [usToNs(5), usToNs(93)]);
  feedRecords(segmenter, stream());
  settle(segmenter, usToNs(100));
  addSegmentRows(builder, segmenter.rows);
  const rows = finishSegments(builder, segmenter.lanes, meta.tasks, usToNs(100));
  for (const thread of result.threads) {
    const sum = (state: string) =>
      rows
        .filter((row) => row[3] === thread.name && row[4] === state)
        .reduce((total, row) => total + row[2] - row[1], 0);
    expect([thread.run_ns, thread.spin_ns, thread.runnable_ns, thread.sleep_ns, thread.throttled_ns]).toEqual(
      ['run', 'spin', 'runnable', 'sleep', 'throttled'].map(sum),
    );
  }
});
