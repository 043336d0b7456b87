import { expect, test } from 'vitest';
import { SegFlag, SegKind } from '../trace/segments.ts';
import { createTraceStore, type TraceStore } from '../trace/trace_store.ts';
import { appendHandRows, type HandLane, type HandRow, handTrace } from './hand_trace.ts';
import { createLabels } from './labels.ts';
import type { LanesFrame } from './lane_context.ts';
import { rowsOfLanes } from './lanes_fixture.ts';
import { nameForms } from './names.ts';
import { paintGrowth, paintLanes } from './paint_lanes.ts';
import { createRasterPainter } from './raster_painter.ts';
import { measureByRule } from './recording_painter.ts';

const WIDTH = 800;
const LANE_PX = 30;
const END_NS = 100_000_000;

const CPU_KINDS = [SegKind.run, SegKind.spin, SegKind.idle];
const THREAD_KINDS = [SegKind.run, SegKind.spin, SegKind.runnable, SegKind.sleep, SegKind.blocked];

/** Rows of a lane with the given mean length; every fortieth is as long as forty. */
function rowsOf(kinds: readonly SegKind[], meanNs: number, seed: number): readonly HandRow[] {
  const rows: HandRow[] = [];
  let state = seed;
  for (let atNs = 0; atNs < END_NS; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const flags = state >>> 28 === 0 ? SegFlag.holdsLock : state >>> 28 < 5 ? SegFlag.rt : 0;
    rows.push({ atNs, kind: kinds[(state >>> 20) % kinds.length]!, who: (state >>> 17) & 1, flags });
    atNs += 1 + Math.round(((state & 0xffff) / 0x8000) * meanNs * (((state >>> 16) & 63) === 0 ? 40 : 1));
  }
  return rows;
}

/** Sparse and dense lanes; the last does one thing for ever. */
function lanesOf(): readonly HandLane[] {
  return [
    { kind: 'cpu', subject: 0, rows: rowsOf(CPU_KINDS, 3_000_000, 1) },
    { kind: 'cpu', subject: 1, rows: rowsOf(CPU_KINDS, 9_000, 2) },
    { kind: 'thread', subject: 0, rows: rowsOf(THREAD_KINDS, 150_000, 3) },
    { kind: 'thread', subject: 1, rows: rowsOf(THREAD_KINDS, 14_000, 4) },
    { kind: 'lock', subject: 0, rows: rowsOf([SegKind.held, SegKind.free], 700_000, 5) },
    { kind: 'thread', subject: 2, rows: [{ atNs: 0, kind: SegKind.spin }] },
  ];
}

const SPEC = {
  endNs: END_NS,
  cpus: 2,
  tasks: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  locks: [{ name: 'm', kind: 'spin' as const }],
  lanes: lanesOf(),
};

function frameOf(trace: TraceStore): LanesFrame {
  const rows = rowsOfLanes(trace, LANE_PX);
  return {
    trace,
    rows,
    viewport: { t0Ns: 5_000_000, t1Ns: 90_000_000 },
    widthPx: WIDTH,
    heightPx: rows.length * LANE_PX,
    dpr: 1,
    theme: 'light',
    hueBy: 'auto',
    slots: [0, 1, 2],
    taskNames: nameForms(trace.tasks),
    lockNames: ['m'],
    lockLaneIds: [4],
    gridNs: [20_000_000, 40_000_000, 60_000_000, 80_000_000],
    labels: createLabels(),
    measure: measureByRule,
  };
}

const blank = (frame: LanesFrame) =>
  createRasterPainter(new Uint32Array(WIDTH * frame.heightPx), WIDTH, frame.heightPx);

/** The trace in pieces of `stepNs`, painted piece by piece. Parts beside it: how it looks when painted at once. */
function grown(stepNs: number) {
  const trace = createTraceStore(handTrace({ ...SPEC, lanes: [] }).meta);
  const newLanes = SPEC.lanes.map((lane, id) => ({ id, kind: lane.kind, subject: lane.subject, task: -1 }));
  appendHandRows(trace, SPEC, 0, stepNs, newLanes);
  const frame = frameOf(trace);
  const painter = blank(frame);
  let seen = paintLanes(frame, painter);
  for (let fromNs = stepNs; fromNs < END_NS; fromNs += stepNs) {
    appendHandRows(trace, SPEC, fromNs, fromNs + stepNs);
    if (paintGrowth(frame, painter, fromNs, seen) === undefined) seen = paintLanes(frame, painter);
  }
  const whole = frameOf(trace);
  const wholePainter = blank(whole);
  paintLanes(whole, wholePainter);
  return { frame, painter, whole, wholePainter };
}

test.each([1_000_000, 7_300_000, 25_000_000])(
  'a picture that grew with its data, %i ns at a time, is the one that is painted at once',
  (stepNs) => {
    const { painter, wholePainter } = grown(stepNs);
    const different = [...painter.pixels.keys()].filter((i) => painter.pixels[i] !== wholePainter.pixels[i]);
    expect(different.map((i) => `${i % WIDTH},${Math.floor(i / WIDTH)}`)).toEqual([]);
  },
);

test('so are its labels, in whatever order', () => {
  const { frame, whole } = grown(7_300_000);
  const texts = ({ labels }: LanesFrame) =>
    labels.items
      .slice(0, labels.count)
      .map((l) => `${l.topPx} ${l.x0Px}-${l.x1Px} ${l.forms[0]}`)
      .sort();
  expect(whole.labels.count).toBeGreaterThan(10);
  expect(texts(frame)).toEqual(texts(whole));
});

test('nothing outside the columns that may change is touched', () => {
  const trace = handTrace(SPEC);
  const frame = { ...frameOf(trace), viewport: { t0Ns: 0, t1Ns: 2 * END_NS } };
  const painter = blank(frame);
  const seen = paintLanes(frame, painter);
  painter.pixels.fill(7);
  const growth = paintGrowth(frame, painter, 80_000_000, seen)!;
  const columns = Array.from({ length: WIDTH }, (_, x) => painter.pixels[x] !== 7);
  expect(columns.indexOf(true)).toBe(growth.fromPx);
  expect(columns.lastIndexOf(true)).toBe(growth.toPx - 1);
  // Data reach from 0 to the middle; the last fifth of them is new, with a margin on both sides.
  expect(growth.fromPx).toBeGreaterThan(0.4 * WIDTH - 80);
  expect(growth.fromPx).toBeLessThan(0.4 * WIDTH);
  expect(growth.toPx).toBeLessThan(0.5 * WIDTH + 80);
});

test('rows beyond the view change nothing in it', () => {
  const trace = handTrace(SPEC);
  const frame = { ...frameOf(trace), viewport: { t0Ns: 0, t1Ns: 10_000_000 } };
  const painter = blank(frame);
  const seen = paintLanes(frame, painter);
  painter.pixels.fill(7);
  expect(paintGrowth(frame, painter, 80_000_000, seen)).toMatchObject({ labelsChanged: false });
  expect(painter.pixels.every((pixel) => pixel === 7)).toBe(true);
});
