// Whole numbers from 0 to 2^32 - 1 in 0, 1, 2 or 4 bytes each: two bits a number say how many, four numbers a
// control byte, all control bytes before all data bytes. Small and zero numbers are what predict.ts leaves.

/** Bytes being written. `bytes` may be replaced by a larger array. */
export interface ByteWriter {
  bytes: Uint8Array<ArrayBuffer>;
  at: number;
}

/** Bytes being read; `at` may end up behind the end where they are too short: check before believing what was read. */
export interface ByteReader {
  readonly bytes: Uint8Array;
  at: number;
}

/** Makes room for `more` bytes behind `at`. Amortised O(1) a byte. */
export function reserve(w: ByteWriter, more: number): void {
  if (w.at + more <= w.bytes.length) return;
  const bigger = new Uint8Array(Math.max(w.bytes.length * 2, w.at + more));
  bigger.set(w.bytes.subarray(0, w.at));
  w.bytes = bigger;
}

export function putUint32(w: ByteWriter, value: number): void {
  reserve(w, 4);
  const { bytes, at } = w;
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
  w.at = at + 4;
}

export function takeUint32(r: ByteReader): number {
  const { bytes, at } = r;
  r.at = at + 4;
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** What follows the first byte of a column: nothing, as all its codes are zero, or the codes. */
const ALL_ZERO = 0;
const CODED = 1;

/** Bytes that must stand behind the codes: four bytes are read for each, however many are its own. */
export const SLACK_BYTES = 16;

/** By the two bits of a code. */
const WIDTHS = new Uint8Array([0, 1, 2, 4]);
const MASKS = new Uint32Array([0, 0xff, 0xffff, 0xffff_ffff]);

/** Writes codes [0, count). The array has room for three more, which are overwritten. */
export function putCodes(w: ByteWriter, codes: Uint32Array, count: number): void {
  const groups = (count + 3) >>> 2;
  reserve(w, 1 + groups + count * 4 + SLACK_BYTES);
  codes.fill(0, count, groups * 4);
  const { bytes } = w;
  const view = new DataView(bytes.buffer);
  const start = w.at;
  const dataStart = start + 1 + groups;
  let at = dataStart;
  for (let group = 0; group < groups; group++) {
    const i = group * 4;
    const a = codes[i]!;
    const b = codes[i + 1]!;
    const c = codes[i + 2]!;
    const d = codes[i + 3]!;
    if ((a | b | c | d) === 0) {
      bytes[start + 1 + group] = 0;
      continue;
    }
    // Without branches: which width comes next is hard to foresee. What is written too much is written over.
    const wa = sizeOf(a);
    const wb = sizeOf(b);
    const wc = sizeOf(c);
    const wd = sizeOf(d);
    bytes[start + 1 + group] = wa | (wb << 2) | (wc << 4) | (wd << 6);
    view.setUint32(at, a, true);
    at += WIDTHS[wa]!;
    view.setUint32(at, b, true);
    at += WIDTHS[wb]!;
    view.setUint32(at, c, true);
    at += WIDTHS[wc]!;
    view.setUint32(at, d, true);
    at += WIDTHS[wd]!;
  }
  bytes[start] = at === dataStart ? ALL_ZERO : CODED;
  w.at = at === dataStart ? start + 1 : at;
}

/** 0 to 3: the bits that stand for 0, 1, 2 or 4 bytes. */
function sizeOf(code: number): number {
  const bits = 39 - Math.clz32(code);
  return bits > 23 ? 3 : bits >>> 3;
}

/** Reads `count` codes; the array has room for three more. False where the form is not one of those written. */
export function takeCodes(r: ByteReader, codes: Uint32Array, count: number): boolean {
  const { bytes } = r;
  const form = bytes[r.at++];
  if (form === ALL_ZERO) {
    codes.fill(0, 0, count);
    return true;
  }
  const groups = (count + 3) >>> 2;
  const control = r.at;
  let at = control + groups;
  if (form !== CODED || at > bytes.length) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = bytes.length - SLACK_BYTES;
  for (let group = 0; group < groups; group++) {
    const i = group * 4;
    const widths = bytes[control + group]!;
    if (widths === 0) {
      codes[i] = 0;
      codes[i + 1] = 0;
      codes[i + 2] = 0;
      codes[i + 3] = 0;
      continue;
    }
    if (at > last) return false;
    const wa = widths & 3;
    codes[i] = view.getUint32(at, true) & MASKS[wa]!;
    at += WIDTHS[wa]!;
    const wb = (widths >>> 2) & 3;
    codes[i + 1] = view.getUint32(at, true) & MASKS[wb]!;
    at += WIDTHS[wb]!;
    const wc = (widths >>> 4) & 3;
    codes[i + 2] = view.getUint32(at, true) & MASKS[wc]!;
    at += WIDTHS[wc]!;
    const wd = widths >>> 6;
    codes[i + 3] = view.getUint32(at, true) & MASKS[wd]!;
    at += WIDTHS[wd]!;
  }
  r.at = at;
  return at <= last;
}
