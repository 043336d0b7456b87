// A source of segments without a simulation: for measuring the way from the worker to the page with as
// many rows as wanted. It feeds the same chunker and pump as a run. Lanes differ in density by up to 16,
// durations within a lane by 16, so that levels of detail meet sparse and dense places.

import type { RunResult } from '../analysis/result.ts';
import type { Ns } from '../base/units.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { NONE } from '../trace/ids.ts';
import type { TaskInfo, TraceMeta } from '../trace/meta.ts';
import { createSegmentRows, pushSegmentRow, type SegmentRows } from '../trace/segment_rows.ts';
import { type LaneInfo, SegKind } from '../trace/segments.ts';
import { createChunker } from './chunker.ts';
import {
  PROTOCOL_VERSION,
  type RunId,
  type RunRequest,
  type RunSink,
  type RunSummary,
  type SimApi,
} from './protocol.ts';
import { type ChunkSizes, createPump, DEFAULT_CHUNK_SIZES, type Pump } from './pump.ts';

export interface SyntheticSpec {
  /** Segments over all lanes. */
  readonly rows: number;
  /** A quarter are CPUs, the rest threads. At least 4. */
  readonly lanes: number;
  readonly durationNs: Ns;
  /** 32-bit, not 0. */
  readonly seed: number;
}

export const DEFAULT_SYNTHETIC: SyntheticSpec = {
  rows: 1_000_000,
  lanes: 64,
  durationNs: 10_000_000_000,
  seed: 2463534242,
};

/** Plain data; `fillSynthetic` goes on where it stopped. */
export interface SyntheticSource {
  readonly spec: SyntheticSpec;
  readonly meta: TraceMeta;
  readonly lanes: readonly LaneInfo[];
  readonly rows: SegmentRows;
  /** By lane: instant of its next row, and mean length of a row in ns. */
  readonly nextNs: Float64Array<ArrayBuffer>;
  readonly meanNs: Float64Array<ArrayBuffer>;
  made: number;
  nowNs: Ns;
  random: number;
}

export function createSynthetic(spec: SyntheticSpec): SyntheticSource {
  const cpus = Math.max(1, spec.lanes >> 2);
  const threads = spec.lanes - cpus;
  const lanes: LaneInfo[] = [];
  for (let id = 0; id < spec.lanes; id++) {
    lanes.push(
      id < cpus ? { id, kind: 'cpu', subject: id, task: NONE } : { id, kind: 'thread', subject: id - cpus, task: NONE },
    );
  }
  const density = (id: number) => 1 + ((id * 7) & 15);
  const total = lanes.reduce((sum, lane) => sum + density(lane.id), 0);
  const meanNs = Float64Array.from(lanes, (lane) => (spec.durationNs * total) / (spec.rows * density(lane.id)));
  const tasks = Array.from({ length: threads }, (_, i) => taskInfo(i, cpus));
  const meta: TraceMeta = {
    title: `${spec.rows} synthetic segments`,
    cpus,
    durationNs: spec.durationNs,
    hz: 250,
    firstTickNs: 0,
    tasks,
    locks: [],
    irqSources: [],
  };
  const nextNs = new Float64Array(spec.lanes);
  return { spec, meta, lanes, rows: createSegmentRows(), nextNs, meanNs, made: 0, nowNs: 0, random: spec.seed };
}

/** Makes about `rows` more rows; every lane then reaches to `nowNs`. Returns false at the end of the trace. */
export function fillSynthetic(source: SyntheticSource, rows: number): boolean {
  const { durationNs } = source.spec;
  const stepNs = Math.ceil((durationNs * rows) / source.spec.rows);
  const toNs = Math.min(durationNs, source.nowNs + stepNs);
  for (let lane = 0; lane < source.lanes.length; lane++) fillLane(source, lane, toNs);
  source.nowNs = toNs;
  return toNs < durationNs;
}

function fillLane(source: SyntheticSource, lane: number, toNs: Ns): void {
  const { rows, meta } = source;
  const isCpu = source.lanes[lane]!.kind === 'cpu';
  const mean = source.meanNs[lane]!;
  let at = source.nextNs[lane]!;
  while (at < toNs) {
    const random = nextRandom(source);
    // Three of four rows last 3/8 of the mean, the fourth 23/8 of it: bursts and pauses with the mean kept.
    const length = (random & 3) === 0 ? (mean * 23) / 8 : (mean * 3) / 8;
    const kind = isCpu ? CPU_KINDS[(random >>> 2) & 7]! : THREAD_KINDS[(random >>> 2) & 7]!;
    const who = whoOf(isCpu, kind, random, meta);
    const prio = ((random >>> 13) & 3) === 0 ? 89 : 120;
    pushSegmentRow(rows, lane, at, kind, 0, who, prio, 0, NONE, NONE);
    source.made++;
    at += Math.max(1, Math.round(length));
  }
  source.nextNs[lane] = at;
}

function whoOf(isCpu: boolean, kind: number, random: number, meta: TraceMeta): number {
  if (kind === SegKind.idle || kind === SegKind.sleep || kind === SegKind.blocked) return NONE;
  return (random >>> 16) % (isCpu ? meta.tasks.length : meta.cpus);
}

const { run, spin, runnable, blocked, sleep, idle } = SegKind;
const CPU_KINDS = [run, run, run, spin, run, idle, spin, idle];
const THREAD_KINDS = [run, sleep, runnable, spin, run, blocked, runnable, sleep];

/** Marsaglia's xorshift32. */
function nextRandom(source: SyntheticSource): number {
  let x = source.random;
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  source.random = x >>> 0;
  return source.random;
}

function taskInfo(i: number, cpus: number): TaskInfo {
  return {
    name: `thread-${i}`,
    tid: 1000 + i,
    policy: 'other',
    rtPrio: 0,
    nice: 0,
    allowedCpus: Array.from({ length: cpus }, (_, cpu) => cpu),
  };
}

export interface SyntheticParts {
  readonly scenario: Scenario;
  readonly nowMs: () => number;
  readonly yieldTurn: () => Promise<void>;
  readonly sizes?: Partial<ChunkSizes>;
}

/** A SimApi whose documents are `SyntheticSpec`s: `{ rows, lanes, durationNs, seed }`, each with its default. */
export function createSyntheticHost(parts: SyntheticParts): SimApi {
  const pumps = new Map<RunId, Pump>();
  return {
    hello: () => ({ protocol: PROTOCOL_VERSION, engine: 'synthetic' }),
    async start(request, sink) {
      try {
        return await stream(parts, request, sink, pumps);
      } finally {
        pumps.delete(request.runId);
      }
    },
    cancel: (runId) => pumps.get(runId)?.stop(),
  };
}

async function stream(
  parts: SyntheticParts,
  request: RunRequest,
  sink: RunSink,
  pumps: Map<RunId, Pump>,
): Promise<RunSummary | undefined> {
  const { runId } = request;
  const spec: SyntheticSpec = { ...DEFAULT_SYNTHETIC, ...(request.document as Partial<SyntheticSpec>) };
  const source = createSynthetic(spec);
  const started = sink.started({ ok: true, scenario: parts.scenario, meta: source.meta });
  const tables = { lanes: source.lanes, tasks: source.meta.tasks, texts: [] };
  const chunker = createChunker(source.rows, tables, source.meta.tasks.length);
  const pump = createPump({
    runId,
    chunker,
    sink,
    nowMs: parts.nowMs,
    sizes: { ...DEFAULT_CHUNK_SIZES, ...parts.sizes },
  });
  pumps.set(runId, pump);
  let turnMs = parts.nowMs();
  for (let more = true; more; ) {
    more = fillSynthetic(source, 4096);
    if (!(await pump.offer(source.nowNs))) return undefined;
    if (parts.nowMs() - turnMs < 6) continue;
    await parts.yieldTurn();
    turnMs = parts.nowMs();
  }
  if (!(await pump.finish(spec.durationNs))) return undefined;
  await started;
  const result = emptyResult(source);
  return {
    runId,
    outcome: 'done',
    endNs: spec.durationNs,
    events: source.made,
    hash: result.hash,
    verdicts: [],
    result,
  };
}

function emptyResult(source: SyntheticSource): RunResult {
  return {
    title: source.meta.title,
    engine: 'synthetic',
    settings: {},
    duration_ns: source.spec.durationNs,
    events: source.made,
    hash: `synthetic:${source.random.toString(16)}`,
    cpus: [],
    threads: [],
    locks: [],
    verdicts: [],
    marks: [],
    notes: [],
    claims: [],
  };
}
