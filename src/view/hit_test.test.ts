import { expect, test } from 'vitest';
import { SegKind } from '../trace/segments.ts';
import { handTrace } from './hand_trace.ts';
import { hitTest } from './hit_test.ts';
import { LANE_HEIGHTS, layoutRows, rowAt } from './layout.ts';

const MS = 1_000_000;
const trace = handTrace({
  endNs: MS,
  cpus: 1,
  tasks: [{ name: 'a' }, { name: 'b' }],
  locks: [{ name: 'heap', kind: 'spin' }],
  lanes: [
    {
      kind: 'cpu',
      subject: 0,
      rows: [
        { atNs: 0, kind: SegKind.idle },
        { atNs: 200_000, kind: SegKind.run, who: 0 },
        { atNs: 500_000, kind: SegKind.idle },
        ...Array.from({ length: 100 }, (_, i) => ({
          atNs: 600_000 + i * 100,
          kind: i % 2 === 0 ? SegKind.run : SegKind.spin,
          who: 1,
        })),
        { atNs: 610_000, kind: SegKind.idle },
      ],
    },
    { kind: 'thread', subject: 0, rows: [{ atNs: 0, kind: SegKind.sleep }] },
    { kind: 'lock', subject: 0, rows: [{ atNs: 0, kind: SegKind.held, who: 0 }] },
    {
      kind: 'lockWait',
      subject: 0,
      task: 1,
      rows: [
        { atNs: 0, kind: SegKind.absent },
        { atNs: 400_000, kind: SegKind.spin, who: 1 },
      ],
    },
  ],
});
const { rows } = layoutRows(trace, { heights: LANE_HEIGHTS.normal, heads: true });
const query = { trace, rows, viewport: { t0Ns: 0, t1Ns: MS }, widthPx: 1000 };
// Heads 22, CPU 28: head 0, CPU 22, head 50, thread 72, head 101, lock 123.
const CPU_Y = 36;

test('the segment under the pointer answers, with the time there', () => {
  expect(hitTest(query, 300, CPU_Y)).toMatchObject({
    laneId: 0,
    count: 1,
    timeNs: 300_000,
    segment: { row: 1, startNs: 200_000, endNs: 500_000, who: 0 },
  });
});

test('a segment is hit from its first pixel to its last, half-open', () => {
  expect(hitTest(query, 200, CPU_Y)?.segment.row).toBe(1);
  expect(hitTest(query, 199.9, CPU_Y)?.segment.row).toBe(0);
  expect(hitTest(query, 500, CPU_Y)?.segment.row).toBe(2);
});

test('in a dense place one of the segments answers and says how many share the pixels', () => {
  const hit = hitTest(query, 605, CPU_Y);
  // 3 px are 3 µs: thirty segments of 100 ns, and the one that the left edge cuts.
  expect(hit?.count).toBeGreaterThanOrEqual(30);
  expect(hit?.count).toBeLessThanOrEqual(31);
  expect(hit?.segment.who).toBe(1);
});

test('heads, the space below and times without data answer nothing', () => {
  expect(hitTest(query, 300, 10)).toBeUndefined();
  expect(hitTest(query, 300, 5_000)).toBeUndefined();
  expect(hitTest({ ...query, viewport: { t0Ns: MS, t1Ns: 2 * MS } }, 300, CPU_Y)).toBeUndefined();
  expect(hitTest({ ...query, viewport: { t0Ns: -MS, t1Ns: 0 } }, 300, CPU_Y)).toBeUndefined();
});

test('in a lock’s lane the bar is the holder and a line is its waiter', () => {
  const lock = rows.find((row) => row.row === 'lane' && row.laneId === 2)!;
  expect(hitTest(query, 700, lock.yPx + lock.heightPx - 8)).toMatchObject({ laneId: 2, segment: { who: 0 } });
  expect(hitTest(query, 700, lock.yPx + lock.heightPx - 19)).toMatchObject({ laneId: 3, segment: { who: 1 } });
  // Before it came there is no line.
  expect(hitTest(query, 300, lock.yPx + lock.heightPx - 19)).toMatchObject({ laneId: 2 });
});

test('every point of the rows belongs to exactly the row that covers it', () => {
  for (const row of rows) {
    expect(rowAt(rows, row.yPx)).toBe(row);
    expect(rowAt(rows, row.yPx + row.heightPx - 0.01)).toBe(row);
  }
  expect(rowAt(rows, -1)).toBeUndefined();
});

test('where a pinned row covers another, the pinned one answers', () => {
  const rows = [
    { row: 'lane', laneId: 0, yPx: 0, heightPx: 30 },
    { row: 'lane', laneId: 1, yPx: 30, heightPx: 30 },
    { row: 'lane', laneId: 2, yPx: 40, heightPx: 40, pinned: true },
  ] as const;
  expect([10, 35, 45, 79].map((yPx) => rowAt(rows, yPx))).toEqual([rows[0], rows[1], rows[2], rows[2]]);
  expect(rowAt(rows, 80)).toBeUndefined();
});
