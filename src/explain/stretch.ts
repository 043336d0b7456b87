// A stretch: all rows of a lane around one that show the same state, whatever flags, prio or CPU change within.
// "Why isn't it running?" is asked of a stretch, not of a row.

import { nextSegment, previousSegment } from '../trace/query.ts';
import type { Segment } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';

export interface Stretch {
  readonly first: Segment;
  readonly last: Segment;
  /** What stands before and after; undefined at the ends of the lane. */
  readonly before: Segment | undefined;
  readonly after: Segment | undefined;
}

/** Most rows that are followed to each side: a stretch beyond counts as cut there. */
const MAX_ROWS = 10_000;

/** The stretch that `segment` belongs to. O(its rows). */
export function stretchOf(trace: TraceStore, segment: Segment): Stretch {
  let first = segment;
  let before = previousSegment(trace, first);
  for (let i = 0; before !== undefined && before.kind === segment.kind && i < MAX_ROWS; i++) {
    first = before;
    before = previousSegment(trace, first);
  }
  let last = segment;
  let after = nextSegment(trace, last);
  for (let i = 0; after !== undefined && after.kind === segment.kind && i < MAX_ROWS; i++) {
    last = after;
    after = nextSegment(trace, last);
  }
  return { first, last, before, after };
}
