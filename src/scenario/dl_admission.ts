// Admission control of SCHED_DEADLINE: whether the machine takes on one more task. The reader asks it before a run,
// the simulation at each change of policy. Source: deadline.c sched_dl_overflow, sched.h __dl_overflow (fact 5.4).

import type { Ns } from '../base/units.ts';
import { hasFairServer } from './kernel_names.ts';
import type { MachineSpec } from './scenario.ts';

/** Shares are counted in 2^-20 of a CPU. */
export const BANDWIDTH_UNIT = 1 << 20;

/** What admission depends on. */
export type AdmissionMachine = Pick<MachineSpec, 'cpus' | 'kernel' | 'rtThrottling' | 'fairServer'>;

/** runtime / period in 2^-20, rounded down. Source: core.c to_ratio. */
export function dlBandwidth(runtimeNs: Ns, periodNs: Ns): number {
  return periodNs === 0 ? 0 : Number((BigInt(runtimeNs) << 20n) / BigInt(periodNs));
}

/** Bandwidth that deadline tasks may have together, servers included, in 2^-20; undefined: there is no limit. */
export function dlCapacity({ rtThrottling, cpus }: AdmissionMachine): number | undefined {
  // sched_rt_runtime_us = -1 switches admission off too.
  if (rtThrottling === false) return undefined;
  return dlBandwidth(rtThrottling.runtimeNs, rtThrottling.periodNs) * cpus;
}

/** Bandwidth that the fair servers of all CPUs have taken, in 2^-20. */
export function serverBandwidth({ fairServer, kernel, cpus }: AdmissionMachine): number {
  if (fairServer === false || !hasFairServer(kernel)) return 0;
  return dlBandwidth(fairServer.runtimeNs, fairServer.periodNs) * cpus;
}

/**
 * Whether the kernel takes on a task of `bandwidth`; if not, sched_setattr fails with EBUSY.
 *
 * @param admitted bandwidth of the deadline tasks that it has, without the task itself and without servers, in 2^-20
 */
export function admits(machine: AdmissionMachine, admitted: number, bandwidth: number): boolean {
  const capacity = dlCapacity(machine);
  return capacity === undefined || admitted + serverBandwidth(machine) + bandwidth <= capacity;
}

/**
 * Whether a task with that many allowed CPUs may become a deadline task; if not, sched_setattr fails with EPERM.
 *
 * Deadline tasks may run anywhere: admission counts on it. Source: syscalls.c __sched_setscheduler.
 */
export function mayBeDeadline(machine: Pick<MachineSpec, 'cpus' | 'rtThrottling'>, allowedCpus: number): boolean {
  return machine.rtThrottling === false || allowedCpus === machine.cpus;
}
