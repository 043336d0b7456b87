import { expect, test } from 'vitest';
import { RecordKind } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import { handTrace } from './hand_trace.ts';
import { paintedLanes } from './lanes_fixture.ts';
import { LANE_HEIGHTS, layoutKey, layoutRows } from './layout.ts';

const MS = 1_000_000;
const lanes = [0, 1].map((subject) => ({
  kind: 'thread' as const,
  subject,
  rows: [{ atNs: 0, kind: SegKind.run, who: 0 }],
}));
const tasks = [{ name: 'low', nice: 10 }, { name: 'high' }];

/** `low` (prio 130, weight 110) inherits 120 from `high` over [300, 700) µs and keeps its weight. */
const boosted = handTrace({
  endNs: MS,
  cpus: 1,
  tasks,
  lanes,
  records: [
    { atNs: 0, kind: RecordKind.taskAttrs, task: 0, a: 130, b: 110, c: 130 },
    { atNs: 300_000, kind: RecordKind.schedPiSetprio, task: 0, a: 130, b: 120, c: 1 },
    { atNs: 300_000, kind: RecordKind.taskAttrs, task: 0, a: 120, b: 110, c: 130 },
    { atNs: 700_000, kind: RecordKind.taskAttrs, task: 0, a: 130, b: 110, c: 130 },
  ],
});
const heights = { heights: LANE_HEIGHTS.normal, heads: false };

test('only a thread that inherits gets the room of a ribbon', () => {
  const [low, high] = layoutRows(boosted, heights).rows;
  expect(low).toMatchObject({ heightPx: 29 + 24, ribbonPx: 24 });
  expect(high).toMatchObject({ heightPx: 29, yPx: 53 });
});

test('the layout’s key changes when a thread begins to inherit', () => {
  const plain = handTrace({ endNs: MS, cpus: 1, tasks, lanes });
  expect(layoutKey(plain)).not.toBe(layoutKey(boosted));
});

test('the effective priority is a step line, up is better, its own is dashed below', () => {
  const { rows } = layoutRows(boosted, heights);
  const { on } = paintedLanes(boosted, { viewport: { t0Ns: 0, t1Ns: MS }, rows });
  const steps = on(0).filter((c) => c.ink === 'boost' && c.y0 >= 29 && c.x1 - c.x0 > 10);
  expect(steps.map((c) => [c.x0, c.x1])).toEqual([
    [0, 300],
    [300, 700],
    [700, 1000],
  ]);
  expect(steps[1]!.y0).toBeLessThan(steps[0]!.y0);
  expect(steps[2]!.y0).toBe(steps[0]!.y0);
  const [dash] = on(0).filter((c) => c.ink === 'boost dash');
  expect(dash).toMatchObject({ x0: 300, x1: 700, y0: steps[0]!.y0 });
  expect(steps.every((c) => c.y1 <= 53)).toBe(true);
});

test('the step says what it inherited, from whom, and what its weight is', () => {
  const { rows } = layoutRows(boosted, heights);
  const { labels } = paintedLanes(boosted, { viewport: { t0Ns: 0, t1Ns: MS }, rows });
  const label = labels.items.slice(0, labels.count).find((l) => l.forms[0]?.includes('from high'));
  expect(label?.forms).toEqual([
    '120, from high (base 130), weight 110',
    '120, from high (base 130)',
    '120, from high',
    '120',
  ]);
});
