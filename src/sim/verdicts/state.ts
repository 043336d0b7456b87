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

/** A circle of waits (deadlock.ts). */
export interface OpenDeadlock {
  readonly fromNs: number;
  readonly tasks: readonly number[];
  readonly locks: readonly number[];
  readonly facts: readonly Fact[];
  readonly forever: boolean;
}

/** A wait of a strong task for a lock that a weaker one holds (priority_inversion.ts). */
export interface OpenInversion {
  readonly waiter: number;
  readonly lock: number;
  readonly holder: number;
  readonly sinceNs: number;
  /** Who ran in the holder's place, and how long. */
  readonly ran: { readonly task: number; ns: number }[];
}

/** Waits of one kind of one task for one lock, added up. */
export interface SeenInversion {
  readonly waiter: number;
  readonly lock: number;
  readonly bounded: boolean;
  holder: number;
  readonly fromNs: number;
  toNs: number;
  ended: boolean;
  longestNs: number;
  readonly ran: { readonly task: number; ns: number }[];
}

/** A lock that goes from hand to hand (convoy.ts). */
export interface Queueing {
  readonly lock: number;
  fromNs: number;
  handovers: number;
  /** Times that somebody found it free in between. */
  foundFree: number;
  waitersSum: number;
  heldSinceNs: number;
  holdSumNs: number;
  readonly tasks: number[];
}

/** What was held up by a budget (throttled.ts). */
export interface SeenThrottle {
  readonly what: 'rt' | 'quota' | 'deadline';
  /** CPU, group or task. */
  readonly of: number;
  readonly cpu: number;
  readonly fromNs: number;
  toNs: number;
  /** CPUs that are throttled at present, and since when the first is; -1: none. */
  open: number;
  openSinceNs: number;
  sumNs: number;
  times: number;
  readonly tasks: number[];
}

/** A task that came too late (overload.ts). */
export interface SeenMiss {
  readonly task: number;
  readonly fromNs: number;
  toNs: number;
  times: number;
  worstNs: number;
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
  /** Records of the machine that were looked at (watch.ts); counted anew when records are taken. */
  seenRecords: number;
  /** Since when each CPU runs what it runs. */
  readonly stintSinceNs: number[];
  readonly deadlocks: OpenDeadlock[];
  readonly inversions: OpenInversion[];
  readonly seenInversions: SeenInversion[];
  /** By lock. */
  readonly queueing: Queueing[];
  readonly throttles: SeenThrottle[];
  readonly misses: SeenMiss[];
  /** Something changed in this event that a hang can depend on. */
  dirty: boolean;
}

export function createTracker(): VerdictTracker {
  return {
    done: [],
    hangs: [],
    boosts: [],
    waitingSinceNs: [],
    waitsBehind: [],
    seenRecords: 0,
    stintSinceNs: [],
    deadlocks: [],
    inversions: [],
    seenInversions: [],
    queueing: [],
    throttles: [],
    misses: [],
    dirty: false,
  };
}
