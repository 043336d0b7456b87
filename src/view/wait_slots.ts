// Where each waiter of a lock stands in the lock's lane: who arrives takes the lowest free line and keeps it until
// it leaves. So the lines form the staircase to the hang, and they stay where they are when the view moves.
// Worked out once for each row of the wait lanes, as rows arrive.

import { NONE } from '../trace/ids.ts';
import type { SegmentColumns } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';

/** Lines of one lock. */
export interface WaitSlots {
  /** Ids of its wait lanes. */
  readonly laneIds: readonly number[];
  /** By place in laneIds: the line of each row of that lane; 255 where nobody waits. */
  readonly slots: readonly Uint8Array<ArrayBuffer>[];
  /** Most waiters at once so far. */
  readonly most: number;
}

export const NO_SLOT = 255;
const MAX_SLOT = 254;

interface Work {
  laneIds: number[];
  slots: Uint8Array<ArrayBuffer>[];
  /** Rows of each lane that have their slot. */
  done: number[];
  /** Line that each lane holds at the end of what is done. */
  current: number[];
  most: number;
  version: number;
}

const byTrace = new WeakMap<TraceStore, Map<number, Work>>();

/** Lines of the lock of `lockLaneId`. Costs the rows that are new since the last call. */
export function waitSlots(trace: TraceStore, lockLaneId: number): WaitSlots {
  let works = byTrace.get(trace);
  if (works === undefined) {
    works = new Map();
    byTrace.set(trace, works);
  }
  let work = works.get(lockLaneId);
  if (work === undefined) {
    work = { laneIds: [], slots: [], done: [], current: [], most: 0, version: -1 };
    works.set(lockLaneId, work);
  }
  if (work.version !== trace.dataVersion) extend(trace, lockLaneId, work);
  return work;
}

function extend(trace: TraceStore, lockLaneId: number, work: Work): void {
  work.version = trace.dataVersion;
  const laneIds = trace.waitLanes[trace.lanes[lockLaneId]?.subject ?? NONE] ?? [];
  for (const laneId of laneIds.slice(work.laneIds.length)) {
    work.laneIds.push(laneId);
    work.slots.push(new Uint8Array(64));
    work.done.push(0);
    work.current.push(NO_SLOT);
  }
  const columns = work.laneIds.map((id) => trace.columns[id] as SegmentColumns);
  columns.forEach((lane, i) => {
    const slots = work.slots[i] as Uint8Array<ArrayBuffer>;
    if (slots.length >= lane.count) return;
    const bigger = new Uint8Array(Math.max(lane.count, slots.length * 2));
    bigger.set(slots);
    work.slots[i] = bigger;
  });
  for (let i = next(columns, work); i >= 0; i = next(columns, work)) place(columns[i] as SegmentColumns, work, i);
}

/** The lane with the earliest row that has no slot yet; leaving comes before arriving at one instant. */
function next(columns: readonly SegmentColumns[], work: Work): number {
  let best = -1;
  let bestNs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < columns.length; i++) {
    const lane = columns[i] as SegmentColumns;
    const row = work.done[i] as number;
    if (row >= lane.count) continue;
    const startNs = lane.startNs[row] as number;
    const leaves = lane.who[row] === NONE;
    if (startNs < bestNs || (startNs === bestNs && leaves)) {
      best = i;
      bestNs = startNs;
    }
  }
  return best;
}

function place(lane: SegmentColumns, work: Work, i: number): void {
  const row = work.done[i] as number;
  work.done[i] = row + 1;
  const waits = lane.who[row] !== NONE;
  // A waiter that changes the way it waits (spins, then sleeps) keeps its line.
  if (waits && work.current[i] === NO_SLOT) work.current[i] = lowestFree(work.current);
  if (!waits) work.current[i] = NO_SLOT;
  (work.slots[i] as Uint8Array)[row] = work.current[i] as number;
  let waiting = 0;
  for (const slot of work.current) if (slot !== NO_SLOT) waiting++;
  work.most = Math.max(work.most, waiting);
}

function lowestFree(current: readonly number[]): number {
  for (let slot = 0; slot < MAX_SLOT; slot++) if (!current.includes(slot)) return slot;
  return MAX_SLOT;
}

/** Line to line in a lock's lane, at its largest. */
export const WAIT_LINE_PITCH_PX = 4.8;
const LOCK_BAR_PX = 13;
const LOCK_PADS_PX = 8;
const MOST_LINES_GROWN_FOR = 8;

/** Height of a lock's lane: `minPx`, or what its waiters need, up to eight lines; more share that height. */
export function lockLaneHeight(trace: TraceStore, lockLaneId: number, minPx: number): number {
  const lines = Math.min(MOST_LINES_GROWN_FOR, waitSlots(trace, lockLaneId).most);
  return Math.max(minPx, Math.ceil(LOCK_BAR_PX + LOCK_PADS_PX + lines * WAIT_LINE_PITCH_PX));
}
