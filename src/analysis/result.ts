// The result of a run, exactly as the command line prints it with --json (scenario format, section "Result").
// Keys are a contract: ns integers, shares as ratios, what does not exist is null.

import type { VerdictKind } from '../trace/verdicts.ts';

/** Nearest-rank percentiles; null where n is 0. */
export interface Distribution {
  readonly n: number;
  readonly min: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

export interface CpuResult {
  readonly cpu: number;
  readonly busy_ns: number;
  readonly idle_ns: number;
  readonly irq_ns: number;
  readonly switches: number;
}

export interface ThreadResult {
  readonly name: string;
  readonly tid: number;
  readonly policy: string;
  readonly run_ns: number;
  readonly spin_ns: number;
  readonly runnable_ns: number;
  readonly blocked_ns: number;
  readonly sleep_ns: number;
  readonly throttled_ns: number;
  readonly share: number;
  readonly switches: number;
  readonly preemptions: number;
  readonly migrations: number;
  readonly wakeups: number;
  readonly wakeup_latency_ns: Distribution;
  readonly sleep_time_ns: Distribution;
  readonly stint_ns: Distribution;
  readonly longest_wait_ns: number;
  readonly finished_ns: number | null;
  readonly releases: number | null;
  readonly missed: number | null;
  /** [t_ns, effective kernel prio, weight] at each change. */
  readonly priority: readonly (readonly [number, number, number])[];
}

export interface SlowPathCall {
  readonly thread: string;
  readonly start_ns: number;
  readonly wall_ns: number;
  readonly exec_ns: number;
  readonly iterations: number;
  readonly exec_share: number | null;
  /** Who held the lock when the call began; null where nobody did or it was not known. */
  readonly holder: string | null;
  readonly open?: true;
}

export interface LockResult {
  readonly name: string;
  readonly kind: string;
  readonly acquisitions: Readonly<Record<string, number>>;
  readonly wait_ns: Distribution;
  readonly hold_ns: Distribution;
  readonly slow_path: readonly SlowPathCall[];
}

export interface VerdictResult {
  readonly kind: VerdictKind;
  readonly from_ns: number;
  readonly to_ns: number;
  readonly threads: readonly string[];
  readonly locks: readonly string[];
  readonly because: readonly string[];
  readonly forever: boolean;
}

export type SegmentState = 'run' | 'spin' | 'runnable' | 'blocked' | 'sleep' | 'throttled' | 'irq' | 'idle';

export interface RunResult {
  readonly title: string;
  readonly engine: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly duration_ns: number;
  readonly events: number;
  readonly hash: string;
  readonly cpus: readonly CpuResult[];
  readonly threads: readonly ThreadResult[];
  readonly locks: readonly LockResult[];
  /** Only with --segments: [cpu or -1, start_ns, end_ns, thread name, state]. */
  readonly segments?: readonly (readonly [number, number, number, string, SegmentState])[];
  readonly verdicts: readonly VerdictResult[];
  readonly marks: readonly (readonly [number, string, string])[];
  readonly notes: readonly string[];
  readonly claims: readonly { readonly claim: string; readonly ok: boolean; readonly actual: number | null }[];
}
