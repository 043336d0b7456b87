import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TraceChunk } from '../../trace/chunks.ts';
import { ownsOperands, RecordKind } from '../../trace/records.ts';
import { packChunk, unpackChunk } from './packed_chunk.ts';

const int32 = fc.oneof(
  fc.integer({ min: -2, max: 9 }),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
);
const int16 = fc.oneof(fc.integer({ min: -1, max: 140 }), fc.constantFrom(-32768, 32767));
const byte = fc.oneof(fc.integer({ min: 0, max: 27 }), fc.integer({ min: 0, max: 255 }));
const float = fc.oneof(
  fc.integer({ min: 0, max: 1e9 }),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -0,
    2 ** 31 - 1,
    -(2 ** 31),
    2 ** 63,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ),
);
const kinds = fc.oneof(fc.constantFrom(RecordKind.schedSwitch, RecordKind.decision), byte);
const record = fc.tuple(float, kinds, byte, int16, int32, int32, int32, int32, float, float);
const segment = fc.tuple(fc.nat(5), float, byte, byte, int32, int16, byte, int32, int32);

type RecordRow = readonly [number, number, number, number, number, number, number, number, number, number];
type SegmentRow = readonly [number, number, number, number, number, number, number, number, number];

function chunkOf(records: readonly RecordRow[], segments: readonly SegmentRow[], isSorted: boolean): TraceChunk {
  const r = (column: number) => records.map((row) => row[column]!);
  const rows = isSorted ? [...segments].sort((p, q) => p[0] - q[0]) : segments;
  const s = (column: number) => rows.map((row) => row[column]!);
  const owners = records.filter((row) => ownsOperands(row[1]));
  const ends = [0, 1, 2, 3, 4, 5].map((lane) => rows.filter((row) => row[0] <= lane).length);
  return {
    watermarkNs: 5,
    newLanes: [],
    newTasks: [],
    newTexts: ['text'],
    records: {
      count: records.length,
      tsNs: new Float64Array(r(0)),
      kind: new Uint8Array(r(1)),
      reason: new Uint8Array(r(2)),
      cpu: new Int16Array(r(3)),
      task: new Int32Array(r(4)),
      a: new Int32Array(r(5)),
      b: new Int32Array(r(6)),
      c: new Int32Array(r(7)),
      operands: {
        count: owners.length,
        x: new Float64Array(owners.map((row) => row[8])),
        y: new Float64Array(owners.map((row) => row[9])),
      },
    },
    segments: {
      count: rows.length,
      lane: new Uint16Array(s(0)),
      startNs: new Float64Array(s(1)),
      kind: new Uint8Array(s(2)),
      flags: new Uint8Array(s(3)),
      who: new Int32Array(s(4)),
      prio: new Int16Array(s(5)),
      reason: new Uint8Array(s(6)),
      arg: new Int32Array(s(7)),
      arg2: new Int32Array(s(8)),
      ...(isSorted ? { laneEnds: new Uint32Array(ends) } : {}),
    },
  };
}

const chunks = fc
  .tuple(fc.array(record, { maxLength: 300 }), fc.array(segment, { maxLength: 300 }), fc.boolean())
  .map(([records, segments, isSorted]) => chunkOf(records, segments, isSorted));

test('a chunk comes back as it was, whatever its numbers', () => {
  fc.assert(
    fc.property(chunks, (chunk) => {
      // toEqual tells -0 from 0 and the types of arrays apart, and takes NaN for NaN.
      expect(unpackChunk(packChunk(chunk))).toEqual(chunk);
    }),
    { numRuns: 150 },
  );
});

test('bytes that are cut short, longer or of another form are refused', () => {
  fc.assert(
    fc.property(chunks, fc.nat(), (chunk, at) => {
      const packed = packChunk(chunk);
      const cut = packed.bytes.slice(0, at % packed.bytes.length);
      expect(unpackChunk({ ...packed, bytes: cut })).toBeUndefined();
      const longer = new Uint8Array([...packed.bytes, 0]);
      expect(unpackChunk({ ...packed, bytes: longer })).toBeUndefined();
      const other = packed.bytes.slice();
      other[at % 4]! ^= 1;
      expect(unpackChunk({ ...packed, bytes: other })).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test('changed bytes never throw, and what is read of them is whole', () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(chunks, changes, (chunk, at) => {
      const packed = packChunk(chunk);
      for (const [place, value] of at) packed.bytes[place % packed.bytes.length] = value;
      const read = unpackChunk(packed);
      if (read === undefined) return;
      const { records, segments } = read;
      expect(records.a.length).toBe(records.count);
      expect(records.operands.x.length).toBe([...records.kind].filter(ownsOperands).length);
      if (segments.laneEnds !== undefined) expect(segments.laneEnds.at(-1) ?? 0).toBe(segments.count);
    }),
    { numRuns: 150 },
  );
});

test('many rows claimed by few bytes are refused', () => {
  const packed = packChunk(chunkOf([], [], true));
  packed.bytes.set([0xff, 0xff, 0xff, 0x7f], 4);
  expect(unpackChunk(packed)).toBeUndefined();
});

test('a row that goes on as the rows before costs little', () => {
  const row = (i: number): RecordRow => [i * 1000, RecordKind.schedSwitch, 3, 0, i % 2, 1 - (i % 2), 0, -1, 7, 7];
  const rows = Array.from({ length: 1000 }, (_, i) => row(i));
  // Two bytes for the time; all else follows from the row before or the one before that. 44 as columns.
  expect(packChunk(chunkOf(rows, [], true)).bytes.length / rows.length).toBeLessThan(4);
});
