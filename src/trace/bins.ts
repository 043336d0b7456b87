// A lane seen through a row of equal bins: what the eye can tell apart, whatever the number of segments.
// Reads whole nodes of the pyramid wherever one fits into a bin, single rows only at the bins' edges.

import { NONE } from './ids.ts';
import { lastRowAt } from './lane_search.ts';
import {
  BUSY_NS,
  busyTable,
  FANOUT_SHIFT,
  KEY_NS,
  keyTimes,
  type LanePyramid,
  LEAF_SHIFT,
  NODE_SUMS,
  RT_NS,
  rtTable,
  SPIN_NS,
} from './lod.ts';
import { SegKind, type SegmentColumns } from './segments.ts';

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
  /** Segments that touch the bin; 0: no data. Exact where single rows were read, else within a few rows. */
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

// Entries of the table of times that the current bin has written, to clear them.
let touched = new Int32Array(256);

/**
 * Fills out[0, binCount) with the lane's [t0Ns, t1Ns) in bins of equal width. The lane's last row ends at `endNs`.
 * A block of rows no longer than a bin may be spread evenly over the edge that it straddles; all else is exact,
 * but for `key`: of several threads with nearly the same time in a bin it may not name the first.
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
  clearBins(out, binCount);
  const stopNs = Math.min(t1Ns, endNs);
  const rowCount = cols.count;
  if (binCount < 1 || rowCount === 0 || !(stopNs > t0Ns)) return;

  const { laneKind, levels } = pyramid;
  const { startNs, kind, who, prio } = cols;
  const { key: outKey, keyShare: outKeyShare, busy: outBusy, spin: outSpin, rt: outRt, count: outCount } = out;
  const busyOf = busyTable(laneKind);
  const rtOf = rtTable();
  const isThread = laneKind === 'thread';
  const byKind = isThread || laneKind === 'lockWait';
  const levelCount = levels.length;
  const widthNs = (t1Ns - t0Ns) / binCount;
  const perNs = 1 / widthNs;
  let times = keyTimes(255);
  let touchedCount = 0;
  let bin = 0;
  let binEndNs = t0Ns + widthNs;
  let busy = 0;
  let spin = 0;
  let rt = 0;
  let rows = 0;
  let bestSlot = 0;
  let bestNs = 0;

  let row = Math.max(0, lastRowAt(cols, t0Ns));
  let level = -1;
  let itemStart = startNs[row]!;
  while (row < rowCount && itemStart < stopNs) {
    // The largest block that begins at this row and lies within the bin, or is too short to matter.
    let itemEnd = 0;
    while (level >= 0) {
      const shift = LEAF_SHIFT + level * FANOUT_SHIFT;
      if ((row & ((1 << shift) - 1)) === 0 && row >> shift < levels[level]!.count) {
        itemEnd = startNs[row + (1 << shift)]!;
        if (itemEnd <= binEndNs || itemEnd - itemStart <= widthNs) break;
      }
      level--;
    }
    if (level < 0) itemEnd = row + 1 < rowCount ? startNs[row + 1]! : endNs;
    while (level + 1 < levelCount) {
      const shift = LEAF_SHIFT + (level + 1) * FANOUT_SHIFT;
      if ((row & ((1 << shift) - 1)) !== 0 || row >> shift >= levels[level + 1]!.count) break;
      const biggerEnd = startNs[row + (1 << shift)]!;
      if (biggerEnd > binEndNs && biggerEnd - itemStart > widthNs) break;
      level++;
      itemEnd = biggerEnd;
    }

    // What the block holds, in ns.
    let span = 1;
    let slot: number;
    let itemKeyNs = itemEnd - itemStart;
    let itemBusyNs: number;
    let itemSpinNs: number;
    let itemRtNs: number;
    if (level < 0) {
      const k = kind[row]!;
      const isBusy = busyOf[k]!;
      slot = byKind ? (isThread ? k + 1 : isBusy * (k + 1)) : isBusy * (who[row]! + 1);
      itemBusyNs = isBusy * itemKeyNs;
      itemSpinNs = k === SegKind.spin ? itemKeyNs : 0;
      itemRtNs = rtOf[prio[row]! + 1]! * itemBusyNs;
    } else {
      const nodes = levels[level]!;
      const shift = LEAF_SHIFT + level * FANOUT_SHIFT;
      const node = row >> shift;
      const sums = nodes.sums;
      const at = node * NODE_SUMS;
      span = 1 << shift;
      slot = nodes.key[node]! + 1;
      itemKeyNs = sums[at + KEY_NS]!;
      itemBusyNs = sums[at + BUSY_NS]!;
      itemSpinNs = sums[at + SPIN_NS]!;
      itemRtNs = sums[at + RT_NS]!;
    }
    if (slot >= times.length) times = grownTimes(times, slot);
    if (touchedCount + 1 >= touched.length) touched = grown(touched);

    if (itemEnd < binEndNs && itemStart >= t0Ns && itemEnd <= stopNs) {
      // Whole within the bin: the usual case where much is merged.
      rows += span;
      busy += itemBusyNs;
      spin += itemSpinNs;
      rt += itemRtNs;
      if (slot > 0) {
        const sum = times[slot]! + itemKeyNs;
        times[slot] = sum;
        touched[touchedCount++] = slot;
        if (sum > bestNs) {
          bestNs = sum;
          bestSlot = slot;
        }
      }
      row += span;
      itemStart = itemEnd;
      continue;
    }

    const byLength = 1 / (itemEnd - itemStart);
    // A single row counts in every bin that it touches, the rows of a block are spread with it.
    if (level < 0) rows++;
    let partStart = Math.max(itemStart, t0Ns);
    const partStop = Math.min(itemEnd, stopNs);
    for (;;) {
      const share = (Math.min(partStop, binEndNs) - partStart) * byLength;
      busy += share * itemBusyNs;
      spin += share * itemSpinNs;
      rt += share * itemRtNs;
      if (level >= 0) rows += share * span;
      if (slot > 0 && share > 0) {
        const sum = times[slot]! + share * itemKeyNs;
        times[slot] = sum;
        touched[touchedCount++] = slot;
        if (sum > bestNs) {
          bestNs = sum;
          bestSlot = slot;
        }
      }
      if (partStop < binEndNs) break;
      // The bin is full: write it and go on with the next.
      outKey[bin] = bestSlot - 1;
      outKeyShare[bin] = bestNs * perNs;
      outBusy[bin] = busy * perNs;
      outSpin[bin] = spin * perNs;
      outRt[bin] = rt * perNs;
      outCount[bin] = Math.ceil(rows);
      for (let k = 0; k < touchedCount; k++) times[touched[k]!] = 0;
      touchedCount = 0;
      busy = 0;
      spin = 0;
      rt = 0;
      bestSlot = 0;
      bestNs = 0;
      bin++;
      if (bin === binCount) return;
      rows = level < 0 && partStop > binEndNs ? 1 : 0;
      partStart = binEndNs;
      binEndNs = t0Ns + (bin + 1) * widthNs;
      if (partStop <= partStart) break;
    }
    row += span;
    itemStart = itemEnd;
  }
  outKey[bin] = bestSlot - 1;
  outKeyShare[bin] = bestNs * perNs;
  outBusy[bin] = busy * perNs;
  outSpin[bin] = spin * perNs;
  outRt[bin] = rt * perNs;
  outCount[bin] = Math.ceil(rows);
  for (let k = 0; k < touchedCount; k++) times[touched[k]!] = 0;
}

function clearBins(out: Bins, binCount: number): void {
  out.key.fill(NONE, 0, binCount);
  out.keyShare.fill(0, 0, binCount);
  out.busy.fill(0, 0, binCount);
  out.spin.fill(0, 0, binCount);
  out.rt.fill(0, 0, binCount);
  out.count.fill(0, 0, binCount);
}

function grownTimes(times: Float64Array<ArrayBuffer>, slot: number): Float64Array<ArrayBuffer> {
  const bigger = keyTimes(slot);
  bigger.set(times);
  times.fill(0);
  return bigger;
}

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const bigger = new Int32Array(list.length * 2);
  bigger.set(list);
  return bigger;
}
