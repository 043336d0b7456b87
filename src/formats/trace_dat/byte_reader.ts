// Reads numbers and texts of a file in its own byte order. Reading past the end is remembered, never thrown.

const WORD = 4_294_967_296;

/**
 * A position in `bytes`. After the first read that does not fit, `failedAt` is the byte where it began, and
 * every read gives 0, '' or no bytes: a caller checks once after a group of reads.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly little: boolean;
  pos: number;
  readonly end: number;
  failedAt: number | undefined = undefined;
  private readonly view: DataView;

  /** Reads `bytes[start, end)`; `end` beyond the bytes means up to their end. */
  constructor(bytes: Uint8Array, little: boolean, start = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.little = little;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = Math.min(end, bytes.length);
    this.pos = start;
    // A start read from the file may be any number.
    if (!(start >= 0 && start <= this.end)) this.failedAt = start;
  }

  get left(): number {
    return this.failedAt === undefined ? this.end - this.pos : 0;
  }

  u8(): number {
    return this.fits(1) ? this.view.getUint8(this.pos - 1) : 0;
  }

  u16(): number {
    return this.fits(2) ? this.view.getUint16(this.pos - 2, this.little) : 0;
  }

  u32(): number {
    return this.fits(4) ? this.view.getUint32(this.pos - 4, this.little) : 0;
  }

  /** Exact to 2^53, enough for every length and place that fits a file. */
  u64(): number {
    if (!this.fits(8)) return 0;
    const first = this.view.getUint32(this.pos - 8, this.little);
    const second = this.view.getUint32(this.pos - 4, this.little);
    return this.little ? second * WORD + first : first * WORD + second;
  }

  big64(): bigint {
    return this.fits(8) ? this.view.getBigUint64(this.pos - 8, this.little) : 0n;
  }

  /** The next `count` bytes, not copied. */
  take(count: number): Uint8Array {
    return this.fits(count) ? this.bytes.subarray(this.pos - count, this.pos) : new Uint8Array(0);
  }

  /** Text up to its zero byte. */
  zeroEnded(): string {
    const from = this.pos;
    if (this.failedAt !== undefined) return '';
    const zero = this.bytes.indexOf(0, from);
    if (zero < 0 || zero >= this.end) {
      this.failedAt = from;
      return '';
    }
    this.pos = zero + 1;
    return textOf(this.bytes, from, zero);
  }

  private fits(count: number): boolean {
    if (this.failedAt !== undefined) return false;
    if (count > this.end - this.pos) {
      this.failedAt = this.pos;
      return false;
    }
    this.pos += count;
    return true;
  }
}

/** Characters that one call turns into a string: argument lists have a limit. */
const CALL = 4096;

/** UTF-8 of `bytes[from, to)`; bytes that are none become U+FFFD. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  let i = from;
  while (i < to) {
    let plain = i;
    while (plain < to && bytes[plain]! < 0x80 && plain - i < CALL) plain += 1;
    if (plain > i) {
      // Format texts are megabytes of ASCII: in pieces, not by character.
      text += String.fromCharCode.apply(undefined, bytes.subarray(i, plain) as unknown as number[]);
      i = plain;
      continue;
    }
    const first = bytes[i]!;
    i += 1;
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    let code = first & (0x3f >> more);
    let good = first >= 0xc2 && first < 0xf5 && i + more <= to;
    for (let k = 0; good && k < more; k++) {
      const next = bytes[i + k]!;
      good = (next & 0xc0) === 0x80;
      code = (code << 6) | (next & 0x3f);
    }
    if (good && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)) {
      text += String.fromCodePoint(code);
      i += more;
    } else text += '\ufffd';
  }
  return text;
}

/** The whole of `bytes` as text. */
export function allText(bytes: Uint8Array): string {
  return textOf(bytes, 0, bytes.length);
}
