// Turns "this lane shows X from t on" into rows. Holds back the last row of each lane until time moves
// on, so that several changes at one instant leave one row, and a change that changed nothing leaves none.
// The rows do not depend on how often or where they are taken out.

import type { Ns } from '../base/units.ts';
import { createSegmentRows, pushSegmentRow, type SegmentRows } from './segment_rows.ts';
import type { LaneInfo, LaneKind } from './segments.ts';

interface Shown {
  kind: number;
  flags: number;
  who: number;
  prio: number;
  reason: number;
  arg: number;
  arg2: number;
}

interface LaneCell {
  startNs: Ns;
  /** The held row is already among the rows. */
  written: boolean;
  readonly held: Shown;
  /** Last row written; undefined before the first. */
  last: Shown | undefined;
}

/** Writer of all lanes. `rows` is emptied by its reader through `count = 0`. */
export interface LaneWriter {
  readonly lanes: LaneInfo[];
  readonly rows: SegmentRows;
  readonly cells: LaneCell[];
}

/** Lanes that fit into a chunk's 16-bit lane column. */
export const MAX_LANES = 65_536;

export function createLaneWriter(): LaneWriter {
  return { lanes: [], rows: createSegmentRows(), cells: [] };
}

/** Adds a lane that shows `kind` from `fromNs` on. Returns its id. */
export function addLane(
  w: LaneWriter,
  lane: { readonly kind: LaneKind; readonly subject: number; readonly task: number },
  fromNs: Ns,
  shown: Readonly<Shown>,
): number {
  const id = w.lanes.length;
  w.lanes.push({ id, ...lane });
  w.cells.push({ startNs: fromNs, written: false, held: { ...shown }, last: undefined });
  return id;
}

/** The lane shows this from `tNs` on. `tNs` never goes back. */
export function showOnLane(
  w: LaneWriter,
  lane: number,
  tNs: Ns,
  kind: number,
  flags: number,
  who: number,
  prio: number,
  reason: number,
  arg: number,
  arg2: number,
): void {
  const cell = w.cells[lane]!;
  const h = cell.held;
  if (tNs > cell.startNs) {
    const same =
      h.kind === kind &&
      h.flags === flags &&
      h.who === who &&
      h.prio === prio &&
      h.reason === reason &&
      h.arg === arg &&
      h.arg2 === arg2;
    if (same) return;
    if (!cell.written) writeHeld(w, lane, cell);
    cell.startNs = tNs;
    cell.written = false;
  }
  h.kind = kind;
  h.flags = flags;
  h.who = who;
  h.prio = prio;
  h.reason = reason;
  h.arg = arg;
  h.arg2 = arg2;
}

/** Writes the held rows that began before `tNs`. Call only when nothing earlier than `tNs` can follow. */
export function settleLanes(w: LaneWriter, tNs: Ns): void {
  for (let lane = 0; lane < w.cells.length; lane++) {
    const cell = w.cells[lane]!;
    if (!cell.written && cell.startNs < tNs) writeHeld(w, lane, cell);
  }
}

function writeHeld(w: LaneWriter, lane: number, cell: LaneCell): void {
  cell.written = true;
  const h = cell.held;
  const last = cell.last;
  if (last === undefined) cell.last = { ...h };
  else if (
    last.kind === h.kind &&
    last.flags === h.flags &&
    last.who === h.who &&
    last.prio === h.prio &&
    last.reason === h.reason &&
    last.arg === h.arg &&
    last.arg2 === h.arg2
  ) {
    return; // It changed back within its instant: the row before goes on.
  } else {
    last.kind = h.kind;
    last.flags = h.flags;
    last.who = h.who;
    last.prio = h.prio;
    last.reason = h.reason;
    last.arg = h.arg;
    last.arg2 = h.arg2;
  }
  pushSegmentRow(w.rows, lane, cell.startNs, h.kind, h.flags, h.who, h.prio, h.reason, h.arg, h.arg2);
}
