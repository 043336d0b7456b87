// Kernels as data: which rules a version follows and with which numbers. Code asks these fields; it never
// asks for a version.

import { msToNs, type Ns, usToNs } from '../../base/units.ts';
import type { KernelId } from '../../scenario/scenario.ts';

/** Numbers with the kernel's own names, before scaling by CPUs. */
export interface BaseTunables {
  /** CFS: sched_latency. Fact 2.1. */
  readonly latencyNs: Ns;
  readonly minGranularityNs: Ns;
  readonly wakeupGranularityNs: Ns;
  /** CFS: not scaled. */
  readonly idleMinGranularityNs: Ns;
  /** EEVDF: base_slice. Fact 3.4. */
  readonly baseSliceNs: Ns;
  /** A task that ran within this span is cache-hot. Not scaled. */
  readonly migrationCostNs: Ns;
  readonly rrTimesliceNs: Ns;
  /** Not scaled. */
  readonly cfsBandwidthSliceNs: Ns;
}

/** One kernel version. */
export interface Flavour {
  readonly id: KernelId;
  readonly fair: 'cfs' | 'eevdf';
  readonly tunables: BaseTunables;
  /** kernel/sched/features.h, the ones that this simulation reads. */
  readonly features: Readonly<Record<string, boolean>>;
  /** RT throttling stops the RT queue of a CPU (<= 6.11 without RT group scheduling). Fact 4.5. */
  readonly rtThrottles: boolean;
  /** One RT task that waits behind a deadline task makes its CPU overloaded, so that others pull it (>= 6.7, commit 612f769edd06). */
  readonly rtPullsSingle: boolean;
  /** A deferred deadline server for fair tasks (>= 6.12). Fact 4.6. */
  readonly fairServer: boolean;
  /** What sched_yield does to a fair task. Facts 2.9, 3.11. */
  readonly yieldRule: 'skip' | 'pushDeadline' | 'forfeit';
  /** How a picked task is protected from others until its request ends. Fact 3.5. */
  readonly protection: 'none' | 'deadline' | 'vprot';
  /** Bound of a stored lag. Fact 3.8. */
  readonly lagBound: 'twoSlices' | 'maxSlicePlusTick';
}

/** What every kernel has. As Debian's kernels showed them: /sys/kernel/debug/sched/features. */
const COMMON_FEATURES = {
  NEXT_BUDDY: false,
  WAKEUP_PREEMPTION: true,
  HRTICK: false,
  HRTICK_DL: false,
  RT_RUNTIME_SHARE: false,
} as const;

const CFS_FEATURES = {
  ...COMMON_FEATURES,
  GENTLE_FAIR_SLEEPERS: true,
  START_DEBIT: true,
  LAST_BUDDY: true,
  ALT_PERIOD: true,
  BASE_SLICE: true,
} as const;

const FIRST_EEVDF_FEATURES = {
  ...COMMON_FEATURES,
  PLACE_LAG: true,
  PLACE_DEADLINE_INITIAL: true,
  RUN_TO_PARITY: true,
} as const;

const EEVDF_FEATURES = {
  ...FIRST_EEVDF_FEATURES,
  PLACE_REL_DEADLINE: true,
  PREEMPT_SHORT: true,
  PICK_BUDDY: true,
  DELAY_DEQUEUE: true,
  DELAY_ZERO: true,
} as const;

const BASE: BaseTunables = {
  latencyNs: msToNs(6),
  minGranularityNs: usToNs(750),
  wakeupGranularityNs: msToNs(1),
  idleMinGranularityNs: usToNs(750),
  baseSliceNs: usToNs(700),
  migrationCostNs: usToNs(500),
  rrTimesliceNs: msToNs(100),
  cfsBandwidthSliceNs: msToNs(5),
};

/** The kernels that this engine knows. Fact sheet, section 0. */
export const FLAVOURS: Readonly<Record<KernelId, Flavour>> = {
  '6.1': {
    id: '6.1',
    fair: 'cfs',
    tunables: BASE,
    features: CFS_FEATURES,
    rtThrottles: true,
    rtPullsSingle: false,
    fairServer: false,
    yieldRule: 'skip',
    protection: 'none',
    lagBound: 'twoSlices',
  },
  // As 6.6.0 was; its later point releases took over 0.70 ms and the new yield.
  '6.6': {
    id: '6.6',
    fair: 'eevdf',
    tunables: { ...BASE, baseSliceNs: usToNs(750) },
    features: FIRST_EEVDF_FEATURES,
    rtThrottles: true,
    rtPullsSingle: false,
    fairServer: false,
    yieldRule: 'pushDeadline',
    protection: 'deadline',
    lagBound: 'twoSlices',
  },
  '6.12': {
    id: '6.12',
    fair: 'eevdf',
    tunables: BASE,
    features: EEVDF_FEATURES,
    rtThrottles: false,
    rtPullsSingle: true,
    fairServer: true,
    yieldRule: 'forfeit',
    protection: 'deadline',
    lagBound: 'twoSlices',
  },
  '7.2': {
    id: '7.2',
    fair: 'eevdf',
    tunables: BASE,
    features: { ...EEVDF_FEATURES, HRTICK: true, HRTICK_DL: true },
    rtThrottles: false,
    rtPullsSingle: true,
    fairServer: true,
    yieldRule: 'forfeit',
    protection: 'vprot',
    lagBound: 'maxSlicePlusTick',
  },
};
