// What a number of a column is expected to be, and the code of its distance from that. Lossless: 32-bit numbers
// wrap around, and a float that its prediction plus a whole number does not give exactly is kept as it is.

import { assertNever } from '../../base/assert.ts';
import { NONE } from '../../trace/ids.ts';

/** Where the prediction of row i comes from. */
export const Predictor = {
  /** NONE, always. */
  none: 0,
  /** Row i - 1 of the column. */
  before: 1,
  /** Row i - 2: states that take turns. */
  twoBefore: 2,
  /** The last row with the same context (its kind, say). */
  sameContext: 3,
  /** Row i of another column that the reader has already. */
  beside: 4,
  /** The last row that came after a row with the low byte of row i - 1: what follows what. Integers only. */
  followsSame: 5,
} as const;
export type Predictor = (typeof Predictor)[keyof typeof Predictor];

export const INT_PREDICTORS: readonly Predictor[] = [0, 1, 2, 3, 4, 5];
export const FLOAT_PREDICTORS: readonly Predictor[] = [0, 1, 2, 3, 4];

/** A float that stands among the kept ones. */
const KEPT = 0xffff_ffff;

/** Last values by context; one run of a function uses it at a time. */
const INT_MEMORY = new Int32Array(256);
const FLOAT_MEMORY = new Float64Array(256);

// One loop a predictor, so that each is compiled without choices in it.

export function encodeInts(
  column: Int32Array,
  count: number,
  by: Predictor,
  context: Uint8Array,
  beside: Int32Array,
  codes: Uint32Array,
): void {
  switch (by) {
    case Predictor.none:
      for (let i = 0; i < count; i++) codes[i] = zigzag(column[i]! - NONE);
      return;
    case Predictor.before:
      for (let i = 0, p = NONE; i < count; i++) {
        codes[i] = zigzag(column[i]! - p);
        p = column[i]!;
      }
      return;
    case Predictor.twoBefore:
      for (let i = 0, p = NONE, q = NONE; i < count; i++) {
        codes[i] = zigzag(column[i]! - q);
        q = p;
        p = column[i]!;
      }
      return;
    case Predictor.beside:
      for (let i = 0; i < count; i++) codes[i] = zigzag(column[i]! - beside[i]!);
      return;
    case Predictor.sameContext:
      INT_MEMORY.fill(NONE);
      for (let i = 0; i < count; i++) {
        const slot = context[i]!;
        codes[i] = zigzag(column[i]! - INT_MEMORY[slot]!);
        INT_MEMORY[slot] = column[i]!;
      }
      return;
    case Predictor.followsSame:
      INT_MEMORY.fill(NONE);
      for (let i = 0, slot = 0; i < count; i++) {
        const value = column[i]!;
        codes[i] = zigzag(value - INT_MEMORY[slot]!);
        INT_MEMORY[slot] = value;
        slot = value & 0xff;
      }
      return;
    default:
      assertNever(by);
  }
}

export function decodeInts(
  codes: Uint32Array,
  count: number,
  by: Predictor,
  context: Uint8Array,
  beside: Int32Array,
  out: Int32Array,
): void {
  switch (by) {
    case Predictor.none:
      for (let i = 0; i < count; i++) out[i] = NONE + distanceOf(codes[i]!);
      return;
    case Predictor.before:
      for (let i = 0, p = NONE; i < count; i++) {
        p = (p + distanceOf(codes[i]!)) | 0;
        out[i] = p;
      }
      return;
    case Predictor.twoBefore:
      for (let i = 0, p = NONE, q = NONE; i < count; i++) {
        const value = (q + distanceOf(codes[i]!)) | 0;
        q = p;
        p = value;
        out[i] = value;
      }
      return;
    case Predictor.beside:
      for (let i = 0; i < count; i++) out[i] = beside[i]! + distanceOf(codes[i]!);
      return;
    case Predictor.sameContext:
      INT_MEMORY.fill(NONE);
      for (let i = 0; i < count; i++) {
        const slot = context[i]!;
        const value = (INT_MEMORY[slot]! + distanceOf(codes[i]!)) | 0;
        INT_MEMORY[slot] = value;
        out[i] = value;
      }
      return;
    case Predictor.followsSame:
      INT_MEMORY.fill(NONE);
      for (let i = 0, slot = 0; i < count; i++) {
        const value = (INT_MEMORY[slot]! + distanceOf(codes[i]!)) | 0;
        INT_MEMORY[slot] = value;
        out[i] = value;
        slot = value & 0xff;
      }
      return;
    default:
      assertNever(by);
  }
}

/** 0, -1, 1, -2 … become 0, 1, 2, 3 …; differences wrap around at 32 bits. */
function zigzag(difference: number): number {
  const distance = difference | 0;
  return (distance << 1) ^ (distance >> 31);
}

function distanceOf(code: number): number {
  return (code >>> 1) ^ -(code & 1);
}

/** @returns how many floats were kept as they are; they stand in `kept`, which has room for all */
export function encodeFloats(
  column: Float64Array,
  count: number,
  by: Predictor,
  context: Uint8Array,
  beside: Float64Array,
  codes: Uint32Array,
  kept: Float64Array,
): number {
  FLOAT_MEMORY.fill(NONE);
  let keeps = 0;
  for (let i = 0; i < count; i++) {
    const value = column[i]!;
    let expected: number = NONE;
    if (by === Predictor.before) expected = i > 0 ? column[i - 1]! : NONE;
    else if (by === Predictor.twoBefore) expected = i > 1 ? column[i - 2]! : NONE;
    else if (by === Predictor.beside) expected = beside[i]!;
    else if (by === Predictor.sameContext) {
      expected = FLOAT_MEMORY[context[i]!]!;
      FLOAT_MEMORY[context[i]!] = value;
    }
    const distance = value - expected;
    const whole = distance | 0;
    const isNegativeZero = value === 0 && 1 / value < 0;
    // The code of -2^31 is the mark of those that are kept.
    if (whole === distance && whole !== -0x8000_0000 && expected + whole === value && !isNegativeZero) {
      codes[i] = zigzag(whole);
    } else {
      codes[i] = KEPT;
      kept[keeps++] = value;
    }
  }
  return keeps;
}

/** @returns how many of `kept` were wanted: where it differs from their number, the bytes are not ours */
export function decodeFloats(
  codes: Uint32Array,
  count: number,
  by: Predictor,
  context: Uint8Array,
  beside: Float64Array,
  kept: Float64Array,
  out: Float64Array,
): number {
  FLOAT_MEMORY.fill(NONE);
  let keeps = 0;
  for (let i = 0; i < count; i++) {
    const code = codes[i]!;
    let expected: number = NONE;
    if (by === Predictor.before) expected = i > 0 ? out[i - 1]! : NONE;
    else if (by === Predictor.twoBefore) expected = i > 1 ? out[i - 2]! : NONE;
    else if (by === Predictor.beside) expected = beside[i]!;
    else if (by === Predictor.sameContext) expected = FLOAT_MEMORY[context[i]!]!;
    const value = code === KEPT ? kept[keeps++]! : expected + distanceOf(code);
    if (by === Predictor.sameContext) FLOAT_MEMORY[context[i]!] = value;
    out[i] = value;
  }
  return keeps;
}
