import { expect, test } from 'vitest';
import { RecordKind } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import { arrowsOf } from './arrows.ts';
import { bandTexts } from './axis.ts';
import { handTrace } from './hand_trace.ts';
import { createLabels } from './labels.ts';
import { draggedViewport, partAt } from './overview_drag.ts';
import { frameOf } from './overview_frame.ts';
import { type OverlayFrame, paintOverlay } from './paint_overlay.ts';
import { createRecordingPainter } from './recording_painter.ts';
import { THEMES } from './tokens.ts';

const MS = 1_000_000;
const trace = handTrace({
  endNs: MS,
  cpus: 1,
  tasks: [{ name: 'a' }, { name: 'b' }],
  lanes: [
    {
      kind: 'thread',
      subject: 0,
      rows: [
        { atNs: 0, kind: SegKind.sleep },
        { atNs: 400_000, kind: SegKind.run, who: 0 },
        { atNs: 400_100, kind: SegKind.sleep },
      ],
    },
    { kind: 'thread', subject: 1, rows: [{ atNs: 0, kind: SegKind.run, who: 0 }] },
  ],
  records: [{ atNs: 390_000, kind: RecordKind.schedWaking, task: 0, a: 1 }],
});

const FRAME: OverlayFrame = {
  trace,
  rows: [
    { row: 'lane', laneId: 0, yPx: 0, heightPx: 30 },
    { row: 'lane', laneId: 1, yPx: 30, heightPx: 30 },
  ],
  viewport: { t0Ns: 0, t1Ns: MS },
  widthPx: 1000,
  heightPx: 60,
  theme: 'light',
  labels: createLabels(),
  bands: [],
  flags: [],
  playheadNs: -1,
  veilFromNs: Number.POSITIVE_INFINITY,
  selection: undefined,
  hover: undefined,
  markers: { aNs: undefined, bNs: undefined },
  arrows: [],
  range: undefined,
  snap: (px) => px,
};
const t = THEMES.light;

function painted(change: Partial<OverlayFrame>) {
  const painter = createRecordingPainter();
  paintOverlay({ ...FRAME, ...change }, painter);
  return painter.calls;
}

test('the playhead is a line of 1.75 px over the whole height, and none outside the view', () => {
  const [line] = painted({ playheadNs: 250_000 }).filter((c) => c.call === 'line');
  expect(line?.args).toEqual([t.accent, 1.75, 250, 0, 250, 60, []]);
  expect(painted({ playheadNs: 2 * MS }).some((c) => c.call === 'line')).toBe(false);
});

test('markers differ by more than colour: A is solid, B is dashed', () => {
  const lines = painted({ markers: { aNs: 100_000, bNs: 200_000 } }).filter((c) => c.call === 'line');
  expect(lines.map((c) => [c.args[0], (c.args[6] as number[]).length])).toEqual([
    [t.ok, 0],
    [t.boost, 2],
  ]);
});

test('what pinned rows cover is veiled once', () => {
  const rows: OverlayFrame['rows'] = [
    { row: 'lane', laneId: 0, yPx: 0, heightPx: 30 },
    { row: 'lane', laneId: 1, yPx: 20, heightPx: 30, pinned: true },
  ];
  const veils = painted({ rows, veilFromNs: 500_000 }).filter((c) => c.call === 'fillRect');
  // Colour, x, y, width, height: 0..20, then 20..50.
  expect(veils.map((c) => c.args.slice(1))).toEqual([
    [500, 0, 500, 20],
    [500, 20, 500, 30],
  ]);
});

test('the selection is outlined over the whole lane with a halo below the line', () => {
  const strokes = painted({ selection: { laneId: 1, startNs: 0 } }).filter((c) => c.call === 'strokeRound');
  expect(strokes.map((c) => [c.args[0], c.args[1]])).toEqual([
    [t.surface, 4.5],
    [t.text, 2],
  ]);
});

test('even a segment of a tenth of a pixel gets an outline that can be seen', () => {
  const [halo] = painted({ selection: { laneId: 0, startNs: 400_000 } }).filter((c) => c.call === 'strokeRound');
  expect(Number(halo?.args[4])).toBeGreaterThanOrEqual(6);
});

test('a selection on a lane without a row paints nothing', () => {
  expect(painted({ selection: { laneId: 7, startNs: 0 } }).some((c) => c.call === 'strokeRound')).toBe(false);
});

test('a verdict is a light band with a line at its start; beyond the veil it is not told', () => {
  const band = { tone: 'danger', fromNs: 300_000, toNs: 400_000, forever: true, text: 'Hang', laneIds: [] } as const;
  const [fill] = painted({ bands: [band] }).filter((c) => c.call === 'fillRect');
  expect(fill?.args.slice(1)).toEqual([300, 0, 700, 60]);
  expect(fill?.args[0]).toBe('rgba(176, 13, 46, 0.075)');
  const veiled = painted({ bands: [band], veilFromNs: 250_000 });
  expect(veiled.some((c) => c.args[0] === 'rgba(176, 13, 46, 0.075)')).toBe(false);
});

test('the words of a verdict shorten from the end', () => {
  const hang = {
    tone: 'danger',
    fromNs: 0,
    toNs: 1,
    forever: true,
    text: 'Hang, for ever (proved)',
    laneIds: [],
  } as const;
  expect(bandTexts(hang)).toEqual([
    'Hang, for ever (proved)',
    'Hang, for ever (proved)',
    'Hang, for ever',
    'Hang',
    'Hang',
  ]);
  const stall = { tone: 'warn', fromNs: 0, toNs: 620_000_000, forever: false, text: 'Stall', laneIds: [] } as const;
  expect(bandTexts(stall)[0]).toBe('Stall, 620\u202fms');
});

test('a woken segment has an arrow from its waker', () => {
  expect(arrowsOf(trace, 0, 400_000)).toEqual([
    { kind: 'wake', fromLaneId: 1, fromNs: 390_000, toLaneId: 0, toNs: 400_000 },
  ]);
  // The waker shows it too.
  expect(arrowsOf(trace, 1, 0)).toHaveLength(1);
});

test('the overview’s frame is at least 10 px wide and stays on the strip', () => {
  expect(frameOf({ t0Ns: 0, t1Ns: 1_000 }, 1000 / (1000 * MS), 1000)).toEqual({ x0: 0, x1: 10 });
  expect(frameOf({ t0Ns: 999.999 * MS, t1Ns: 1000 * MS }, 1 / MS, 1000)).toEqual({ x0: 990, x1: 1000 });
  expect(frameOf({ t0Ns: 100 * MS, t1Ns: 300 * MS }, 1 / MS, 1000)).toEqual({ x0: 100, x1: 300 });
});

test('a press takes an edge, the inside or the outside of the frame; a narrow frame has no edges', () => {
  const wide = { x0: 100, x1: 300 };
  expect([98, 150, 303, 400].map((x) => partAt(x, wide))).toEqual(['left', 'inside', 'right', 'outside']);
  expect(partAt(101, { x0: 100, x1: 110 })).toBe('inside');
});

test('dragging an edge never turns the view over', () => {
  const start = { t0Ns: 10_000, t1Ns: 20_000 };
  expect(draggedViewport(start, 'inside', 5_000)).toEqual({ t0Ns: 15_000, t1Ns: 25_000 });
  expect(draggedViewport(start, 'left', 50_000)).toEqual({ t0Ns: 19_000, t1Ns: 20_000 });
  expect(draggedViewport(start, 'right', -50_000)).toEqual({ t0Ns: 10_000, t1Ns: 11_000 });
});

test('the veil lies over what is later on the lanes, never over a head', () => {
  const rows = [
    { row: 'head', key: 'threads', label: 'Threads', yPx: 0, heightPx: 22 },
    ...FRAME.rows.map((row) => ({ ...row, yPx: row.yPx + 22 })),
  ] as OverlayFrame['rows'];
  const veils = painted({ rows, veilFromNs: 600_000 }).filter((c) => c.call === 'fillRect');
  expect(veils.map((c) => c.args.slice(1))).toEqual([
    [600, 22, 400, 30],
    [600, 52, 400, 30],
  ]);
});
