// One simulation from start to end: everything that wants to see the records is fed on the way, so that memory does
// not grow with them.

import { addRecords, createResultBuilder, finishResult } from '../analysis/build_result.ts';
import { probesFor } from '../analysis/claims.ts';
import type { RunResult } from '../analysis/result.ts';
import { addSegmentRows, addSoftirqs, createSegmentsBuilder, finishSegments } from '../analysis/segments_json.ts';
import type { Ns } from '../base/units.ts';
import type { Claim, Scenario } from '../scenario/scenario.ts';
import { ENGINE_VERSION, type RunState, type SimModule, type Simulation } from '../sim/api.ts';
import type { RecordColumns } from '../trace/records.ts';
import type { SegmentRows } from '../trace/segment_rows.ts';
import { addTasks, createSegmenter, feedRecords, type Segmenter, settle } from '../trace/segmenter.ts';
import type { Verdict } from '../trace/verdicts.ts';

/** Sees a simulation go by, piece by piece. */
export interface Watcher {
  /** Records in order; `sim.tasks` and `sim.texts` know all that they name. */
  records?(records: RecordColumns, sim: Simulation): Promise<void> | void;
  /** Settled rows of lanes; emptied afterwards. */
  rows?(rows: SegmentRows, segmenter: Segmenter): void;
}

export interface RunOptions {
  readonly betweenNs?: readonly [Ns, Ns] | undefined;
  readonly claims: readonly Claim[];
  readonly segments: boolean;
  readonly watchers: readonly Watcher[];
}

export interface RunOutput {
  readonly result: RunResult;
  readonly verdicts: readonly Verdict[];
  readonly sim: Simulation;
  readonly state: RunState;
  readonly endNs: Ns;
}

/** Events between two looks at the records: a few MB of them at most. */
const EVENTS_A_SLICE = 100_000;
/** Rows that --segments keeps before the run stops: about 1 GB of memory and of JSON. */
const MAX_SEGMENT_ROWS = 8_000_000;

const BOUND_NOTE = 'The run stopped at a bound: ';

/** Whether a note of the result says that a bound was reached. */
export function isBoundNote(note: string): boolean {
  return note.startsWith(BOUND_NOTE);
}

/** Runs to the end, a finding that stops it, or a bound. Deterministic; watchers change nothing. */
export async function simulate(module: SimModule, scenario: Scenario, options: RunOptions): Promise<RunOutput> {
  const { betweenNs, claims } = options;
  const sim = module.createSimulation(scenario, { probesNs: probesFor(claims, betweenNs) });
  const builder = createResultBuilder(scenario, sim.meta, betweenNs, claims);
  const segments = options.segments ? createSegmentsBuilder(sim.meta, betweenNs) : undefined;
  const needsRows = segments !== undefined || options.watchers.some((watcher) => watcher.rows !== undefined);
  const segmenter = needsRows ? createSegmenter(sim.meta) : undefined;
  let state: RunState = 'running';
  let stopped: string | undefined;
  while (state === 'running' && stopped === undefined) {
    state = module.advance(sim, scenario.durationNs, EVENTS_A_SLICE);
    const records = module.takeRecords(sim);
    addRecords(builder, records);
    for (const watcher of options.watchers) await watcher.records?.(records, sim);
    if (segmenter === undefined) continue;
    addTasks(segmenter, sim.tasks);
    feedRecords(segmenter, records);
    // At the end nothing can follow, so what began at the last instant is settled too.
    settle(segmenter, state === 'running' ? sim.nowNs : sim.nowNs + 1);
    if (segments !== undefined) {
      addSegmentRows(segments, segmenter.rows);
      addSoftirqs(segments, records);
    }
    for (const watcher of options.watchers) watcher.rows?.(segmenter.rows, segmenter);
    segmenter.rows.count = 0;
    if (segments !== undefined && segments.done.length > MAX_SEGMENT_ROWS)
      stopped = `more than ${MAX_SEGMENT_ROWS} segments`;
  }
  const endNs = state === 'done' ? scenario.durationNs : sim.nowNs;
  const verdicts = module.verdictsOf(sim);
  const bound = stopped ?? (state === 'limit' ? `${sim.events} events` : undefined);
  const result = finishResult(builder, {
    tasks: sim.tasks,
    texts: sim.texts,
    verdicts,
    hash: module.hashOf(sim),
    engine: ENGINE_VERSION,
    events: sim.events,
    endNs,
    ...(bound === undefined ? {} : { notes: [`${BOUND_NOTE}${bound}.`] }),
    ...(segments === undefined || segmenter === undefined
      ? {}
      : { segments: finishSegments(segments, segmenter.lanes, sim.tasks, endNs) }),
  });
  return { result, verdicts, sim, state: stopped === undefined ? state : 'limit', endNs };
}
