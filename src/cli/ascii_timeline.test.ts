import { expect, test } from 'vitest';
import { usToNs } from '../base/units.ts';
import { type HandMade, metaOf, pen } from '../testing/by_hand/hand_made.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason, WaitReason } from '../trace/reasons.ts';
import { PrevState, RecordKind } from '../trace/records.ts';
import { createSegmenter, feedRecords, settle } from '../trace/segmenter.ts';
import { SegKind } from '../trace/segments.ts';
import { addTimelineRows, createAsciiTimeline, timelineText } from './ascii_timeline.ts';

const HAND: HandMade = { threads: [{ name: 'ab' }, { name: 'c' }], endUs: 100 };

test('each column shows what took most of it', () => {
  const p = pen().wakeup(0, 0).sw(0, 0, NONE, 0, 0).wakeup(40, 1).put(40, RecordKind.spinState, { task: 1, a: 1 });
  p.state(40, 0, SegKind.runnable, WaitReason.preemptedByClass).sw(40, 0, 0, PrevState.runnable, 1);
  // c leaves after 36 us, a little after a column's middle.
  p.state(76, 1, SegKind.blocked, StopReason.lockBlocked).sw(76, 0, 1, PrevState.blocked, NONE);
  const meta = metaOf(HAND);
  const segmenter = createSegmenter(meta);
  const timeline = createAsciiTimeline({ fromNs: 0, toNs: usToNs(100) }, 10);
  feedRecords(segmenter, p.records);
  settle(segmenter, usToNs(100));
  addTimelineRows(timeline, segmenter.rows, segmenter.lanes);
  expect(timelineText(timeline, segmenter.lanes, meta.tasks, usToNs(100)).split('\n')).toEqual([
    '       0.000 ms 0.100 ms',
    'CPU 0 |AAAAbbbb  |',
    'A ab  |####......|',
    'B c   |    ////xx|',
    "       # running  / spinning  . runnable  x blocked  On CPUs: the thread's letter, small when it spins",
    '',
  ]);
});
