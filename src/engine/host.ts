// Runs scenarios and streams their traces: the worker without the worker. Everything that belongs to a
// place (clock, turn of the event loop, the modules that simulate and count) comes in from outside,
// so that tests in Node and the browser's worker run the same code.

import type { RunResult } from '../analysis/result.ts';
import type { Ns } from '../base/units.ts';
import type { Problem } from '../scenario/document.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { RunState, SimModule, Simulation } from '../sim/api.ts';
import type { TaskInfo, TraceMeta } from '../trace/meta.ts';
import type { RecordColumns } from '../trace/records.ts';
import { addTasks, createSegmenter, feedRecords, settle } from '../trace/segmenter.ts';
import type { Verdict } from '../trace/verdicts.ts';
import { createChunker, gatherRecords, RECORD_ROW_BYTES, SEGMENT_ROW_BYTES } from './chunker.ts';
import {
  PROTOCOL_VERSION,
  type RunId,
  type RunOutcome,
  type RunRequest,
  type RunSink,
  type RunSummary,
  type SimApi,
} from './protocol.ts';
import { type ChunkSizes, createPump, DEFAULT_CHUNK_SIZES, type Pump } from './pump.ts';

/** Turns a request into a scenario, or says what is wrong with it. */
export type Resolver = (
  request: Pick<RunRequest, 'document' | 'settings' | 'interventions'>,
) => { readonly ok: true; readonly value: Scenario } | { readonly ok: false; readonly error: readonly Problem[] };

/** What a run knows at its end. */
export interface RunFacts {
  readonly tasks: readonly TaskInfo[];
  readonly texts: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly hash: string;
  readonly engine: string;
  readonly events: number;
  readonly endNs: Ns;
  readonly notes: readonly string[];
}

/** What is to be counted in a run, known before it begins. */
export interface CountPlan {
  /** Instants at which spin loops are to be counted; see SimulationOptions. */
  readonly probesNs: readonly Ns[];
  begin(meta: TraceMeta): ResultCounter;
}

/** Counts a run while it goes. */
export interface ResultCounter {
  add(records: RecordColumns): void;
  finish(facts: RunFacts): RunResult;
}

export interface HostLimits {
  /** A run stops with outcome 'limit' when its trace holds so many segments, */
  readonly maxSegments: number;
  /** or so many bytes of segments and records. */
  readonly maxBytes: number;
}

export const DEFAULT_LIMITS: HostLimits = { maxSegments: 12_000_000, maxBytes: 600_000_000 };

export interface HostParts {
  readonly sim: SimModule;
  /** Version of the rules, as hashes begin with it. */
  readonly engine: string;
  readonly resolve: Resolver;
  readonly planCount: (request: RunRequest, scenario: Scenario) => CountPlan;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** Resolves after the event loop had a turn, so that a cancel gets through. */
  readonly yieldTurn: () => Promise<void>;
  readonly sizes?: Partial<ChunkSizes>;
  readonly limits?: Partial<HostLimits>;
}

/** The event loop gets a turn at least this often. */
const TURN_MS = 6;
/** One call of `advance` should take about this long. */
const SLICE_MS = 1.5;
const MIN_SLICE_EVENTS = 8;
const MAX_SLICE_EVENTS = 65_536;
const FIRST_SLICE_EVENTS = 32;

interface ActiveRun {
  cancelled: boolean;
  pump: Pump | undefined;
}

export function createHost(parts: HostParts): SimApi {
  const active = new Map<RunId, ActiveRun>();
  return {
    hello: () => ({ protocol: PROTOCOL_VERSION, engine: parts.engine }),
    async start(request, sink) {
      const run: ActiveRun = { cancelled: false, pump: undefined };
      active.set(request.runId, run);
      try {
        return await runRequest(parts, request, sink, run);
      } finally {
        run.pump?.stop();
        if (active.get(request.runId) === run) active.delete(request.runId);
      }
    },
    cancel(runId) {
      const run = active.get(runId);
      if (run === undefined) return;
      run.cancelled = true;
      run.pump?.stop();
    },
  };
}

async function runRequest(
  parts: HostParts,
  request: RunRequest,
  sink: RunSink,
  run: ActiveRun,
): Promise<RunSummary | undefined> {
  const resolved = parts.resolve(request);
  if (!resolved.ok) {
    await sink.started({ ok: false, problems: resolved.error });
    return undefined;
  }
  const scenario = resolved.value;
  const plan = parts.planCount(request, scenario);
  const sim = parts.sim.createSimulation(scenario, { probesNs: plan.probesNs });
  const started = sink.started({ ok: true, scenario, meta: sim.meta });
  const counter = plan.begin(sim.meta);
  const end = await simulate(parts, request.runId, sim, counter, sink, run);
  await started;
  if (end === undefined) return undefined;

  await sink.finishing?.();
  const verdicts = parts.sim.verdictsOf(sim);
  const hash = parts.sim.hashOf(sim);
  const { events, tasks, texts } = sim;
  const notes = end.note === undefined ? [] : [end.note];
  const result = counter.finish({
    tasks,
    texts,
    verdicts,
    hash,
    engine: parts.engine,
    events,
    endNs: end.endNs,
    notes,
  });
  return { runId: request.runId, outcome: end.outcome, endNs: end.endNs, events, hash, verdicts, result };
}

interface SimulationEnd {
  readonly outcome: RunOutcome;
  readonly endNs: Ns;
  readonly note?: string;
}

/** Advances to the end and streams on the way. Undefined when the run was cancelled. */
async function simulate(
  parts: HostParts,
  runId: RunId,
  sim: Simulation,
  counter: ResultCounter,
  sink: RunSink,
  run: ActiveRun,
): Promise<SimulationEnd | undefined> {
  const limits = { ...DEFAULT_LIMITS, ...parts.limits };
  const sizes = { ...DEFAULT_CHUNK_SIZES, ...parts.sizes };
  const segmenter = createSegmenter(sim.meta);
  const chunker = createChunker(
    segmenter.rows,
    { lanes: segmenter.lanes, tasks: sim.tasks, texts: sim.texts },
    sim.meta.tasks.length,
  );
  const pump = createPump({ runId, chunker, sink, nowMs: parts.nowMs, sizes });
  run.pump = pump;

  let state: RunState = sim.state;
  let segments = 0;
  let records = 0;
  let overLimit: string | undefined;
  let sliceEvents = FIRST_SLICE_EVENTS;
  let turnMs = parts.nowMs();
  while (state === 'running' && overLimit === undefined) {
    const beganMs = parts.nowMs();
    state = parts.sim.advance(sim, sim.meta.durationNs, sliceEvents);
    const taken = parts.sim.takeRecords(sim);
    addTasks(segmenter, sim.tasks);
    const rowsBefore = segmenter.rows.count;
    feedRecords(segmenter, taken);
    settle(segmenter, sim.nowNs);
    segments += segmenter.rows.count - rowsBefore;
    records += taken.count;
    counter.add(taken);
    gatherRecords(chunker, taken);
    overLimit = limitNote(limits, segments, records);

    const nowMs = parts.nowMs();
    sliceEvents = Math.min(nextSlice(sliceEvents, nowMs - beganMs), Math.max(MIN_SLICE_EVENTS, sizes.maxRows));
    if (run.cancelled || !(await pump.offer(sim.nowNs))) return undefined;
    if (parts.nowMs() - turnMs >= TURN_MS) {
      await parts.yieldTurn();
      turnMs = parts.nowMs();
      if (run.cancelled) return undefined;
    }
  }

  const endNs = state === 'done' ? sim.meta.durationNs : sim.nowNs;
  settle(segmenter, endNs);
  if (!(await pump.finish(endNs))) return undefined;
  if (overLimit !== undefined) return { outcome: 'limit', endNs, note: overLimit };
  return { outcome: state === 'running' ? 'limit' : state, endNs };
}

function nextSlice(events: number, tookMs: number): number {
  if (tookMs < SLICE_MS / 2) return Math.min(MAX_SLICE_EVENTS, events * 2);
  if (tookMs > SLICE_MS * 2) return Math.max(MIN_SLICE_EVENTS, events >>> 1);
  return events;
}

function limitNote(limits: HostLimits, segments: number, records: number): string | undefined {
  if (segments >= limits.maxSegments) return `The run stopped at ${segments} segments, the most that a page holds.`;
  const bytes = segments * SEGMENT_ROW_BYTES + records * RECORD_ROW_BYTES;
  if (bytes >= limits.maxBytes)
    return `The run stopped at ${Math.round(bytes / 1e6)} MB of trace, the most that a page holds.`;
  return undefined;
}
