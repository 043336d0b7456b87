import { expect, test } from 'vitest';
import { attrRowAt } from './attr_history.ts';
import type { TraceChunk } from './chunks.ts';
import { NONE } from './ids.ts';
import type { TraceMeta } from './meta.ts';
import {
  continuesBefore,
  nextEventNs,
  nextSegment,
  previousEventNs,
  previousSegment,
  rowAt,
  rowsIn,
  segmentOf,
  startsIn,
  stateAt,
} from './query.ts';
import { copyRecords } from './record_columns.ts';
import { createRecords, pushRecord, RecordKind } from './records.ts';
import { createSegmentRows, pushSegmentRow } from './segment_rows.ts';
import { type LaneInfo, SegKind } from './segments.ts';
import { appendChunk, createTraceStore, type TraceStore } from './trace_store.ts';

const meta: TraceMeta = {
  title: 'two lanes',
  cpus: 1,
  durationNs: 1000,
  hz: 250,
  firstTickNs: 0,
  tasks: [{ name: 'a', tid: 1, policy: 'other', rtPrio: 0, nice: 0, allowedCpus: [0] }],
  locks: [{ name: 'heap', kind: 'spin' }],
  irqSources: [],
};
const lanes: LaneInfo[] = [
  { id: 0, kind: 'cpu', subject: 0, task: NONE },
  { id: 1, kind: 'thread', subject: 0, task: NONE },
  { id: 2, kind: 'lock', subject: 0, task: NONE },
];

/** [lane, start, kind] */
function chunk(
  watermarkNs: number,
  newLanes: LaneInfo[],
  list: [number, number, number][],
  records = createRecords(1),
): TraceChunk {
  const rows = createSegmentRows();
  for (const [lane, start, kind] of list) pushSegmentRow(rows, lane, start, kind, 0, NONE, 140, 0, NONE, NONE);
  return {
    watermarkNs,
    newLanes,
    newTasks: [],
    newTexts: [],
    segments: rows,
    records: copyRecords(records, 0, records.count),
  };
}

function twoChunks(): TraceStore {
  const store = createTraceStore(meta);
  appendChunk(
    store,
    chunk(100, lanes, [
      [0, 0, SegKind.idle],
      [1, 0, SegKind.sleep],
      [0, 40, SegKind.run],
      [1, 40, SegKind.run],
    ]),
  );
  appendChunk(store, chunk(200, [], [[0, 150, SegKind.idle]]));
  return store;
}

test('rows of mixed lanes end on their own lanes, and each reaches to the next or to the watermark', () => {
  const store = twoChunks();
  expect(store.columns.map((cols) => cols.count)).toEqual([3, 2, 0]);
  expect(segmentOf(store, 0, 1)).toMatchObject({ startNs: 40, endNs: 150, kind: SegKind.run });
  expect(segmentOf(store, 1, 1)).toMatchObject({ startNs: 40, endNs: 200, kind: SegKind.run });
  expect(segmentOf(store, 1, 2)).toBeUndefined();
  expect(store.dataVersion).toBe(2);
  expect(store.laneOf).toEqual({ cpu: [0], thread: [1], lock: [2] });
});

test('questions by time find the row that covers it, half-open to the right', () => {
  const store = twoChunks();
  expect([0, 39, 40, 149, 150, 200, 201].map((t) => rowAt(store, 0, t))).toEqual([0, 0, 1, 1, 2, 2, -1]);
  expect(rowAt(store, 2, 10)).toBe(-1);
  expect(stateAt(store, 0, 45)?.kind).toBe(SegKind.run);
  expect(rowsIn(store, 0, 39, 150)).toEqual({ lo: 0, hi: 2 });
  expect(rowsIn(store, 0, 40, 151)).toEqual({ lo: 1, hi: 3 });
  expect(rowsIn(store, 0, 60, 60)).toEqual({ lo: 0, hi: 0 });
  expect(rowsIn(store, 0, 300, 400)).toEqual({ lo: 0, hi: 0 });
  expect(startsIn(store, 0, 40, 150)).toBe(1);
});

test('stepping forward and back over lanes visits the same instants', () => {
  const store = twoChunks();
  const forward: number[] = [];
  for (let t: number | undefined = 0; t !== undefined; t = nextEventNs(store, [0, 1], t)) forward.push(t);
  expect(forward).toEqual([0, 40, 150]);
  const back: number[] = [];
  for (let t: number | undefined = 150; t !== undefined; t = previousEventNs(store, [0, 1], t)) back.push(t);
  expect(back).toEqual([150, 40, 0]);
  const middle = segmentOf(store, 0, 1)!;
  expect(nextSegment(store, middle)?.startNs).toBe(150);
  expect(previousSegment(store, middle)?.startNs).toBe(0);
});

test('attributes are kept where they change, the last of an instant wins, and a lone inheritance keeps the weight', () => {
  const store = createTraceStore(meta);
  const records = createRecords(1);
  pushRecord(records, 0, RecordKind.taskAttrs, 0, 0, 0, 120, 1024, 120);
  pushRecord(records, 5, RecordKind.taskAttrs, 0, 0, 0, 120, 1024, 120);
  pushRecord(records, 10, RecordKind.schedPiSetprio, 0, 0, 0, 120, 89, 3);
  pushRecord(records, 20, RecordKind.schedPiSetprio, 0, 0, 0, 89, 120, NONE);
  pushRecord(records, 20, RecordKind.taskAttrs, 0, 0, 0, 120, 110, 120);
  appendChunk(store, chunk(100, lanes, [], records));
  const attrs = store.attrs[0]!;
  const rows = Array.from({ length: attrs.count }, (_, i) => [
    attrs.tsNs[i],
    attrs.prio[i],
    attrs.normalPrio[i],
    attrs.weight[i],
  ]);
  expect(rows).toEqual([
    [0, 120, 120, 1024],
    [10, 89, 120, 1024],
    [20, 120, 120, 110],
  ]);
  expect([-1, 0, 9, 10, 25].map((t) => attrRowAt(attrs, t))).toEqual([-1, 0, 0, 1, 2]);
});

test('a row that only shows another flag goes on with the one before it', () => {
  const store = createTraceStore(meta);
  const rows = createSegmentRows();
  pushSegmentRow(rows, 0, 0, SegKind.run, 0, 0, 120, 1, NONE, NONE);
  pushSegmentRow(rows, 0, 5, SegKind.run, 2, 0, 120, 1, NONE, NONE);
  pushSegmentRow(rows, 0, 9, SegKind.run, 2, 0, 120, 8, NONE, NONE);
  appendChunk(store, { ...chunk(20, lanes, []), segments: rows });
  expect([0, 1, 2].map((row) => continuesBefore(store.columns[0]!, row))).toEqual([false, true, false]);
});

test('many small chunks and one large chunk make the same columns', () => {
  const list: [number, number, number][] = Array.from({ length: 5000 }, (_, i) => [
    i % 2,
    1 + (i >> 1),
    (i >> 1) % 2 === 0 ? SegKind.run : SegKind.idle,
  ]);
  const whole = createTraceStore({ ...meta, durationNs: 5000 });
  appendChunk(whole, chunk(5000, lanes, list));
  const pieces = createTraceStore({ ...meta, durationNs: 5000 });
  appendChunk(pieces, chunk(0, lanes, []));
  for (let i = 0; i < list.length; i += 7) appendChunk(pieces, chunk(list[i]![1], [], list.slice(i, i + 7)));
  for (const lane of [0, 1]) {
    const a = whole.columns[lane]!;
    const b = pieces.columns[lane]!;
    expect(b.count).toBe(2500);
    expect(b.startNs.slice(0, b.count)).toEqual(a.startNs.slice(0, a.count));
    expect(b.kind.slice(0, b.count)).toEqual(a.kind.slice(0, a.count));
    const keys = (store: TraceStore) =>
      store.pyramids[lane]!.levels.map((level) => [...level.key.slice(0, level.count)]);
    expect(keys(pieces)).toEqual(keys(whole));
  }
});
