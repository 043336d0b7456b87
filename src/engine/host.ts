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
import { addTasks, createSegmenter, feedRecords, type Segmenter, settle } from '../trace/segmenter.ts';
import type { Verdict } from '../trace/verdicts.ts';
import {
  type Chunker,
  createChunker,
  gatherRecords,
  OPERAND_PAIR_BYTES,
  RECORD_ROW_BYTES,
  SEGMENT_ROW_BYTES,
} from './chunker.ts';
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
/** Records that are few wait no longer than this. */
const TAKE_MS = 4;
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
  const { meta } = sim;
  const started = sink.started({ ok: true, scenario, meta });
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

/** Records wait for this many before they are taken over: taking costs a new buffer. */
const TAKE_RECORDS = 2048;

/** Advances to the end and streams on the way. Undefined when the run was cancelled. */
async function simulate(
  parts: HostParts,
  runId: RunId,
  sim: Simulation,
  counter: ResultCounter,
  sink: RunSink,
  run: ActiveRun,
): Promise<SimulationEnd | undefined> {
  const sizes = { ...DEFAULT_CHUNK_SIZES, ...parts.sizes };
  const stream = createRunStream(parts, sim, counter);
  const pump = createPump({ runId, chunker: stream.chunker, sink, nowMs: parts.nowMs, sizes });
  run.pump = pump;
  const mostEvents = Math.max(MIN_SLICE_EVENTS, Math.min(MAX_SLICE_EVENTS, sizes.maxRows));

  let state: RunState = sim.state;
  let sliceEvents = Math.min(FIRST_SLICE_EVENTS, mostEvents);
  let turnMs = parts.nowMs();
  let takenMs = turnMs;
  while (state === 'running' && stream.overLimit === undefined) {
    const beganMs = parts.nowMs();
    state = parts.sim.advance(sim, sim.meta.durationNs, sliceEvents);
    const nowMs = parts.nowMs();
    sliceEvents = nextSlice(sliceEvents, nowMs - beganMs, mostEvents);

    const isTakeDue = sim.records.count >= Math.min(TAKE_RECORDS, sizes.firstRows) || nowMs - takenMs >= TAKE_MS;
    if (isTakeDue || state !== 'running') {
      takeOver(parts.sim, stream);
      takenMs = nowMs;
      if (run.cancelled || !(await pump.offer(sim.nowNs))) return undefined;
    }
    if (parts.nowMs() - turnMs >= TURN_MS) {
      await parts.yieldTurn();
      turnMs = parts.nowMs();
      if (run.cancelled) return undefined;
    }
  }

  const endNs = state === 'done' ? sim.meta.durationNs : sim.nowNs;
  settle(stream.segmenter, endNs);
  if (!(await pump.finish(endNs))) return undefined;
  if (stream.overLimit !== undefined) return { outcome: 'limit', endNs, note: stream.overLimit };
  return { outcome: state === 'running' ? 'limit' : state, endNs };
}

/** Where the records of a run go: to the segmenter, the counter and the next chunk. */
interface RunStream {
  readonly sim: Simulation;
  readonly counter: ResultCounter;
  readonly segmenter: Segmenter;
  readonly chunker: Chunker;
  readonly limits: HostLimits;
  segments: number;
  records: number;
  operands: number;
  /** Why the run must stop, as a sentence. */
  overLimit: string | undefined;
}

function createRunStream(parts: HostParts, sim: Simulation, counter: ResultCounter): RunStream {
  const segmenter = createSegmenter(sim.meta);
  const tables = { lanes: segmenter.lanes, tasks: sim.tasks, texts: sim.texts };
  const chunker = createChunker(segmenter.rows, tables, sim.meta.tasks.length);
  const limits = { ...DEFAULT_LIMITS, ...parts.limits };
  return { sim, counter, segmenter, chunker, limits, segments: 0, records: 0, operands: 0, overLimit: undefined };
}

function takeOver(module: SimModule, stream: RunStream): void {
  const { sim, segmenter } = stream;
  const taken = module.takeRecords(sim);
  const rowsBefore = segmenter.rows.count;
  addTasks(segmenter, sim.tasks);
  feedRecords(segmenter, taken);
  settle(segmenter, sim.nowNs);
  stream.counter.add(taken);
  gatherRecords(stream.chunker, taken);
  stream.segments += segmenter.rows.count - rowsBefore;
  stream.records += taken.count;
  stream.operands += taken.operands.count;
  stream.overLimit = limitNote(stream);
}

function nextSlice(events: number, tookMs: number, mostEvents: number): number {
  if (tookMs < SLICE_MS / 2) return Math.min(mostEvents, events * 2);
  if (tookMs > SLICE_MS * 2) return Math.max(MIN_SLICE_EVENTS, events >>> 1);
  return events;
}

function limitNote({ limits, segments, records, operands }: RunStream): string | undefined {
  if (segments >= limits.maxSegments) return `The run stopped at ${segments} segments, the most that a page holds.`;
  const bytes = segments * SEGMENT_ROW_BYTES + records * RECORD_ROW_BYTES + operands * OPERAND_PAIR_BYTES;
  if (bytes >= limits.maxBytes)
    return `The run stopped at ${Math.round(bytes / 1e6)} MB of trace, the most that a page holds.`;
  return undefined;
}
