// Walks the visible rows of a lane: wide segments are painted one by one, narrow ones gathered into bins that are
// painted last, so that a short spin between two long sleeps is not covered by them. Where hundreds of rows share a
// pixel, whole nodes of the lane's pyramid are gathered instead of rows: the cost follows the width, not the trace.

import { firstRowFrom, lastRowAt } from '../trace/lane_search.ts';
import { FANOUT_SHIFT, LEAF_SHIFT, type PyramidLevel } from '../trace/lod.ts';
import { addBlockToBins, addToBins, closeBin } from './bins.ts';
import { type LaneContext, rowEnd, xOf } from './lane_context.ts';
import { paintBins } from './paint_bins.ts';

/** Paints a wide row over [x0, x1) device px, neither rounded nor cut to the view. */
export type PaintRow = (c: LaneContext, row: number, x0: number, x1: number) => void;

/** Paints what the view shows of the lane. One pass over the visible rows or the nodes above them. */
export function walkLane(c: LaneContext, paintRow: PaintRow): void {
  const t1Ns = c.t0Ns + c.widthPx / c.pxPerNs;
  const lo = Math.max(0, lastRowAt(c.columns, c.t0Ns));
  const hi = firstRowFrom(c.columns, t1Ns);
  c.bins.count = 0;
  walkRows(c, lo, hi, paintRow);
  paintBins(c);
}

/** A node no wider than this, CSS px, may be taken as a whole: its inside can't be told apart. */
const BLOCK_PX = 1;

function walkRows(c: LaneContext, lo: number, hi: number, paintRow: PaintRow): void {
  const { startNs } = c.columns;
  const levels = c.frame.trace.pyramids[c.laneId]?.levels ?? [];
  const { minPx } = c.metrics;
  const blockNs = (BLOCK_PX * c.inks.dpr) / c.pxPerNs;
  let row = lo;
  while (row < hi) {
    const from = startNs[row]!;
    const level = (row & LEAF_MASK) === 0 ? levelAt(levels, startNs, row, from + blockNs) : -1;
    if (level >= 0) {
      const shift = LEAF_SHIFT + level * FANOUT_SHIFT;
      const next = row + (1 << shift);
      addBlockToBins(c, levels[level]!, row >> shift, row, from, startNs[next]!);
      row = next;
      continue;
    }
    const to = rowEnd(c, row);
    if (to > from) {
      const x0 = xOf(c, from);
      const x1 = xOf(c, to);
      if (x1 - x0 >= minPx) {
        closeBin(c);
        paintRow(c, row, x0, x1);
      } else {
        addToBins(c, row, from, to);
      }
    }
    row++;
  }
  closeBin(c);
}

const LEAF_MASK = (1 << LEAF_SHIFT) - 1;

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
