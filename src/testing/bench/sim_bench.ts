// Workloads for `npm run bench -- sim`: what a simulation is timed by. No clock here: the driver
// (scripts/bench/sim.mjs) holds the watch.

import type { Json, JsonObject } from '../../scenario/document.ts';
import { libraryDocument } from '../../scenario/library/library.ts';
import { resolve } from '../../scenario/resolve.ts';
import { advance, createSimulation, type Simulation, takeRecords } from '../../sim/api.ts';
import { NONE } from '../../trace/ids.ts';
import { appendRecords } from '../../trace/record_columns.ts';
import { createRecords, ownsOperands, pushRecord, type RecordColumns, RecordKind } from '../../trace/records.ts';

export interface Workload {
  readonly name: string;
  readonly document: JsonObject;
  readonly goal?: string;
  readonly coldGoal?: string;
  /** The bare loop does the same work. */
  readonly isYardstick?: boolean;
  /** Switches set over the document. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface WorkloadRun {
  readonly events: number;
  readonly records: number;
  /** Wake-ups, threads switched in, threads switched out: what other simulators count as their events. */
  readonly decisions: number;
  /** How far it got, for people: "1h". */
  readonly simulated: string;
}

/** Events between two drains of the record buffer. */
const BATCH_EVENTS = 16_384;
const PIECE_EVENTS = 1024;
const BATCH_ROWS = 65_536;

const MAX_EVENTS = 50_000_000;

/** Periods in ms of ten threads that together want 3.2 of 4 CPUs. */
const PERIODS_MS = [1, 1, 2, 2, 4, 4, 5, 5, 8, 10];

/** A thread runs this share of its period. */
const RUN_SHARE_PERCENT = 32;

const FIFO = 'fixed priority, 10 periodic threads, 4 CPUs, 60 s';

export const WORKLOADS: readonly Workload[] = [
  { name: FIFO, document: periodicThreads('60s'), goal: '≥ 4 M/s, ≥ 0.16', isYardstick: true },
  { name: '64 fair threads, PI locks, 8 CPUs', document: fairThreads(64, 8, '2s'), goal: '≥ 2 M/s' },
  { name: '8 fair threads, PI locks, 8 CPUs', document: fairThreads(8, 8, '2s') },
  { name: '1,024 fair threads, PI locks, 256 CPUs', document: fairThreads(1024, 256, '50ms') },
  { name: 'the hang, 4 CPUs, an hour', document: hangOf('1h'), coldGoal: '≤ 1000 ms' },
  { name: 'the hang with usleep(150)', document: hangOf('60s'), settings: { backoff: 'usleep150' } },
  { name: 'yield storm, 8 on 4 CPUs', document: yieldStorm('1s') },
];

/** Runs that a process makes first of all. */
export const COLD: readonly Workload[] = [
  { name: 'first 10 k events of a process', document: periodicThreads('525ms'), coldGoal: '≤ 45 ms' },
  { name: 'first 175 k events of a process', document: periodicThreads('9200ms'), coldGoal: '≤ 120 ms' },
];

/** Runs a workload to its end, records taken and hashed. Throws where the document is bad or the run stops early: both are mistakes of this file. */
export function runWorkload(workload: Workload): WorkloadRun {
  const counts = { records: 0, decisions: 0 };
  const { events } = runThrough(workload, (taken) => {
    counts.records += taken.count;
    counts.decisions += decisionsIn(taken);
  });
  return { events, ...counts, simulated: String(workload.document.duration) };
}

/** Runs a workload and shows its records in small pieces, each with its number of decisions. */
export function watchRun(
  workload: Workload,
  see: (taken: RecordColumns, sim: Simulation, decisions: number) => void,
): void {
  runThrough(workload, (taken, sim) => see(taken, sim, decisionsIn(taken)), PIECE_EVENTS);
}

/** Records of a run, to be written again by `recordAgain`. At most `limit` rows. */
export function recordsOf(workload: Workload, limit: number): RecordColumns {
  const kept = createRecords();
  runThrough(workload, (taken) => {
    if (kept.count + taken.count <= limit) appendRecords(kept, taken);
  });
  return kept;
}

/** Writes the rows of `records` one by one, as the simulation does, and nothing else: what recording costs. */
export function recordAgain(records: RecordColumns): { readonly records: number } {
  let out = createRecords(BATCH_ROWS);
  let pair = 0;
  for (let i = 0; i < records.count; i++) {
    const kind = records.kind[i] as RecordKind;
    const at = ownsOperands(kind) ? pair++ : -1;
    const x = at < 0 ? 0 : records.operands.x[at]!;
    const y = at < 0 ? 0 : records.operands.y[at]!;
    const { tsNs, reason, cpu, task, a, b, c } = records;
    pushRecord(out, tsNs[i]!, kind, reason[i]!, cpu[i]!, task[i]!, a[i]!, b[i]!, c[i]!, x, y);
    if (out.count === BATCH_ROWS) out = createRecords(BATCH_ROWS);
  }
  return { records: records.count };
}

function runThrough(
  workload: Workload,
  see: (taken: RecordColumns, sim: Simulation) => void,
  batchEvents = BATCH_EVENTS,
): Simulation {
  const resolved = resolve(workload.document, workload.settings);
  if (!resolved.ok)
    throw new Error(`${workload.name}: ${resolved.error.map((p) => `${p.path} ${p.message}`).join('; ')}`);
  const scenario = resolved.value;
  const sim = createSimulation(scenario, { maxEvents: MAX_EVENTS });
  let state = sim.state;
  while (state === 'running') {
    state = advance(sim, scenario.durationNs, batchEvents);
    see(takeRecords(sim), sim);
  }
  if (state !== 'done') throw new Error(`${workload.name}: ended with ${state} at ${sim.nowNs} ns`);
  return sim;
}

function decisionsIn({ count, kind, task, a }: RecordColumns): number {
  let decisions = 0;
  for (let i = 0; i < count; i++) {
    if (kind[i] === RecordKind.schedWaking) decisions++;
    else if (kind[i] === RecordKind.schedSwitch) decisions += (task[i] === NONE ? 0 : 1) + (a[i] === NONE ? 0 : 1);
  }
  return decisions;
}

function periodicThreads(duration: string): JsonObject {
  return {
    version: 1,
    duration,
    machine: { cpus: 4, kernel: '6.1', rtThrottling: false },
    threads: PERIODS_MS.map((period, i) => ({
      name: `periodic/${i}`,
      policy: 'fifo',
      priority: 90 - period,
      program: forever([{ run: `${period * 10 * RUN_SHARE_PERCENT}us` }, { period: `${period}ms` }]),
    })),
  };
}

/** Short sections under a few shared locks, short sleeps: waking, boosting and balancing all the time. */
function fairThreads(count: number, cpus: number, duration: string): JsonObject {
  const locks = Array.from({ length: Math.max(4, cpus >> 1) }, (_, i) => `m${i}`);
  return {
    version: 1,
    duration,
    machine: { cpus, kernel: '6.12' },
    locks: Object.fromEntries(locks.map((name) => [name, { kind: 'pi' }])),
    threads: Array.from({ length: count }, (_, i) => {
      const lock = locks[i % locks.length]!;
      const steps = [
        { run: '90us' },
        { lock },
        { run: '7us' },
        { unlock: lock },
        { sleep: `${200 + 10 * (i % 64)}us` },
      ];
      return { name: `fair/${i}`, nice: (i % 5) - 2, program: forever(steps) };
    }),
  };
}

/** Threads of one real-time priority, two a CPU, that do little but give way to each other. */
function yieldStorm(duration: string): JsonObject {
  return {
    version: 1,
    duration,
    machine: { cpus: 4, kernel: '6.1', rtThrottling: false },
    threads: Array.from({ length: 8 }, (_, i) => ({
      name: `yields/${i}`,
      policy: 'fifo',
      priority: 10,
      cpus: String(i >> 1),
      program: forever([{ run: '2us' }, 'yield']),
    })),
  };
}

/** HZ 250 and an interrupt each 10 ms are the library's; the costs are those of a set-top box. */
function hangOf(duration: string): JsonObject {
  const hang = libraryDocument('bmalloc-hang')!;
  return { ...hang, duration, machine: { ...(hang.machine as JsonObject), costs: 'set-top-box' } };
}

function forever(steps: readonly Json[]): Json {
  return [{ repeat: 'forever', do: steps }];
}
