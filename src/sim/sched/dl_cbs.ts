// The constant bandwidth server of one deadline task: when its budget and deadline are renewed, and to what.
// Source: kernel/sched/deadline.c (v6.12). Facts 5.1, 5.2. Not modelled: GRUB (reclaiming).

import type { Ns } from '../../base/units.ts';
import type { DlSpec } from '../../scenario/scenario.ts';
import { type DlEntity, isDlBoosted, paramsOf } from '../dl_entity.ts';

/** Products are compared in units of 1.024 us each (DL_SCALE). */
const SCALE = 1024;
const BANDWIDTH_SHIFT = 1 << 20;

const scaled = (ns: Ns): number => Math.floor(ns / SCALE);

/** Deadline and period are the same. */
export function isImplicit(params: DlSpec): boolean {
  return params.deadlineNs === params.periodNs;
}

/** Start of the period after the one that the present deadline belongs to. Source: dl_next_period. */
export function nextPeriodNs(dl: DlEntity): Ns {
  const params = paramsOf(dl);
  return dl.deadlineNs - params.deadlineNs + params.periodNs;
}

/** With what is left until its deadline the task would use more than its share: runtime left / time left > Q / D. Source: dl_entity_overflow. */
export function overflows(dl: DlEntity, nowNs: Ns): boolean {
  const params = paramsOf(dl);
  const left = scaled(params.deadlineNs) * scaled(dl.runtimeNs);
  const right = scaled(dl.deadlineNs - nowNs) * scaled(params.runtimeNs);
  return right < left;
}

/** A full budget, and a deadline counted from now. Source: replenish_dl_new_period. */
export function newPeriod(dl: DlEntity, nowNs: Ns): void {
  const params = paramsOf(dl);
  dl.deadlineNs = nowNs + params.deadlineNs;
  dl.runtimeNs = params.runtimeNs;
}

/**
 * The task wakes: what it has left is kept if it is no more than its share of the time left; a constrained task
 * before its deadline gets just that share, others begin a new period. Source: update_dl_entity, update_dl_revised_wakeup.
 */
export function wakeUp(dl: DlEntity, nowNs: Ns): void {
  const passed = dl.deadlineNs < nowNs;
  if (!passed && !overflows(dl, nowNs)) return;
  const params = paramsOf(dl);
  if (!passed && !isImplicit(params) && !isDlBoosted(dl)) {
    const density = Math.floor((params.runtimeNs * BANDWIDTH_SHIFT) / params.deadlineNs);
    dl.runtimeNs = Math.floor((density * (dl.deadlineNs - nowNs)) / BANDWIDTH_SHIFT);
  } else newPeriod(dl, nowNs);
}

/** A constrained task wakes after its deadline, but before its next period: it has to wait for that. Source: dl_check_constrained_dl. */
export function wakesTooEarly(dl: DlEntity, nowNs: Ns): boolean {
  if (isDlBoosted(dl) || dl.throttled || dl.deadlineNs < 0 || isImplicit(paramsOf(dl))) return false;
  return dl.deadlineNs < nowNs && nowNs < nextPeriodNs(dl);
}

/**
 * The period has come: adds budget and postpones the deadline until there is some; an overrun is paid back.
 * One that lags behind its own deadlines begins anew. Source: replenish_dl_entity.
 */
export function replenish(dl: DlEntity, nowNs: Ns): void {
  const params = paramsOf(dl);
  if (dl.params === undefined || dl.deadlineNs < 0) newPeriod(dl, nowNs);
  if (dl.yielded && dl.runtimeNs > 0) dl.runtimeNs = 0;
  while (dl.runtimeNs <= 0) {
    dl.deadlineNs += params.periodNs;
    dl.runtimeNs += params.runtimeNs;
  }
  if (dl.deadlineNs < nowNs) newPeriod(dl, nowNs);
  dl.yielded = false;
  dl.throttled = false;
}
