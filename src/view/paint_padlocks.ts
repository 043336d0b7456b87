// A padlock where a thread takes a lock, over everything of its lane; only where the hold is wide enough to carry it.

import { firstRowFrom, lastRowAt } from '../trace/lane_search.ts';
import { SegFlag } from '../trace/segments.ts';
import { type LaneContext, rowEnd, xOf } from './lane_context.ts';

/** A hold must be this wide, CSS px; above this many rows nothing could be read. */
const MIN_HOLD_PX = 24;
const MOST_ROWS = 2_000;

export function paintPadlocks(c: LaneContext): void {
  const { startNs, flags } = c.columns;
  const lo = Math.max(0, lastRowAt(c.columns, c.fromNs));
  const hi = firstRowFrom(c.columns, c.t0Ns + c.widthPx / c.pxPerNs);
  if (hi - lo > MOST_ROWS) return;
  for (let row = lo; row < hi; row++) {
    if ((flags[row]! & SegFlag.holdsLock) === 0) continue;
    const first = row;
    while (row + 1 < hi && (flags[row + 1]! & SegFlag.holdsLock) !== 0) row++;
    if (first > 0 && (flags[first - 1]! & SegFlag.holdsLock) !== 0) continue;
    const x = xOf(c, startNs[first]!);
    if (xOf(c, rowEnd(c, row)) - x >= MIN_HOLD_PX * c.inks.dpr) paintPadlock(c, Math.round(x));
  }
}

function paintPadlock(c: LaneContext, x: number): void {
  const { padlock, padlockHalo, lane, lock } = c.inks;
  const bottom = c.topPx + c.metrics.lockLineEndY;
  const rim = Math.round((padlockHalo.widthPx - padlock.widthPx) / 2);
  // A little to the left: an outline round the segment would cut it.
  const left = x - Math.round(padlock.widthPx * 0.7);
  c.painter.glyph(padlockHalo, lane, left - rim, bottom - padlock.heightPx - rim);
  c.painter.glyph(padlock, lock, left, bottom - padlock.heightPx);
}
