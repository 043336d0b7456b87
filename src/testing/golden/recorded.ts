// A recorded run as golden/recorded/ keeps it: the summary, and the conditions of that boot that the simulation
// is given. Nothing else may differ between workloads of a kernel.

import type { Ns } from '../../base/units.ts';
import { NS_PER_MS, NS_PER_S } from '../../base/units.ts';
import type { WorkloadSpec } from './measure_spec.ts';
import type { RecordedRun } from './recorded_run.ts';
import type { Summary } from './summary.ts';
import { summarise } from './summary.ts';

/** Length of a tick on every recorded kernel (HZ = 250). */
export const TICK_NS = 4 * NS_PER_MS;
/** By this instant every thread of a workload on several CPUs has been created and sleeps until its own start. */
const CREATED_NS = 4.5 * NS_PER_MS;
/** A real-time thread that waits longer than this without being asked to was throttled. */
const THROTTLED_NS = 10 * NS_PER_MS;

export interface BootConditions {
  /** First tick after the workload's start. Ticks of these kernels stand on whole multiples of 4 ms of the guest's clock. */
  readonly tickPhaseNs: Ns;
  /** First expiry of the real-time period timer after the start; only where throttling acted (6.1). */
  readonly throttlePhaseNs?: Ns;
  /** CPU on which each thread ran last before its own start; only with several CPUs. */
  readonly startCpu?: Readonly<Record<string, number>>;
}

export interface RecordedSummary extends Summary {
  readonly recordedKernel: string;
  readonly workload: string;
  readonly boot: BootConditions;
}

function throttlePhaseOf(run: RecordedRun): Ns | undefined {
  const realTime = new Set<string>();
  for (const mark of run.observation.marks) {
    const m = /^thread (\S+) .*policy=(FIFO|RR)/.exec(mark.text);
    if (m !== null) realTime.add(m[1] ?? '');
  }
  const left = new Map<string, Ns>();
  for (const stint of run.observation.stints) {
    const leftNs = left.get(stint.thread);
    // It was switched in again because the period timer lifted the throttle.
    if (leftNs !== undefined && stint.fromNs - leftNs > THROTTLED_NS) return stint.fromNs % NS_PER_S;
    if (realTime.has(stint.thread) && stint.endedBy === 'runnable') left.set(stint.thread, stint.toNs);
    else left.delete(stint.thread);
  }
  return undefined;
}

/** `throttles`: whether real-time throttling was on and the kernel has it. */
export function recordedSummary(
  recordedKernel: string,
  workload: string,
  spec: WorkloadSpec,
  run: RecordedRun,
  throttles: boolean,
): RecordedSummary {
  const throttlePhaseNs = throttles ? throttlePhaseOf(run) : undefined;
  const o = run.observation;
  return {
    recordedKernel,
    workload,
    boot: {
      tickPhaseNs: TICK_NS - (run.startNs % TICK_NS),
      ...(throttlePhaseNs === undefined ? {} : { throttlePhaseNs }),
      ...(o.cpus === 1 ? {} : { startCpu: run.cpuBefore(CREATED_NS) }),
    },
    ...summarise(o, scopeOf(spec)),
  };
}

/** What of a workload its measures need. */
export function scopeOf(spec: WorkloadSpec): Parameters<typeof summarise>[1] {
  return {
    ...(spec.threads === undefined ? {} : { threads: spec.threads }),
    ...(spec.documentStartsSettled === true ? { createdNs: CREATED_NS } : {}),
    sequences: spec.measures.includes('order') || spec.measures.includes('sequence'),
  };
}
