// What the shells (engine, command line, tests) may use of the simulation. The only door to sim/.

import type { Ns } from '../base/units.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { TaskInfo, TraceMeta } from '../trace/meta.ts';
import { createRecords, type RecordColumns } from '../trace/records.ts';
import type { Verdict } from '../trace/verdicts.ts';
import { checkInvariants } from './checkers.ts';
import { type Checkpoint, createHistory, freeze, type History, keepUp, machineAt, thaw } from './checkpoint.ts';
import { MachineHandle } from './handle.ts';
import { hashRecords, hashText } from './hash.ts';
import { inspect, type MachineState } from './inspect.ts';
import { createMachine } from './machine.ts';
import { boot, runUntil } from './run.ts';
import type { RunState } from './state.ts';
import { listVerdicts } from './verdicts/tracker.ts';

export type { Checkpoint, History } from './checkpoint.ts';
export { ENGINE_VERSION } from './hash.ts';
export type { CpuState, EntityState, FairQueueState, LockState, MachineState, TimerState } from './inspect.ts';
export type { RunState } from './state.ts';

/** A running simulation, opaque to the shells. */
export interface Simulation {
  readonly meta: TraceMeta;
  /** All tasks so far, forks included; grows. */
  readonly tasks: readonly TaskInfo[];
  /** Texts that mark and finding records refer to; grows. */
  readonly texts: readonly string[];
  /** Records written since `takeRecords`; the shell drains them. */
  readonly records: RecordColumns;
  readonly nowNs: Ns;
  readonly events: number;
  readonly state: RunState;
}

export interface SimulationOptions {
  /** Instants at which every open spin loop writes its count (`spinCount`, probe): the edges of windows that will be asked about. */
  readonly probesNs?: readonly Ns[];
  /** Stop with state 'limit' after so many events. Default 12 million. */
  readonly maxEvents?: number;
  /** Check invariants after every event (tests, command line with --check). */
  readonly check?: boolean;
}

/** The functions of this door as one value, for shells that take the simulator as a parameter. */
export interface SimModule {
  readonly createSimulation: typeof createSimulation;
  readonly advance: typeof advance;
  readonly takeRecords: typeof takeRecords;
  readonly verdictsOf: typeof verdictsOf;
  readonly hashOf: typeof hashOf;
}

/** Besides, the state at any instant. */
export interface InspectModule extends SimModule {
  readonly historyOf: typeof historyOf;
  readonly noteHistory: typeof noteHistory;
  readonly stateAt: typeof stateAt;
}

const DEFAULT_MAX_EVENTS = 12_000_000;
/** Room for records between two drains, at least and at most; columns that are full are doubled. */
const RECORD_CAPACITY = 4096;
const MAX_CAPACITY = 1 << 18;

/** A run of `scenario` at its beginning. The scenario is not changed. */
export function createSimulation(scenario: Scenario, options: SimulationOptions = {}): Simulation {
  const machine = createMachine(scenario, options.probesNs ?? [], options.maxEvents ?? DEFAULT_MAX_EVENTS);
  boot(machine);
  return new MachineHandle(machine, options.check === true);
}

/** Advances to `untilNs`, the end, a bound, or `maxEvents` more events, whichever comes first. How a run is cut into calls changes nothing. */
export function advance(sim: Simulation, untilNs: Ns, maxEvents: number): RunState {
  const handle = sim as MachineHandle;
  runUntil(handle.machine, untilNs, maxEvents);
  if (handle.checks) checkInvariants(handle.machine);
  return handle.machine.state;
}

/** Empties the record buffer and returns what was in it. Every record must be taken exactly once: the hash is made here. */
export function takeRecords(sim: Simulation): RecordColumns {
  const machine = (sim as MachineHandle).machine;
  const taken = machine.records;
  hashRecords(machine, taken);
  machine.tracker.seenRecords = 0;
  // Somewhat more room than this batch needed, so that equal batches never grow it row by row.
  machine.records = createRecords(Math.min(MAX_CAPACITY, Math.max(RECORD_CAPACITY, taken.count + (taken.count >> 2))));
  return taken;
}

/** Findings so far; final once state is not 'running'. Worst first, then by time. */
export function verdictsOf(sim: Simulation): readonly Verdict[] {
  return listVerdicts((sim as MachineHandle).machine);
}

/** "<engine>:<16 hex digits>" over all records taken so far; call after the last takeRecords. */
export function hashOf(sim: Simulation): string {
  return hashText((sim as MachineHandle).machine);
}

/** A copy of the run as it is. Call after `takeRecords`; what is taken afterwards is the same in the run and in every run restored from it. */
export function checkpoint(sim: Simulation): Checkpoint {
  return freeze((sim as MachineHandle).machine);
}

/** A run that goes on from a checkpoint; the hash goes on with it. */
export function restore(from: Checkpoint): Simulation {
  return new MachineHandle(thaw(from), false);
}

/** Begins to keep checkpoints of a run, which must be at its beginning. */
export function historyOf(sim: Simulation): History {
  return createHistory((sim as MachineHandle).machine);
}

/** Keeps a checkpoint when it is time for one. Call between slices. */
export function noteHistory(history: History, sim: Simulation): void {
  keepUp(history, (sim as MachineHandle).machine);
}

/** The state at any instant of the part of the run that the history has seen, after all events of that instant. Tens of ms at most. */
export function stateAt(history: History, tNs: Ns): MachineState {
  return inspect(machineAt(history, tNs), tNs);
}

export const SIM: InspectModule = {
  createSimulation,
  advance,
  takeRecords,
  verdictsOf,
  hashOf,
  historyOf,
  noteHistory,
  stateAt,
};
