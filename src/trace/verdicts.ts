// Findings of a run, as data: what happened, who is party to it, the facts that prove it, and until when.
// sim/verdicts/ makes them, explain/ words them, result, page and command line show them.

import type { Ns } from '../base/units.ts';
import type { CpuId, LockId, TaskId } from './ids.ts';

/** Worst first; the order in which several findings are shown. */
export const VERDICT_KINDS = [
  'rt-spin-hang',
  'deadlock',
  'livelock',
  'starvation',
  'priority-inversion',
  'overload',
  'throttled',
  'convoy',
  'boost-without-weight',
] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** One clause of a proof. Each is true of the machine's state at the verdict's start and can be checked against it. */
export type Fact =
  | { readonly fact: 'holds'; readonly task: TaskId; readonly lock: LockId; readonly sinceNs: Ns }
  | { readonly fact: 'runnableOn'; readonly task: TaskId; readonly cpu: CpuId; readonly sinceNs: Ns }
  | {
      readonly fact: 'spinsOn';
      readonly task: TaskId;
      readonly lock: LockId;
      readonly cpu: CpuId;
      readonly sinceNs: Ns;
    }
  | { readonly fact: 'mayUse'; readonly task: TaskId; readonly cpus: readonly CpuId[] }
  /** `by` keeps `cpu`: its class or prio is stronger than that of the starving task. */
  | {
      readonly fact: 'cpuKeptBy';
      readonly cpu: CpuId;
      readonly by: TaskId;
      readonly byPrio: number;
      readonly starvedPrio: number;
    }
  /** No spinner of the proof ever sleeps: its back-off yields or only pauses. */
  | { readonly fact: 'neverSleeps'; readonly lock: LockId; readonly backoff: 'none' | 'yield' | 'pause' }
  /** What could still end it, and that it is off, or cannot help, or when it acts. */
  | {
      readonly fact: 'rescue';
      readonly by: 'rt-throttling' | 'fair-server' | 'intervention' | 'timed-step';
      readonly state: 'off' | 'absent' | 'does-not-help' | 'acts';
      /** When it acts: the earliest instant known at the verdict's start. */
      readonly atNs?: Ns;
    }
  | { readonly fact: 'waitedFor'; readonly task: TaskId; readonly ns: Ns }
  | {
      readonly fact: 'inheritsPrio';
      readonly task: TaskId;
      readonly from: TaskId;
      readonly basePrio: number;
      readonly prio: number;
    }
  | { readonly fact: 'keepsWeight'; readonly task: TaskId; readonly weight: number; readonly prioWeight: number }
  /** A cycle: `task` waits for `lock`, which `holder` holds. One fact per member. */
  | {
      readonly fact: 'waitsFor';
      readonly task: TaskId;
      readonly lock: LockId;
      readonly holder: TaskId;
      readonly sinceNs: Ns;
    }
  /** The kernel noticed (EDEADLK); plain locks are never noticed. */
  | { readonly fact: 'kernelNoticed'; readonly lock: LockId }
  /** Of a priority inversion: `by` ran for `ns` while `task` waited for a lock of a weaker holder. */
  | { readonly fact: 'ranInstead'; readonly task: TaskId; readonly by: TaskId; readonly ns: Ns }
  /** How long the wait can last: the holder's own critical section, or without bound. */
  | { readonly fact: 'inversionBound'; readonly bounded: boolean; readonly ns: Ns }
  /** Throttled: what (0 real-time queue of a CPU, 1 group quota, 2 deadline budget), how long, how often. */
  | {
      readonly fact: 'throttledFor';
      readonly what: 'rt' | 'quota' | 'deadline';
      readonly group: number;
      readonly cpu: CpuId;
      readonly ns: Ns;
      readonly times: number;
    }
  /** Overload: demand over a window against what the CPUs give. */
  | { readonly fact: 'demand'; readonly wantedNs: Ns; readonly givenNs: Ns; readonly cpus: number }
  | { readonly fact: 'missed'; readonly task: TaskId; readonly times: number; readonly worstNs: Ns }
  /** Convoy: `waiters` threads queue for `lock`, each hold is followed by a hand-over and a switch. */
  | {
      readonly fact: 'queueOn';
      readonly lock: LockId;
      readonly waiters: number;
      readonly handovers: number;
      readonly holdNs: Ns;
    }
  | { readonly fact: 'stepsAtOneInstant'; readonly task: TaskId; readonly steps: number };

export interface Verdict {
  readonly kind: VerdictKind;
  readonly fromNs: Ns;
  /** End of the finding; where the run ends first and it is not for ever: a bound, or the end of the run if none is known. */
  readonly toNs: Ns;
  /** No party of the proof gains CPU time or changes state in any continuation of the run. */
  readonly forever: boolean;
  /** True when toNs was seen; false when the run ended before. */
  readonly ended: boolean;
  readonly tasks: readonly TaskId[];
  readonly locks: readonly LockId[];
  readonly facts: readonly Fact[];
}
