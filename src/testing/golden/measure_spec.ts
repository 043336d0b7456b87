// The measures that golden/measures.json lists, as types. The numbers live there and were committed before
// any comparison had been run.

import type { KernelId } from '../../scenario/scenario.ts';

/** Kinds of measures; golden/README.md says what each is. */
export const MEASURE_KINDS = [
  'share',
  'stint',
  'wakeup',
  'order',
  'lengths',
  'throttleLengths',
  'boosts',
  'piWait',
  'sleepP50',
  'sleepMin',
  'sleepMax',
  'outcome',
  'released',
  'hold',
  'longestOffCpu',
  'spinWait',
  'sleepingWait',
  'spinExecShare',
  'sleepingExecShare',
  'yieldRate',
  'sleepingRate',
  'sequence',
  'sortedShare',
  'migrations',
] as const;
export type MeasureKind = (typeof MEASURE_KINDS)[number];

/** How far apart two numbers may be: the widest of the given bounds counts. */
export interface Tolerance {
  /** Equal, nothing else. */
  readonly equal?: boolean;
  readonly points?: number;
  readonly relative?: number;
  readonly us?: number;
  readonly absoluteUs?: number;
  readonly ticks?: number;
  readonly slicesWithHrtick?: number;
  /** Stints of the phase (the shortest median of its threads), as a part of the window. */
  readonly stints?: number;
  readonly stintsOfMain?: number;
  readonly turns?: number;
  /** For threads that sleep with timer slack. */
  readonly slackUs?: number;
  readonly ticksBesideHog?: number;
  readonly slicesBesideHogWithHrtick?: number;
  /** Of counts: neither may be more than so many times the other. */
  readonly factor?: number;
  /** Of counts: so many apart is always within. */
  readonly count?: number;
  /** The measure counts only from so many samples on. */
  readonly atLeast?: number;
}

export interface WorkloadSpec {
  readonly kernels: readonly string[];
  /** Threads that are measured; undefined: all but the coordinator. */
  readonly threads?: readonly string[];
  /** Phases that are measured; undefined: all. */
  readonly phases?: readonly string[];
  /** The document leaves the creation of its threads out; each begins on the CPU where the recording has it after that. */
  readonly documentStartsSettled?: boolean;
  readonly measures: readonly MeasureKind[];
}

export interface MeasureSpec {
  readonly kernels: Readonly<Record<string, { readonly kernel: KernelId; readonly piReweight: boolean }>>;
  readonly tolerances: Readonly<Record<MeasureKind, Tolerance>>;
  readonly workloads: Readonly<Record<string, WorkloadSpec>>;
}
