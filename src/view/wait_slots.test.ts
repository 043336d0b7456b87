import { expect, test } from 'vitest';
import { SegKind } from '../trace/segments.ts';
import { type HandLane, handTrace } from './hand_trace.ts';
import { lockLaneHeight, NO_SLOT, waitSlots } from './wait_slots.ts';

/** A wait lane from [from, to) pairs in µs. */
const waits = (task: number, ...stretches: readonly (readonly [number, number])[]): HandLane => ({
  kind: 'lockWait',
  subject: 0,
  task,
  rows: [
    { atNs: 0, kind: SegKind.absent },
    ...stretches.flatMap(([from, to]) => [
      { atNs: from * 1000, kind: SegKind.spin, who: task },
      { atNs: to * 1000, kind: SegKind.absent },
    ]),
  ],
});

const traceOf = (...lanes: readonly HandLane[]) =>
  handTrace({
    endNs: 1_000_000,
    cpus: 1,
    tasks: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
    locks: [{ name: 'heap', kind: 'spin' }],
    lanes: [{ kind: 'lock', subject: 0, rows: [{ atNs: 0, kind: SegKind.free }] }, ...lanes],
  });

const slotsOf = (trace: ReturnType<typeof traceOf>): number[][] => {
  const { laneIds, slots } = waitSlots(trace, 0);
  return laneIds.map((id, i) => [...slots[i]!.slice(0, trace.columns[id]!.count)].filter((slot) => slot !== NO_SLOT));
};

test('waiters take the lowest free line in order of arrival, whatever the order of their lanes', () => {
  expect(slotsOf(traceOf(waits(0, [300, 900]), waits(1, [100, 900]), waits(2, [200, 900])))).toEqual([[2], [0], [1]]);
});

test('who stays keeps its line when an earlier one leaves, and the next takes the free one', () => {
  expect(slotsOf(traceOf(waits(0, [100, 300]), waits(1, [200, 900]), waits(2, [400, 900])))).toEqual([[0], [1], [0]]);
});

test('at one instant leaving comes before arriving', () => {
  const trace = traceOf(waits(0, [100, 300]), waits(1, [300, 900]));
  expect(slotsOf(trace)).toEqual([[0], [0]]);
  expect(waitSlots(trace, 0).most).toBe(1);
});

test('the lane is as high as its waiters ask, up to eight lines', () => {
  expect(lockLaneHeight(traceOf(waits(0, [1, 2])), 0, 40)).toBe(40);
  const crowd = Array.from({ length: 20 }, (_, task) => waits(task, [10 + task, 900]));
  // 13 px bar, 8 px pads, 8 lines of 4.8 px.
  expect(lockLaneHeight(traceOf(...crowd), 0, 40)).toBe(60);
});
