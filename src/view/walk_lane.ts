// Walks the visible rows of a lane: wide segments are painted one by one, narrow ones gathered into bins that are
// painted last, so that a short spin between two long sleeps is not covered by them. Where hundreds of rows share a
// pixel, whole nodes of the lane's pyramid are gathered instead of rows: the cost follows the width, not the trace.

import { NONE } from '../trace/ids.ts';
import { firstRowFrom, lastRowAt } from '../trace/lane_search.ts';
import {
  BUSY_NS,
  FANOUT_SHIFT,
  KEY_NS,
  LEAF_SHIFT,
  NODE_SUMS,
  type PyramidLevel,
  RT_NS,
  SPIN_NS,
} from '../trace/lod.ts';
import { SegFlag, SegKind } from '../trace/segments.ts';
import {
  BLOCK,
  BOOSTED,
  countTask,
  forgetTasks,
  HOLDS,
  OTHER,
  pushBin,
  REAL_TIME,
  RUN,
  SHARES,
  SLEEP,
  SPIN,
  WAIT,
} from './bins.ts';
import type { LaneContext } from './lane_context.ts';
import { paintBins } from './paint_bins.ts';

/** Paints a wide row over [x0, x1) whole device px; what lies far outside the view is cut to OUTSIDE_PX. */
export type PaintRow = (c: LaneContext, row: number, x0: number, x1: number) => void;

/** Paints what the view shows of the lane. One pass over the visible rows or the nodes above them. */
export function walkLane(c: LaneContext, paintRow: PaintRow): void {
  const t1Ns = c.t0Ns + c.widthPx / c.pxPerNs;
  let lo = Math.max(0, lastRowAt(c.columns, c.fromNs));
  // A hold is one bar from its taking on, whatever came to wait in between.
  if (c.kind === 'lock') while (lo > 0 && isSameHold(c, lo - 1, lo)) lo--;
  const hi = firstRowFrom(c.columns, t1Ns);
  c.bins.count = 0;
  c.bins.edged = false;
  walkRows(c, lo, hi, paintRow);
  paintBins(c);
}

/** Far enough outside that no end of a long segment shows. */
const OUTSIDE_PX = 64;
/** A node no wider than this, CSS px, may be taken as a whole: a bin is wider. */
const BLOCK_PX = 2.25;
const LEAF_MASK = (1 << LEAF_SHIFT) - 1;

/** Where the time of a SegKind is summed. */
const PLACE = new Uint8Array(16).fill(OTHER);
PLACE[SegKind.run] = RUN;
PLACE[SegKind.held] = RUN;
PLACE[SegKind.spin] = SPIN;
PLACE[SegKind.runnable] = WAIT;
PLACE[SegKind.blocked] = BLOCK;
PLACE[SegKind.throttled] = BLOCK;
PLACE[SegKind.sleep] = SLEEP;

/**
 * Rows in which nothing is done may be twice as wide and still belong to a bin: else each short burst between two
 * sleeps would stand alone at full height, one column a switch, where the share of time is what can be seen.
 */
const QUIET_FACTOR = 2;
const QUIET = new Uint8Array(16);
for (const kind of [SegKind.idle, SegKind.sleep, SegKind.free]) QUIET[kind] = 1;

/** Time by place within the bin that is being filled, then its whole length. */
const sums = new Float64Array(SHARES + 1);
/** Length of the row or node at hand: numbers with fractions handed from call to call would be boxed. */
const itemNs = new Float64Array(1);

function walkRows(c: LaneContext, lo: number, hi: number, paintRow: PaintRow): void {
  const { t0Ns, pxPerNs, binNs, endNs, widthPx, bins } = c;
  const { startNs, kind, flags, count } = c.columns;
  const { countsTasks } = c;
  const joins = c.kind === 'lock';
  const levels = c.frame.trace.pyramids[c.laneId]?.levels ?? NO_LEVELS;
  const minNs = c.metrics.minPx / pxPerNs;
  const quietNs = minNs * QUIET_FACTOR;
  const blockNs = (BLOCK_PX * c.inks.dpr) / pxPerNs;
  const farPx = widthPx + OUTSIDE_PX;
  // The open bin covers [binFromNs, binToNs); what begins from binEndNs on belongs to the next.
  let binFromNs = 0;
  let binToNs = -1;
  let binEndNs = 0;
  let row = lo;
  while (row < hi) {
    const fromNs = startNs[row]!;
    let next = row + 1;
    let toNs = next < count ? startNs[next]! : endNs;
    let level = -1;
    if ((row & LEAF_MASK) === 0 && toNs - fromNs <= blockNs) {
      level = levelAt(levels, startNs, row, fromNs + blockNs);
      if (level >= 0) {
        next = row + (1 << (LEAF_SHIFT + level * FANOUT_SHIFT));
        toNs = startNs[next]!;
      }
    }
    if (joins && level < 0 && next < count && isSameHold(c, row, next)) {
      while (next < count && isSameHold(c, row, next)) next++;
      toNs = next < count ? startNs[next]! : endNs;
    }
    const isWide = toNs - fromNs >= (QUIET[kind[row]!] === 1 ? quietNs : minNs);
    if (binToNs > binFromNs && (isWide || fromNs >= binEndNs)) {
      sums[SHARES] = binToNs - binFromNs;
      pushBin(bins, px(binFromNs, t0Ns, pxPerNs), px(binToNs, t0Ns, pxPerNs), sums);
      binToNs = binFromNs;
    }
    if (isWide) {
      const x0 = (fromNs - t0Ns) * pxPerNs;
      const x1 = (toNs - t0Ns) * pxPerNs;
      paintRow(c, row, x0 < -OUTSIDE_PX ? -OUTSIDE_PX : Math.round(x0) | 0, x1 > farPx ? farPx : Math.round(x1) | 0);
    } else if (toNs > fromNs) {
      if (binToNs <= binFromNs) {
        binFromNs = fromNs;
        binEndNs = (Math.floor(fromNs / binNs) + 1) * binNs;
        // Nine stores cost a third of a call of fill.
        for (let place = 0; place < SHARES; place++) sums[place] = 0;
        forgetTasks();
      }
      binToNs = toNs;
      itemNs[0] = toNs - fromNs;
      if (level < 0) {
        const place = PLACE[kind[row]!]!;
        sums[place] = sums[place]! + toNs - fromNs;
        if (countsTasks || flags[row] !== 0) sumRow(c, row, place);
      } else {
        sumNode(c, levels[level]!, row >> (LEAF_SHIFT + level * FANOUT_SHIFT), row);
      }
    }
    row = next;
  }
  if (binToNs > binFromNs) {
    sums[SHARES] = binToNs - binFromNs;
    pushBin(bins, px(binFromNs, t0Ns, pxPerNs), px(binToNs, t0Ns, pxPerNs), sums);
  }
}

/** Rows of a lock's lane that differ in the number of waiters only. */
function isSameHold(c: LaneContext, a: number, b: number): boolean {
  const { kind, who } = c.columns;
  return kind[a] === kind[b] && who[a] === who[b];
}

const NO_LEVELS: readonly PyramidLevel[] = [];

function px(timeNs: number, t0Ns: number, pxPerNs: number): number {
  return Math.floor((timeNs - t0Ns) * pxPerNs + 0.5) | 0;
}

/** Highest level whose node begins at `row` and ends by `endNs`; -1: none does. */
function levelAt(levels: readonly PyramidLevel[], startNs: Float64Array, row: number, endNs: number): number {
  let best = -1;
  for (let level = 0; level < levels.length; level++) {
    const shift = LEAF_SHIFT + level * FANOUT_SHIFT;
    const span = 1 << shift;
    if ((row & (span - 1)) !== 0 || row >> shift >= levels[level]!.count || startNs[row + span]! > endNs) break;
    best = level;
  }
  return best;
}

/** What few lanes or rows need: whose time it is, and the edges. */
function sumRow(c: LaneContext, row: number, place: number): void {
  const ns = itemNs[0]!;
  if (c.countsTasks && place <= SPIN) countTask(c.columns.who[row]!, ns);
  const flag = c.columns.flags[row]!;
  if (flag !== 0) sumEdges(flag, place <= WAIT ? ns : 0, ns);
}

function sumEdges(flag: number, activeNs: number, ns: number): void {
  if ((flag & SegFlag.rt) !== 0) sums[REAL_TIME] = sums[REAL_TIME]! + activeNs;
  if ((flag & SegFlag.boosted) !== 0) sums[BOOSTED] = sums[BOOSTED]! + ns;
  if ((flag & SegFlag.holdsLock) !== 0) sums[HOLDS] = sums[HOLDS]! + ns;
}

/** A node knows no edges but its real-time share; for the others its first row speaks. */
function sumNode(c: LaneContext, level: PyramidLevel, node: number, row: number): void {
  const ns = itemNs[0]!;
  const nodeSums = level.sums;
  const at = node * NODE_SUMS;
  const busyNs = nodeSums[at + BUSY_NS]!;
  const spinNs = nodeSums[at + SPIN_NS]!;
  const keyNs = nodeSums[at + KEY_NS]!;
  const key = level.key[node]!;
  sums[SPIN] = sums[SPIN]! + spinNs;
  sums[RUN] = sums[RUN]! + (busyNs > spinNs ? busyNs - spinNs : 0);
  sums[REAL_TIME] = sums[REAL_TIME]! + nodeSums[at + RT_NS]!;
  if (c.countsTasks) {
    if (key !== NONE) countTask(key, keyNs);
  } else if (ns > busyNs) {
    sumQuiet(key, keyNs, ns - busyNs);
  }
  const flag = c.columns.flags[row]!;
  if ((flag & (SegFlag.boosted | SegFlag.holdsLock)) !== 0) sumEdges(flag & ~SegFlag.rt, 0, ns);
}

/** Of the time that was not busy a node of a thread lane knows only the kind it had most of. */
function sumQuiet(key: number, keyNs: number, quietNs: number): void {
  const place = PLACE[key] ?? OTHER;
  if (place === WAIT || place === BLOCK) sums[place] = sums[place]! + Math.min(keyNs, quietNs);
  else if (key !== SegKind.absent) sums[SLEEP] = sums[SLEEP]! + quietNs;
}
