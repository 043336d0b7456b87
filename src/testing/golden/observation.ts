// What happened, reduced to what both a recorded kernel and the simulation can say: who was on which CPU from
// when to when, who was woken when, what was marked. The same code then summarises both sides.

import type { Ns } from '../../base/units.ts';

/** Why a thread left its CPU. */
export type StintEnd = 'runnable' | 'sleeping' | 'exited' | 'open';

/** From switched in to switched out. Instants count from the workload's start. */
export interface Stint {
  readonly thread: string;
  readonly cpu: number;
  readonly fromNs: Ns;
  readonly toNs: Ns;
  readonly endedBy: StintEnd;
}

/** From sched_waking to the switch that puts the thread on a CPU. */
export interface Wakeup {
  readonly thread: string;
  readonly atNs: Ns;
  readonly latencyNs: Ns;
}

export interface Mark {
  readonly atNs: Ns;
  readonly thread: string;
  readonly text: string;
}

/** One way through a lock: asked for, got or given up, given back. */
export interface LockCall {
  readonly thread: string;
  readonly lock: string;
  readonly askedNs: Ns;
  /** Undefined where it never got the lock. */
  readonly acquiredNs?: Ns;
  readonly abortedNs?: Ns;
  readonly releasedNs?: Ns;
  /** Failed turns of the slow path's loop, where they were counted. */
  readonly iterations?: number;
}

/** One elapsed time of a sleep call, as the program itself measures it. */
export interface SleepSample {
  readonly phase: string;
  readonly n: number;
  readonly minNs: Ns;
  readonly p50Ns: Ns;
  readonly maxNs: Ns;
}

export interface Observation {
  readonly cpus: number;
  readonly endNs: Ns;
  /** Stints of the workload's own threads by time of their start. */
  readonly stints: readonly Stint[];
  readonly wakeups: readonly Wakeup[];
  readonly marks: readonly Mark[];
  readonly locks: readonly LockCall[];
  /** Changes of the effective priority by inheritance, in order: "low 130->120". */
  readonly boosts: readonly string[];
  readonly sleeps: readonly SleepSample[];
}

/**
 * Joins stints of one thread that were cut by threads outside the workload only (the kernel's own: rcu, kworker,
 * ksoftirqd, for tens of microseconds). Such a cut is up to `maxGapNs` long and no thread of the workload runs on
 * that CPU in between. `stints` is in order of start; the result is too.
 */
export function joinCutStints(stints: readonly Stint[], maxGapNs: Ns): Stint[] {
  const joined: Stint[] = [];
  const lastOnCpu = new Map<number, number>();
  for (const stint of stints) {
    const lastIndex = lastOnCpu.get(stint.cpu);
    const last = lastIndex === undefined ? undefined : joined[lastIndex];
    if (
      lastIndex !== undefined &&
      last !== undefined &&
      last.thread === stint.thread &&
      last.endedBy === 'runnable' &&
      stint.fromNs - last.toNs <= maxGapNs
    ) {
      joined[lastIndex] = { ...last, toNs: stint.toNs, endedBy: stint.endedBy };
    } else {
      lastOnCpu.set(stint.cpu, joined.push(stint) - 1);
    }
  }
  return joined;
}
