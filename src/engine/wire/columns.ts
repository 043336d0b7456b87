// One column in bytes: how its rows are predicted (whichever way costs least on a sample), then its codes.

import { type ByteReader, type ByteWriter, putCodes, putUint32, reserve, takeCodes, takeUint32 } from './codes.ts';
import {
  decodeFloats,
  decodeInts,
  encodeFloats,
  encodeInts,
  FLOAT_PREDICTORS,
  INT_PREDICTORS,
  type Predictor,
} from './predict.ts';

/** What the prediction of a column may lean on: both sides have it before the column. One entry a row at least. */
export interface Hints<T> {
  readonly context: Uint8Array;
  readonly beside: T;
}

type Ints = Int32Array<ArrayBuffer>;
type Floats = Float64Array<ArrayBuffer>;

/** Rows that the choice of a predictor looks at: windows from all over the column. */
const SAMPLE_WINDOWS = 8;
const WINDOW_ROWS = 24;
const SAMPLE_ROWS = SAMPLE_WINDOWS * WINDOW_ROWS;

const SAMPLE = {
  ints: new Int32Array(SAMPLE_ROWS),
  intsBeside: new Int32Array(SAMPLE_ROWS),
  floats: new Float64Array(SAMPLE_ROWS),
  floatsBeside: new Float64Array(SAMPLE_ROWS),
  context: new Uint8Array(SAMPLE_ROWS),
  kept: new Float64Array(SAMPLE_ROWS),
};

/** Working memory of one column; grows to the largest. Nothing in it outlives a call. */
let codes = new Uint32Array(4096);
let kept = new Float64Array(4096);

export function putInts(w: ByteWriter, column: Ints, count: number, hints: Hints<Int32Array>): void {
  makeRoom(count);
  const rows = sampleOf(count, column, SAMPLE.ints, hints.context, hints.beside, SAMPLE.intsBeside);
  const by = cheapest(INT_PREDICTORS, count, (p) => {
    encodeInts(SAMPLE.ints, rows, p, SAMPLE.context, SAMPLE.intsBeside, codes);
    return bytesOfCodes(rows);
  });
  reserve(w, 1);
  w.bytes[w.at++] = by;
  encodeInts(column, count, by, hints.context, hints.beside, codes);
  putCodes(w, codes, count);
}

/** Undefined where the bytes are not ours. */
export function takeInts(r: ByteReader, count: number, hints: Hints<Int32Array>): Ints | undefined {
  makeRoom(count);
  const by = takePredictor(r, INT_PREDICTORS);
  if (by === undefined || !takeCodes(r, codes, count)) return undefined;
  const out = new Int32Array(count);
  decodeInts(codes, count, by, hints.context, hints.beside, out);
  return out;
}

export function putFloats(w: ByteWriter, column: Floats, count: number, hints: Hints<Float64Array>): void {
  makeRoom(count);
  const rows = sampleOf(count, column, SAMPLE.floats, hints.context, hints.beside, SAMPLE.floatsBeside);
  const by = cheapest(FLOAT_PREDICTORS, count, (p) => {
    const keeps = encodeFloats(SAMPLE.floats, rows, p, SAMPLE.context, SAMPLE.floatsBeside, codes, SAMPLE.kept);
    return bytesOfCodes(rows) + keeps * 8;
  });
  reserve(w, 1);
  w.bytes[w.at++] = by;
  const keeps = encodeFloats(column, count, by, hints.context, hints.beside, codes, kept);
  putCodes(w, codes, count);
  putUint32(w, keeps);
  reserve(w, keeps * 8);
  w.bytes.set(new Uint8Array(kept.buffer, 0, keeps * 8), w.at);
  w.at += keeps * 8;
}

/** Undefined where the bytes are not ours. */
export function takeFloats(r: ByteReader, count: number, hints: Hints<Float64Array>): Floats | undefined {
  makeRoom(count);
  const by = takePredictor(r, FLOAT_PREDICTORS);
  if (by === undefined || !takeCodes(r, codes, count)) return undefined;
  const keeps = takeUint32(r);
  if (keeps > count || r.at + keeps * 8 > r.bytes.length) return undefined;
  new Uint8Array(kept.buffer, 0, keeps * 8).set(r.bytes.subarray(r.at, r.at + keeps * 8));
  r.at += keeps * 8;
  // Marks beyond the kept ones read what an earlier column left: refused by the count.
  const out = new Float64Array(count);
  return decodeFloats(codes, count, by, hints.context, hints.beside, kept, out) === keeps ? out : undefined;
}

function takePredictor(r: ByteReader, all: readonly Predictor[]): Predictor | undefined {
  const by = r.bytes[r.at++];
  return all.find((p) => p === by);
}

function makeRoom(count: number): void {
  if (count + 3 > codes.length) codes = new Uint32Array(count * 2);
  if (count > kept.length) kept = new Float64Array(count * 2);
}

function cheapest(all: readonly Predictor[], count: number, bytesWith: (by: Predictor) => number): Predictor {
  let best: Predictor = 0;
  let least = Number.POSITIVE_INFINITY;
  if (count === 0) return best;
  for (const by of all) {
    const bytes = bytesWith(by);
    if (bytes < least) {
      least = bytes;
      best = by;
    }
    if (bytes === 0) break;
  }
  return best;
}

function bytesOfCodes(count: number): number {
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    const code = codes[i]!;
    bytes += code === 0 ? 0 : code < 0x100 ? 1 : code < 0x10000 ? 2 : 4;
  }
  return bytes;
}

/** Windows of the column and of its hints, one behind the other. @returns how many rows */
function sampleOf<T extends Int32Array | Float64Array>(
  count: number,
  column: T,
  into: T,
  context: Uint8Array,
  beside: T,
  besideInto: T,
): number {
  if (count <= SAMPLE_ROWS) {
    copyRows(0, count, 0, column, into, context, beside, besideInto);
    return count;
  }
  for (let window = 0; window < SAMPLE_WINDOWS; window++) {
    const from = Math.floor(((count - WINDOW_ROWS) * window) / (SAMPLE_WINDOWS - 1));
    copyRows(from, from + WINDOW_ROWS, window * WINDOW_ROWS, column, into, context, beside, besideInto);
  }
  return SAMPLE_ROWS;
}

function copyRows<T extends Int32Array | Float64Array>(
  from: number,
  to: number,
  at: number,
  column: T,
  into: T,
  context: Uint8Array,
  beside: T,
  besideInto: T,
): void {
  into.set(column.subarray(from, to), at);
  besideInto.set(beside.subarray(from, to), at);
  SAMPLE.context.set(context.subarray(from, to), at);
}
