// What is compared, in numbers: one summary per run, of a recorded kernel or of the simulation, by the same code.

import type { Ns } from '../../base/units.ts';
import { NS_PER_US } from '../../base/units.ts';
import type { Observation, Stint } from './observation.ts';
import { joinCutStints } from './observation.ts';

/** Cuts by threads outside the workload up to this long do not end a stint; the kernel's own threads take 5 to 100 us. */
const CUT_NS = 300 * NS_PER_US;
/** Stints below this are left out of sequences: a thread that only looks at the clock and goes. */
const NOTABLE_NS = 100 * NS_PER_US;

export interface StintSummary {
  readonly n: number;
  readonly p50Ns: Ns;
  readonly maxNs: Ns;
}

export interface ThreadSummary {
  readonly runNs: Ns;
  /** Of one CPU, in the phase. */
  readonly share: number;
  /** Stints that lie wholly in the phase. */
  readonly stints: StintSummary;
}

export interface WakeupSummary {
  readonly n: number;
  readonly p50Ns: Ns;
  readonly p99Ns: Ns;
  readonly maxNs: Ns;
}

/** Part of a stint that lies in the phase; `atNs` counts from the phase's start. */
export type SequenceStint = readonly [thread: string, lengthNs: Ns, atNs: Ns];

export interface PhaseSummary {
  readonly fromNs: Ns;
  readonly toNs: Ns;
  readonly threads: Readonly<Record<string, ThreadSummary>>;
  /** Of all measured threads together: from sched_waking to switched in. */
  readonly wakeups?: WakeupSummary;
  /** Stints of measured threads in order, cut at the phase's edges, those under 0.1 ms left out. */
  readonly sequence?: readonly SequenceStint[];
  /** How often a measured thread came to another CPU than that of its stint before. */
  readonly migrations: number;
}

export interface LockSummary {
  readonly thread: string;
  readonly lock: string;
  readonly outcome: 'acquired' | 'aborted' | 'open';
  readonly waitNs: Ns;
  /** Time on a CPU within the wait. */
  readonly onCpuNs: Ns;
  readonly holdNs?: Ns;
  readonly releasedAtNs?: Ns;
  readonly iterations?: number;
}

export interface Summary {
  readonly cpus: number;
  readonly lengthNs: Ns;
  readonly phases: Readonly<Record<string, PhaseSummary>>;
  readonly locks: readonly LockSummary[];
  readonly boosts: readonly string[];
  readonly sleeps: Readonly<
    Record<string, { readonly n: number; readonly minNs: Ns; readonly p50Ns: Ns; readonly maxNs: Ns }>
  >;
  /** Longest stretch off the CPU between a thread's first and last stint. */
  readonly longestOffCpuNs: Readonly<Record<string, Ns>>;
}

/** What of a workload is summarised. */
export interface SummaryScope {
  /** Threads that are measured; undefined: all but those named `coord`. */
  readonly threads?: readonly string[];
  /** Without phases: end of the only window; undefined: the end of the run. A recording ends when the program does. */
  readonly endNs?: Ns;
  /** Migrations count from here on: what creates the threads has done its work. */
  readonly createdNs?: Ns;
  /** Whether the phases' sequences of stints are wanted. */
  readonly sequences: boolean;
}

/** Nearest-rank percentile of ascending values; 0 where there are none. */
export function nearestRank(ascending: readonly number[], percent: number): number {
  const rank = Math.max(1, Math.ceil((percent / 100) * ascending.length));
  return ascending[rank - 1] ?? 0;
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((x, y) => x - y);
}

interface Window {
  readonly name: string;
  readonly fromNs: Ns;
  readonly toNs: Ns;
}

/** Phases by their marks `phase NAME`; each ends with the next. `gap` and `end` are none. Without any mark: `all`. */
function phasesOf(o: Observation, endNs: Ns): Window[] {
  const starts = o.marks.filter((mark) => mark.text.startsWith('phase '));
  if (starts.length === 0) return [{ name: 'all', fromNs: 0, toNs: endNs }];
  const windows: Window[] = [];
  starts.forEach((mark, i) => {
    const name = mark.text.slice('phase '.length);
    if (name !== 'gap' && name !== 'end') {
      windows.push({ name, fromNs: mark.atNs, toNs: starts[i + 1]?.atNs ?? o.endNs });
    }
  });
  return windows;
}

function overlapNs(stint: Stint, fromNs: Ns, toNs: Ns): Ns {
  return Math.max(0, Math.min(stint.toNs, toNs) - Math.max(stint.fromNs, fromNs));
}

function summarisePhase(o: Observation, stints: readonly Stint[], window: Window, scope: SummaryScope): PhaseSummary {
  const measured = (thread: string) => scope.threads?.includes(thread) ?? thread !== 'coord';
  const { fromNs, toNs } = window;
  const inside = stints.filter((s) => measured(s.thread) && overlapNs(s, fromNs, toNs) > 0);
  const threads: Record<string, ThreadSummary> = {};
  for (const name of new Set(inside.map((s) => s.thread))) {
    const own = inside.filter((s) => s.thread === name);
    const runNs = own.reduce((sum, s) => sum + overlapNs(s, fromNs, toNs), 0);
    const whole = ascending(own.filter((s) => s.fromNs >= fromNs && s.toNs <= toNs).map((s) => s.toNs - s.fromNs));
    threads[name] = {
      runNs,
      share: Number((runNs / (toNs - fromNs)).toFixed(6)),
      stints: { n: whole.length, p50Ns: nearestRank(whole, 50), maxNs: whole.at(-1) ?? 0 },
    };
  }
  const latencies = ascending(
    o.wakeups.filter((w) => measured(w.thread) && w.atNs >= fromNs && w.atNs < toNs).map((w) => w.latencyNs),
  );
  const sequence: SequenceStint[] = [];
  for (const s of inside) {
    const lengthNs = overlapNs(s, fromNs, toNs);
    if (lengthNs >= NOTABLE_NS) sequence.push([s.thread, lengthNs, Math.max(0, s.fromNs - fromNs)]);
  }
  const lastCpu = new Map<string, number>();
  let migrations = 0;
  for (const s of stints) {
    if (s.fromNs >= toNs || !measured(s.thread)) continue;
    const before = lastCpu.get(s.thread);
    if (before !== undefined && before !== s.cpu && s.fromNs >= Math.max(fromNs, scope.createdNs ?? 0)) migrations++;
    lastCpu.set(s.thread, s.cpu);
  }
  return {
    fromNs,
    toNs,
    threads,
    migrations,
    ...(latencies.length === 0
      ? {}
      : {
          wakeups: {
            n: latencies.length,
            p50Ns: nearestRank(latencies, 50),
            p99Ns: nearestRank(latencies, 99),
            maxNs: latencies.at(-1) ?? 0,
          },
        }),
    ...(scope.sequences ? { sequence } : {}),
  };
}

/** Cost O(stints x phases). */
export function summarise(o: Observation, scope: SummaryScope): Summary {
  const stints = joinCutStints(o.stints, CUT_NS);
  const phases: Record<string, PhaseSummary> = {};
  for (const window of phasesOf(o, scope.endNs ?? o.endNs))
    phases[window.name] = summarisePhase(o, stints, window, scope);

  const locks = o.locks.map((call): LockSummary => {
    const endNs = call.acquiredNs ?? call.abortedNs ?? o.endNs;
    const onCpuNs = o.stints
      .filter((s) => s.thread === call.thread)
      .reduce((sum, s) => sum + overlapNs(s, call.askedNs, endNs), 0);
    return {
      thread: call.thread,
      lock: call.lock,
      outcome: call.acquiredNs !== undefined ? 'acquired' : call.abortedNs !== undefined ? 'aborted' : 'open',
      waitNs: endNs - call.askedNs,
      onCpuNs,
      ...(call.acquiredNs !== undefined && call.releasedNs !== undefined
        ? { holdNs: call.releasedNs - call.acquiredNs, releasedAtNs: call.releasedNs }
        : {}),
      ...(call.iterations === undefined ? {} : { iterations: call.iterations }),
    };
  });

  const longestOffCpuNs: Record<string, Ns> = {};
  const leftNs = new Map<string, Ns>();
  for (const s of stints) {
    const left = leftNs.get(s.thread);
    if (left !== undefined) longestOffCpuNs[s.thread] = Math.max(longestOffCpuNs[s.thread] ?? 0, s.fromNs - left);
    leftNs.set(s.thread, s.toNs);
  }
  // A thread that is off its CPU for good is so until the end.
  for (const s of new Map(stints.map((stint) => [stint.thread, stint])).values()) {
    if (s.endedBy === 'runnable')
      longestOffCpuNs[s.thread] = Math.max(longestOffCpuNs[s.thread] ?? 0, o.endNs - s.toNs);
  }

  return {
    cpus: o.cpus,
    lengthNs: o.endNs,
    phases,
    locks,
    boosts: o.boosts,
    sleeps: Object.fromEntries(o.sleeps.map(({ phase, ...numbers }) => [phase, numbers])),
    longestOffCpuNs,
  };
}
