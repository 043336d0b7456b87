// The rules of one run: a kernel's flavour with the scenario's own tunables and features, scaled by CPUs.

import { NS_PER_S, type Ns } from '../../base/units.ts';
import type { AdmissionMachine } from '../../scenario/dl_admission.ts';
import type { MachineSpec } from '../../scenario/scenario.ts';
import { FLAVOURS, type Flavour } from './flavour.ts';

/** Plain data; part of the machine's state, since an intervention may change it. */
export interface Rules {
  readonly flavour: Flavour;
  readonly isEevdf: boolean;
  readonly tickNs: Ns;
  readonly latencyNs: Ns;
  readonly minGranularityNs: Ns;
  readonly wakeupGranularityNs: Ns;
  readonly idleMinGranularityNs: Ns;
  readonly baseSliceNs: Ns;
  readonly migrationCostNs: Ns;
  /** What a CPU takes of a group's quota at a time. */
  readonly cfsBandwidthSliceNs: Ns;
  /** RR quantum in ticks, at least 1. */
  readonly rrTicks: number;
  readonly features: Readonly<Record<string, boolean>>;
  /** undefined: RT tasks are never throttled. */
  readonly rtThrottle: RtThrottleRules | undefined;
  readonly fairServer: { readonly runtimeNs: Ns; readonly periodNs: Ns } | undefined;
  readonly piReweight: boolean;
  /** What admission of deadline tasks depends on. */
  readonly admission: AdmissionMachine;
}

/** Budget of real-time tasks on each CPU. */
export interface RtThrottleRules {
  readonly runtimeNs: Ns;
  readonly periodNs: Ns;
  /** RT_RUNTIME_SHARE: a CPU borrows what others do not use. */
  readonly share: boolean;
  readonly phaseNs?: Ns;
}

/**
 * Scaling factor of tunables: 1 + floor(log2(min(online CPUs, 8))).
 * Source: fair.c get_update_sysctl_factor (v6.1). Fact 2.1.
 */
export function tunableFactor(cpus: number): number {
  const counted = Math.min(cpus, 8);
  return 1 + (31 - Math.clz32(counted));
}

/** Rules of a machine. The kernel must be one of FLAVOURS (the scenario's validation says so). */
export function rulesOf(machine: MachineSpec): Rules {
  const flavour = FLAVOURS[machine.kernel];
  const factor = machine.tunableScaling === 'none' ? 1 : tunableFactor(machine.cpus);
  const t = machine.tunables;
  const base = flavour.tunables;
  const tickNs = Math.round(NS_PER_S / machine.hz);
  const rt = machine.rtThrottling;
  return {
    flavour,
    isEevdf: flavour.fair === 'eevdf',
    tickNs,
    // A tunable that the scenario sets is the value in force, as a write to debugfs is.
    latencyNs: t['latency_ns'] ?? base.latencyNs * factor,
    minGranularityNs: t['min_granularity_ns'] ?? base.minGranularityNs * factor,
    wakeupGranularityNs: t['wakeup_granularity_ns'] ?? base.wakeupGranularityNs * factor,
    idleMinGranularityNs: t['idle_min_granularity_ns'] ?? base.idleMinGranularityNs,
    baseSliceNs: t['base_slice_ns'] ?? base.baseSliceNs * factor,
    migrationCostNs: t['migration_cost_ns'] ?? base.migrationCostNs,
    cfsBandwidthSliceNs: t['sched_cfs_bandwidth_slice_us'] ?? base.cfsBandwidthSliceNs,
    rrTicks: Math.max(1, Math.floor((t['sched_rr_timeslice_ms'] ?? base.rrTimesliceNs) / tickNs)),
    features: { ...flavour.features, ...machine.features },
    rtThrottle:
      flavour.rtThrottles && rt !== false && rt.runtimeNs < rt.periodNs
        ? {
            runtimeNs: rt.runtimeNs,
            periodNs: rt.periodNs,
            share: rt.share || machine.features['RT_RUNTIME_SHARE'] === true,
            ...(rt.phaseNs === undefined ? {} : { phaseNs: rt.phaseNs }),
          }
        : undefined,
    fairServer:
      flavour.fairServer && machine.fairServer !== false && machine.fairServer.runtimeNs > 0
        ? machine.fairServer
        : undefined,
    piReweight: machine.piReweight,
    admission: {
      cpus: machine.cpus,
      kernel: machine.kernel,
      rtThrottling: machine.rtThrottling,
      fairServer: machine.fairServer,
    },
  };
}
