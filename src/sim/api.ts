// What the shells (engine, command line, tests) may use of the simulation. The only door to sim/.

import type { Ns } from '../base/units.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { RecordColumns } from '../trace/records.ts';
import type { TraceMeta, TaskInfo } from '../trace/meta.ts';
import type { Verdict } from '../trace/verdicts.ts';

/** Version of the rules. Part of every hash; goes up with each change that can change a record. */
export const ENGINE_VERSION = '1';

export type RunState = 'running' | 'done' | 'livelock' | 'limit';

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
  /** Stop with state 'limit' after so many events. Default 50 million. */
  readonly maxEvents?: number;
  /** Check invariants after every event (tests, command line with --check). */
  readonly check?: boolean;
}

export interface SimModule {
  createSimulation(scenario: Scenario, options?: SimulationOptions): Simulation;
  /** Advances until `untilNs`, the end, a bound, or `maxEvents` more events, whichever comes first. */
  advance(sim: Simulation, untilNs: Ns, maxEvents: number): RunState;
  /** Empties the record buffer and returns what was in it. */
  takeRecords(sim: Simulation): RecordColumns;
  /** Findings so far; final once state is not 'running'. Worst first, then by time. */
  verdictsOf(sim: Simulation): readonly Verdict[];
  /** "<engine>:<16 hex digits>" over all records taken so far; call after the last takeRecords. */
  hashOf(sim: Simulation): string;
}
