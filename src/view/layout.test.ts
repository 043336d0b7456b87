import { expect, test } from 'vitest';
import { SegKind } from '../trace/segments.ts';
import { type HandLane, handTrace } from './hand_trace.ts';
import { gutterWidth, LANE_HEIGHTS, layoutRows, policyText } from './layout.ts';

const lane = (kind: HandLane['kind'], subject: number): HandLane => ({
  kind,
  subject,
  rows: [{ atNs: 0, kind: SegKind.absent }],
});
const spec = { endNs: 1000, cpus: 2, tasks: [{ name: 'a' }, { name: 'b' }], locks: [{ name: 'heap', kind: 'spin' }] };

test('CPUs stand by number, threads in list order, locks last, each under its head', () => {
  const trace = handTrace({
    ...spec,
    lanes: [lane('thread', 1), lane('lock', 0), lane('cpu', 1), lane('thread', 0), lane('cpu', 0)],
  });
  const { rows, heightPx } = layoutRows(trace, { heights: LANE_HEIGHTS.normal, heads: true });
  expect(rows.map((row) => (row.row === 'head' ? row.label : row.laneId))).toEqual([
    'CPUs',
    4,
    2,
    'Threads',
    3,
    0,
    'Locks',
    1,
  ]);
  expect(heightPx).toBe(3 * 22 + 2 * 28 + 2 * 29 + 40);
});

test('rows touch each other and begin at the top', () => {
  const trace = handTrace({ ...spec, lanes: [lane('cpu', 0), lane('thread', 0)] });
  const { rows } = layoutRows(trace, { heights: LANE_HEIGHTS.tall, heads: true });
  let yPx = 0;
  for (const row of rows) {
    expect(row.yPx).toBe(yPx);
    yPx += row.heightPx;
  }
});

test('a group without lanes has no head, hidden lanes have no row, a phone has no heads', () => {
  const trace = handTrace({ ...spec, lanes: [lane('cpu', 0), lane('cpu', 1)] });
  const only = layoutRows(trace, { heights: LANE_HEIGHTS.normal, heads: true, hidden: new Set([1]) });
  expect(only.rows.map((row) => (row.row === 'head' ? row.label : row.laneId))).toEqual(['CPUs', 0]);
  expect(layoutRows(trace, { heights: LANE_HEIGHTS.phone, heads: false }).heightPx).toBe(54);
});

test('the gutter is as wide as its longest row needs, between 176 and 248', () => {
  const measure = (text: string) => text.length * 7;
  expect(gutterWidth([{ name: 'low', policy: 'nice 0' }], measure)).toBe(176);
  expect(gutterWidth([{ name: 'multiqueue0:src', policy: 'FIFO 50' }], measure)).toBe(15 * 7 + 7 * 7 + 52);
  expect(gutterWidth([{ name: 'x'.repeat(90), policy: '' }], measure)).toBe(248);
  expect(gutterWidth([], measure)).toBe(176);
});

test('the policy reads as people say it', () => {
  const task = { name: 'a', tid: 1, policy: 'other', rtPrio: 0, nice: 0, allowedCpus: [0] } as const;
  expect(policyText(task)).toBe('nice 0');
  expect(policyText({ ...task, nice: 10 })).toBe('nice +10');
  expect(policyText({ ...task, nice: -5 })).toBe('nice −5');
  expect(policyText({ ...task, policy: 'fifo', rtPrio: 50 })).toBe('FIFO 50');
});
