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
  /** A deferred deadline server for fair tasks (>= 6.12). Fact 4.6. */
  readonly fairServer: boolean;
  /** What sched_yield does to a fair task. Facts 2.9, 3.11. */
  readonly yieldRule: 'skip' | 'pushDeadline' | 'forfeit';
  /** How a picked task is protected from others until its request ends. Fact 3.5. */
  readonly protection: 'none' | 'deadline' | 'vprot';
  /** Bound of a stored lag. Fact 3.8. */
  readonly lagBound: 'twoSlices' | 'maxSlicePlusTick';
}

const CFS_FEATURES = {
  GENTLE_FAIR_SLEEPERS: true,
  START_DEBIT: true,
  NEXT_BUDDY: false,
  LAST_BUDDY: true,
  WAKEUP_PREEMPTION: true,
  ALT_PERIOD: true,
  BASE_SLICE: true,
  HRTICK: false,
  HRTICK_DL: false,
} as const;

const EEVDF_FEATURES = {
  PLACE_LAG: true,
  PLACE_DEADLINE_INITIAL: true,
  RUN_TO_PARITY: true,
  WAKEUP_PREEMPTION: true,
  PLACE_REL_DEADLINE: true,
  PREEMPT_SHORT: true,
  DELAY_DEQUEUE: true,
  DELAY_ZERO: true,
  HRTICK: false,
  HRTICK_DL: false,
} as const;

const BASE: BaseTunables = {
  latencyNs: msToNs(6),
  minGranularityNs: usToNs(750),
  wakeupGranularityNs: msToNs(1),
  idleMinGranularityNs: usToNs(750),
  baseSliceNs: usToNs(700),
  migrationCostNs: usToNs(500),
  rrTimesliceNs: msToNs(100),
};

/** The kernels that this engine knows. 6.6 comes with a later issue. */
export const FLAVOURS: Readonly<Record<'6.1' | '6.12' | '7.2', Flavour>> = {
  '6.1': {
    id: '6.1',
    fair: 'cfs',
    tunables: BASE,
    features: CFS_FEATURES,
    rtThrottles: true,
    fairServer: false,
    yieldRule: 'skip',
    protection: 'none',
    lagBound: 'twoSlices',
  },
  '6.12': {
    id: '6.12',
    fair: 'eevdf',
    tunables: BASE,
    features: EEVDF_FEATURES,
    rtThrottles: false,
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
    fairServer: true,
    yieldRule: 'forfeit',
    protection: 'vprot',
    lagBound: 'maxSlicePlusTick',
  },
};
