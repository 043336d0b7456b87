// Finding rows of one lane by time. Bisection over sorted starts; no allocation.

import type { SegmentColumns } from './segments.ts';

/** Last row that begins at or before `tNs`; -1 when the lane begins later. O(log rows). */
export function lastRowAt(cols: SegmentColumns, tNs: number): number {
  return firstRowAfter(cols, tNs) - 1;
}

/** First row that begins after `tNs`; `count` when there is none. O(log rows). */
export function firstRowAfter(cols: SegmentColumns, tNs: number): number {
  const { startNs } = cols;
  let lo = 0;
  let hi = cols.count;
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (startNs[mid]! <= tNs) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** First row that begins at or after `tNs`; `count` when there is none. O(log rows). */
export function firstRowFrom(cols: SegmentColumns, tNs: number): number {
  const { startNs } = cols;
  let lo = 0;
  let hi = cols.count;
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (startNs[mid]! < tNs) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
