// What a trace says about itself: the tables that ids index, and facts that hold for the whole of it.

import type { Ns } from '../base/units.ts';
import type { CpuId } from './ids.ts';

/** Scheduling policies by the names of the scenario format. */
export type Policy = 'other' | 'batch' | 'idle' | 'fifo' | 'rr' | 'deadline';

/** One task of the trace, as it began. */
export interface TaskInfo {
  readonly name: string;
  readonly tid: number;
  readonly policy: Policy;
  /** 1..99 for fifo and rr, else 0. */
  readonly rtPrio: number;
  readonly nice: number;
  /** CPUs it may use, ascending. */
  readonly allowedCpus: readonly CpuId[];
}

export interface LockInfo {
  readonly name: string;
  /** Kind as the scenario format spells it; at the start of the run. */
  readonly kind: string;
}

/** A periodic hardware interrupt: fires at firstNs + k * periodNs and takes runNs. Drawn and counted by this rule; it leaves no record of its own unless it changed something. */
export interface IrqSource {
  readonly cpu: CpuId;
  readonly name: string;
  readonly firstNs: Ns;
  readonly periodNs: Ns;
  readonly runNs: Ns;
}

export interface TraceMeta {
  readonly title: string;
  readonly cpus: number;
  readonly durationNs: Ns;
  readonly hz: number;
  readonly firstTickNs: Ns;
  readonly tasks: readonly TaskInfo[];
  readonly locks: readonly LockInfo[];
  /** Names of the control groups, by the ids that quota records carry; absent where the trace knows none. */
  readonly groups?: readonly string[];
  readonly irqSources: readonly IrqSource[];
}
