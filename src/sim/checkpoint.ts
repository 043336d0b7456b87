// Checkpoints: the whole machine is plain data, so a copy of it is a run that can be gone on with. A history keeps
// some on the way, so that any instant can be reached by a short replay.

import { assert } from '../base/assert.ts';
import type { Ns } from '../base/units.ts';
import { createRecords } from '../trace/records.ts';
import type { Machine } from './machine.ts';
import { runUntil } from './run.ts';

/** A machine between two events. Opaque; it is never changed, and can be gone on from any number of times. */
export interface Checkpoint {
  readonly nowNs: Ns;
  readonly events: number;
  readonly frozen: Machine;
}

/**
 * A copy of the machine. What never changes (scenario, programs, findings that are told) is shared. Records that were
 * not taken stay behind. O(state), without the findings, of which a long run can have many.
 */
function copyOf(m: Machine): Machine {
  const { scenario, programs, records: _records, tracker, ...state } = m;
  const { done, ...open } = tracker;
  const copiedTracker = { ...structuredClone(open), done: [...done], seenRecords: 0 };
  return { ...structuredClone(state), scenario, programs, records: createRecords(), tracker: copiedTracker };
}

/** The machine as it is. All its records must have been taken: they belong to the run so far. */
export function freeze(m: Machine): Checkpoint {
  assert(m.records.count === 0, 'records are taken before a checkpoint');
  return keep(m);
}

function keep(m: Machine): Checkpoint {
  return { nowNs: m.nowNs, events: m.events, frozen: copyOf(m) };
}

/** A machine that goes on from a checkpoint. */
export function thaw(checkpoint: Checkpoint): Machine {
  return copyOf(checkpoint.frozen);
}

/** Events between two checkpoints of a history: few enough for a replay that nobody waits for. */
const EVENTS_BETWEEN = 8_192;

/** Checkpoints of one run, in order. The first is its beginning. */
export interface History {
  readonly checkpoints: Checkpoint[];
}

export function createHistory(m: Machine): History {
  return { checkpoints: [keep(m)] };
}

/** Call between slices of a run, after its records were taken: keeps a checkpoint when enough has happened since the last. */
export function keepUp(history: History, m: Machine): void {
  const last = history.checkpoints[history.checkpoints.length - 1]!;
  if (m.events - last.events >= EVENTS_BETWEEN) history.checkpoints.push(keep(m));
}

/** A machine of its own at `tNs`: after all events of that instant. From the last checkpoint before, by replay. */
export function machineAt(history: History, tNs: Ns): Machine {
  let at = history.checkpoints[0]!;
  for (const checkpoint of history.checkpoints) if (checkpoint.nowNs <= tNs) at = checkpoint;
  const m = thaw(at);
  runUntil(m, tNs + 1, Number.POSITIVE_INFINITY);
  return m;
}
