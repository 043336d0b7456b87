// Progress of a thread in the tries of an adaptive mutex, in closed form: one pause, one try, and again. Fact 6.9.

import type { Ns } from '../../base/units.ts';
import type { Task } from '../task.ts';

/** One PAUSE instruction and the try after it. About 140 cycles since Skylake, at 3.5 GHz; the first step of the format's own growing pause. */
export const PAUSE_NS: Ns = 40;

/** Accounts own CPU time. Tries before the end of it fail: whoever could make one of them matter has armed it as an event. One exactly at the end is left due. */
export function advancePauses(p: Task, progress: Ns): void {
  p.spinPaidNs += progress;
  p.spinIterations = Math.max(p.spinIterations, Math.ceil(p.spinPaidNs / PAUSE_NS) - 1);
}

/** Own CPU time until the next try (`matters`: the lock is free, or its time limit has passed), else until the last one. */
export function nsToNextTry(p: Task, matters: boolean): Ns {
  const tries = matters ? p.spinIterations + 1 : Math.max(p.spinTriesLeft, p.spinIterations + 1);
  return tries * PAUSE_NS - p.spinPaidNs;
}

/** A try is due now. */
export function isTryDue(p: Task): boolean {
  return p.spinPaidNs >= (p.spinIterations + 1) * PAUSE_NS;
}
