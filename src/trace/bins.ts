// A lane seen through a row of equal bins: what the eye can tell apart, whatever the number of segments.
// Reads whole nodes of the pyramid wherever one fits into a bin, single rows only at the bins' edges.

import { NONE } from './ids.ts';
import { FANOUT, isBusyOn, keyOf, LEAF_ROWS, type LanePyramid } from './lod.ts';
import { isRtPrio } from './prio.ts';
import { lastRowAt } from './lane_search.ts';
import { type SegmentColumns, SegKind } from './segments.ts';

/** One entry a bin. Shares are of the bin's width, 0..1; where data ends inside a bin they cover less of it. */
export interface Bins {
  /** CPU lanes: the task with most time; lock lanes: the holder with most time; thread and wait lanes: the SegKind with most time. NONE: nothing of that sort. */
  readonly key: Int32Array<ArrayBuffer>;
  readonly keyShare: Float32Array<ArrayBuffer>;
  /** CPU and thread lanes: on a CPU. Lock lanes: held. Wait lanes: waiting. */
  readonly busy: Float32Array<ArrayBuffer>;
  readonly spin: Float32Array<ArrayBuffer>;
  /** Busy in the real-time class. */
  readonly rt: Float32Array<ArrayBuffer>;
  /** Segments that touch the bin; 0: no data. Where blocks of rows straddle an edge they count in the earlier bin. */
  readonly count: Uint32Array<ArrayBuffer>;
}

/** Room for `capacity` bins, to be used again and again. */
export function createBins(capacity: number): Bins {
  return {
    key: new Int32Array(capacity),
    keyShare: new Float32Array(capacity),
    busy: new Float32Array(capacity),
    spin: new Float32Array(capacity),
    rt: new Float32Array(capacity),
    count: new Uint32Array(capacity),
  };
}

const MAX_LEVELS = 24;
const SPAN: number[] = Array.from({ length: MAX_LEVELS }, (_, level) => LEAF_ROWS * FANOUT ** level);

// Time by key within the bin that is being filled; `touched` says which entries to clear.
let keyTime = new Float64Array(256);
let touched = new Int32Array(64);

/**
 * Fills out[0, binCount) with the lane's [t0Ns, t1Ns) in bins of equal width. The lane's last row ends at `endNs`.
 * A block of rows shorter than half a bin may be spread evenly over the edge that it straddles; all else is exact.
 * O(binCount + log rows). t1Ns <= t0Ns gives empty bins.
 */
export function fillBins(
  pyramid: LanePyramid,
  cols: SegmentColumns,
  endNs: number,
  t0Ns: number,
  t1Ns: number,
  binCount: number,
  out: Bins,
): void {
  out.key.fill(NONE, 0, binCount);
  out.keyShare.fill(0, 0, binCount);
  out.busy.fill(0, 0, binCount);
  out.spin.fill(0, 0, binCount);
  out.rt.fill(0, 0, binCount);
  out.count.fill(0, 0, binCount);
  const stopNs = Math.min(t1Ns, endNs);
  const rowCount = cols.count;
  if (binCount < 1 || rowCount === 0 || !(stopNs > t0Ns)) return;

  const { laneKind, levels } = pyramid;
  const { startNs } = cols;
  const widthNs = (t1Ns - t0Ns) / binCount;
  const perNs = 1 / widthNs;
  const halfNs = widthNs / 2;
  let touchedCount = 0;
  let bin = 0;
  let binEndNs = t0Ns + widthNs;
  let busy = 0;
  let spin = 0;
  let rt = 0;
  let rows = 0;
  let bestKey = NONE;
  let bestNs = 0;

  let row = Math.max(0, lastRowAt(cols, t0Ns));
  let level = -1;
  while (row < rowCount) {
    const itemStart = startNs[row]!;
    if (itemStart >= stopNs) break;

    // The largest block that begins at this row and lies within the bin, or is too short to matter.
    let span = 1;
    let itemEnd = 0;
    while (level >= 0) {
      span = SPAN[level]!;
      if (row % span === 0 && (row + span) / span <= levels[level]!.count) {
        itemEnd = startNs[row + span]!;
        if (itemEnd <= binEndNs || itemEnd - itemStart <= halfNs) break;
      }
      level--;
    }
    if (level < 0) {
      span = 1;
      itemEnd = row + 1 < rowCount ? startNs[row + 1]! : endNs;
    }
    while (level + 1 < levels.length) {
      const biggerSpan = SPAN[level + 1]!;
      if (row % biggerSpan !== 0 || (row + biggerSpan) / biggerSpan > levels[level + 1]!.count) break;
      const biggerEnd = startNs[row + biggerSpan]!;
      if (biggerEnd > binEndNs && biggerEnd - itemStart > halfNs) break;
      level++;
      span = biggerSpan;
      itemEnd = biggerEnd;
    }

    // What the block holds, as ns for each ns of its length.
    let key: number;
    let keyRate: number;
    let busyRate: number;
    let spinRate: number;
    let rtRate: number;
    if (level < 0) {
      const kind = cols.kind[row]!;
      key = keyOf(laneKind, kind, cols.who[row]!);
      keyRate = 1;
      busyRate = isBusyOn(laneKind, kind) ? 1 : 0;
      spinRate = kind === SegKind.spin ? 1 : 0;
      rtRate = busyRate === 1 && isRtPrio(cols.prio[row]!) ? 1 : 0;
    } else {
      const nodes = levels[level]!;
      const node = row / span;
      const byLength = 1 / (itemEnd - itemStart);
      key = nodes.key[node]!;
      keyRate = nodes.keyNs[node]! * byLength;
      busyRate = nodes.busyNs[node]! * byLength;
      spinRate = nodes.spinNs[node]! * byLength;
      rtRate = nodes.rtNs[node]! * byLength;
    }

    if (key + 1 >= keyTime.length) growKeyTime(key + 2);
    rows += span;
    let partStart = itemStart < t0Ns ? t0Ns : itemStart;
    const partStop = itemEnd > stopNs ? stopNs : itemEnd;
    for (;;) {
      const partEnd = partStop < binEndNs ? partStop : binEndNs;
      const ns = partEnd - partStart;
      if (ns > 0) {
        busy += busyRate * ns;
        spin += spinRate * ns;
        rt += rtRate * ns;
        if (key !== NONE) {
          const before = keyTime[key]!;
          if (before === 0) {
            if (touchedCount === touched.length) touched = grown(touched);
            touched[touchedCount++] = key;
          }
          const sum = before + keyRate * ns;
          keyTime[key] = sum;
          if (sum > bestNs) {
            bestNs = sum;
            bestKey = key;
          }
        }
      }
      if (partStop < binEndNs) break;
      // The bin is full: write it and go on with the next.
      out.key[bin] = bestKey;
      out.keyShare[bin] = bestNs * perNs;
      out.busy[bin] = busy * perNs;
      out.spin[bin] = spin * perNs;
      out.rt[bin] = rt * perNs;
      out.count[bin] = rows;
      for (let k = 0; k < touchedCount; k++) keyTime[touched[k]!] = 0;
      touchedCount = 0;
      busy = 0;
      spin = 0;
      rt = 0;
      bestKey = NONE;
      bestNs = 0;
      bin++;
      if (bin === binCount) return;
      rows = partStop > binEndNs ? 1 : 0;
      partStart = binEndNs;
      binEndNs = t0Ns + (bin + 1) * widthNs;
      if (partStop <= partStart) break;
    }
    row += span;
  }
  if (bin < binCount) {
    out.key[bin] = bestKey;
    out.keyShare[bin] = bestNs * perNs;
    out.busy[bin] = busy * perNs;
    out.spin[bin] = spin * perNs;
    out.rt[bin] = rt * perNs;
    out.count[bin] = rows;
  }
  for (let k = 0; k < touchedCount; k++) keyTime[touched[k]!] = 0;
}

function growKeyTime(needed: number): void {
  const bigger = new Float64Array(Math.max(needed, keyTime.length * 2));
  bigger.set(keyTime);
  keyTime = bigger;
}

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const bigger = new Int32Array(list.length * 2);
  bigger.set(list);
  return bigger;
}
