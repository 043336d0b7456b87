// The events of one CPU, page by page, as the kernel's ring buffer wrote them.

import type { CpuPages } from './container.ts';
import type { PageLayout } from './page_layout.ts';

/** Time stamps count from here: the 64-bit clock value in two words. */
export interface TimeZero {
  readonly high: number;
  readonly low: number;
}

/** Events were lost, and the kernel does not say how many. */
export const LOST_UNKNOWN = -1;

const WORD = 4_294_967_296;
/** A time extend's word counts in units of 2^27. */
const EXTEND = 134_217_728;
const COMMIT_MASK = 0x7ffffff;
const MISSED_EVENTS = 0x80000000;
const MISSED_STORED = 0x40000000;
/** An absolute time stamp has 59 bits; the page's own has the upper five. */
const UPPER_BITS = 0xf8000000;

/** Types of a record beyond a length in words (1 to 28); 31 is an absolute time stamp. */
const PADDING = 29;
const TIME_EXTEND = 30;

export class CpuStream {
  readonly cpu: number;
  readonly view: DataView;
  /** Clock units since the time zero. Exact below 2^53. */
  ticks = 0;
  /** Where the record's data begin in `view`, and how many bytes they are. */
  at = 0;
  length = 0;
  /** Events lost before this one; `LOST_UNKNOWN` where nobody knows how many. */
  lost = 0;
  /** Pages that hold something that no kernel writes; their rest was skipped. */
  damagedPages = 0;

  private readonly little: boolean;
  private readonly layout: PageLayout;
  private readonly pageBytes: number;
  private readonly longBytes: number;
  private readonly zero: TimeZero;
  private nextPage = 0;
  private pos = 0;
  private end = 0;
  private lostNext = 0;
  private lostAfterPage = false;
  private pageHigh = 0;

  constructor(
    pages: CpuPages,
    little: boolean,
    longBytes: number,
    pageBytes: number,
    layout: PageLayout,
    zero: TimeZero,
  ) {
    const { bytes } = pages;
    this.cpu = pages.cpu;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.little = little;
    this.longBytes = longBytes;
    this.pageBytes = pageBytes;
    this.layout = layout;
    this.zero = zero;
  }

  /** Goes to the next event. False after the last one. */
  next(): boolean {
    for (;;) {
      if (this.nextInPage()) {
        this.lost = this.lostNext;
        this.lostNext = 0;
        return true;
      }
      if (!this.openPage()) return false;
    }
  }

  private nextInPage(): boolean {
    const { view, little } = this;
    while (this.pos + 4 <= this.end) {
      const word = view.getUint32(this.pos, little);
      const type = little ? word & 31 : word >>> 27;
      const delta = little ? word >>> 5 : word & COMMIT_MASK;
      this.pos += 4;
      if (type > 0 && type < PADDING) return this.take(this.pos, type * 4, delta);
      if (this.pos + 4 > this.end) {
        // Padding to the end of the page has no second word.
        if (type === PADDING && delta === 0) break;
        return this.damaged();
      }
      const second = view.getUint32(this.pos, little);
      if (type === 0) {
        if (second < 4) return this.damaged();
        return this.take(this.pos + 4, second - 4 + ((4 - (second & 3)) & 3), delta);
      }
      if (type === PADDING) {
        if (delta === 0) break;
        // An event that was thrown away after its place had been taken.
        this.ticks += delta;
        this.pos += second;
      } else if (type === TIME_EXTEND) {
        this.ticks += second * EXTEND + delta;
        this.pos += 4;
      } else {
        this.setStamp(second, delta);
        this.pos += 4;
      }
    }
    this.pos = this.end;
    return false;
  }

  private take(at: number, length: number, delta: number): boolean {
    if (at + length > this.end) return this.damaged();
    this.ticks += delta;
    this.at = at;
    this.length = length;
    this.pos = at + length;
    return true;
  }

  private setStamp(second: number, delta: number): void {
    const high = ((second >>> 5) | (this.pageHigh & UPPER_BITS)) >>> 0;
    const low = ((second << 27) | delta) >>> 0;
    const ticks = (high - this.zero.high) * WORD + (low - this.zero.low);
    // Where the 59 bits wrapped after the page began, the stamp would lie before it by 2^59.
    this.ticks = high < this.pageHigh ? ticks + EXTEND * WORD : ticks;
  }

  private damaged(): boolean {
    this.damagedPages += 1;
    this.lostNext = LOST_UNKNOWN;
    this.pos = this.end;
    return false;
  }

  private openPage(): boolean {
    const { view, little, layout } = this;
    const start = this.nextPage;
    const room = Math.min(this.pageBytes, view.byteLength - start);
    if (room < layout.dataAt) {
      this.pos = this.end = 0;
      return false;
    }
    this.nextPage += this.pageBytes;
    const high = view.getUint32(start + (little ? 4 : 0), little);
    const low = view.getUint32(start + (little ? 0 : 4), little);
    // The flags and the length are in the commit word's lower half.
    const commitAt = start + layout.commitAt + (!little && layout.commitBytes === 8 ? 4 : 0);
    const commit = view.getUint32(commitAt, little);
    const used = commit & COMMIT_MASK;
    this.pageHigh = high;
    this.ticks = (high - this.zero.high) * WORD + (low - this.zero.low);
    this.pos = start + layout.dataAt;
    this.end = this.pos + Math.min(used, room - layout.dataAt);
    if (used > this.pageBytes - layout.dataAt) {
      this.damaged();
      return true;
    }
    if (used > room - layout.dataAt) {
      this.damagedPages += 1;
      this.lostAfterPage = true;
    }
    if ((commit & MISSED_EVENTS) !== 0)
      this.lostNext = this.lostCount(commit, start + layout.dataAt + used, start + room);
    return true;
  }

  private lostCount(commit: number, at: number, pageEnd: number): number {
    if ((commit & MISSED_STORED) === 0 || at + this.longBytes > pageEnd) return LOST_UNKNOWN;
    if (this.longBytes === 4) return this.view.getUint32(at, this.little);
    const first = this.view.getUint32(at, this.little);
    const second = this.view.getUint32(at + 4, this.little);
    return this.little ? second * WORD + first : first * WORD + second;
  }

  /** True where the last page was cut off, so that events after it are missing. */
  get cutShort(): boolean {
    return this.lostAfterPage;
  }
}

/** The clock value of the first page that holds events, or undefined where none does. */
export function firstStamp(
  pages: CpuPages,
  little: boolean,
  pageBytes: number,
  layout: PageLayout,
): TimeZero | undefined {
  const { bytes } = pages;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start + layout.dataAt <= view.byteLength; start += pageBytes) {
    const commitAt = start + layout.commitAt + (!little && layout.commitBytes === 8 ? 4 : 0);
    if ((view.getUint32(commitAt, little) & COMMIT_MASK) === 0) continue;
    return {
      high: view.getUint32(start + (little ? 4 : 0), little),
      low: view.getUint32(start + (little ? 0 : 4), little),
    };
  }
  return undefined;
}
