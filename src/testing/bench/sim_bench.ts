// Workloads for `npm run bench -- sim`: what a simulation is timed by. No clock here: the driver
// (scripts/bench/sim.mjs) holds the watch.

import type { Json, JsonObject } from '../../scenario/document.ts';
import { libraryDocument } from '../../scenario/library/library.ts';
import { resolve } from '../../scenario/resolve.ts';
import { advance, createSimulation, takeRecords } from '../../sim/api.ts';
import { NONE } from '../../trace/ids.ts';
import { type RecordColumns, RecordKind } from '../../trace/records.ts';

export interface Workload {
  readonly name: string;
  readonly document: JsonObject;
  readonly goal?: string;
  readonly coldGoal?: string;
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

const MAX_EVENTS = 50_000_000;

/** Periods in ms of ten threads that together want 3.2 of 4 CPUs. */
const PERIODS_MS = [1, 1, 2, 2, 4, 4, 5, 5, 8, 10];

/** A thread runs this share of its period. */
const RUN_SHARE_PERCENT = 32;

export const WORKLOADS: readonly Workload[] = [
  { name: 'ten periodic FIFO threads, 4 CPUs', document: periodicThreads('10s'), goal: '≥ 5 M/s' },
  { name: 'the same, half a second', document: periodicThreads('500ms'), coldGoal: '≤ 15 ms' },
  { name: '64 fair threads, PI locks, 8 CPUs', document: fairThreads(64), goal: '≥ 2 M/s' },
  { name: '8 fair threads, PI locks, 8 CPUs', document: fairThreads(8) },
  { name: 'the hang, 4 CPUs', document: hangOf('1h'), coldGoal: '< 1 s' },
  { name: 'the hang with usleep(150)', document: hangOf('60s'), settings: { backoff: 'usleep150' } },
  { name: 'yield storm, 8 on 4 CPUs', document: yieldStorm('1s') },
];

/** Runs a workload to its end. Throws where the document is bad or the run stops early: both are mistakes of this file. */
export function runWorkload(workload: Workload): WorkloadRun {
  const resolved = resolve(workload.document, workload.settings);
  if (!resolved.ok)
    throw new Error(`${workload.name}: ${resolved.error.map((p) => `${p.path} ${p.message}`).join('; ')}`);
  const scenario = resolved.value;
  const sim = createSimulation(scenario, { maxEvents: MAX_EVENTS });
  let records = 0;
  let decisions = 0;
  let state = sim.state;
  while (state === 'running') {
    state = advance(sim, scenario.durationNs, BATCH_EVENTS);
    const taken = takeRecords(sim);
    records += taken.count;
    decisions += decisionsIn(taken);
  }
  if (state !== 'done') throw new Error(`${workload.name}: ended with ${state} at ${sim.nowNs} ns`);
  return { events: sim.events, records, decisions, simulated: String(workload.document.duration) };
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
function fairThreads(count: number): JsonObject {
  const locks = Array.from({ length: 4 }, (_, i) => `m${i}`);
  return {
    version: 1,
    duration: '5s',
    machine: { cpus: 8, kernel: '6.12' },
    locks: Object.fromEntries(locks.map((name) => [name, { kind: 'pi' }])),
    threads: Array.from({ length: count }, (_, i) => {
      const lock = locks[i % locks.length]!;
      const steps = [{ run: '90us' }, { lock }, { run: '7us' }, { unlock: lock }, { sleep: `${200 + 10 * i}us` }];
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

function hangOf(duration: string): JsonObject {
  return { ...libraryDocument('bmalloc-hang')!, duration };
}

function forever(steps: readonly Json[]): Json {
  return [{ repeat: 'forever', do: steps }];
}
