// What the machine remembers of findings while they form. Plain data; tracker.ts and the kinds of findings work on it.

import type { LockId } from '../../trace/ids.ts';
import type { Fact, Verdict } from '../../trace/verdicts.ts';

/** A hang that holds at present (rt_spin_hang.ts). */
export interface OpenHang {
  readonly lock: LockId;
  readonly holder: number;
  readonly fromNs: number;
  readonly spinners: readonly number[];
  readonly facts: readonly Fact[];
}

/** A boost that moves the number alone, at present (boost_without_weight.ts). */
export interface OpenBoost {
  readonly task: number;
  readonly fromNs: number;
  readonly facts: readonly Fact[];
  readonly locks: readonly number[];
  readonly donor: number;
}

export interface VerdictTracker {
  readonly done: Verdict[];
  /** By lock. */
  readonly hangs: OpenHang[];
  /** By task. */
  readonly boosts: OpenBoost[];
  /** Since when each task (by id) is runnable without a CPU; -1: it is not. */
  readonly waitingSinceNs: number[];
  /** Who, of the real-time tasks, had the CPU of each task when it began to wait; -1: none. */
  readonly waitsBehind: number[];
  /** Something changed in this event that a hang can depend on. */
  dirty: boolean;
}

export function createTracker(): VerdictTracker {
  return { done: [], hangs: [], boosts: [], waitingSinceNs: [], waitsBehind: [], dirty: false };
}
