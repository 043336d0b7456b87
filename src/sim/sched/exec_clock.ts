// The clock of a task's CPU time, as every class keeps it. Source: fair.c update_curr_common (v6.12).

import type { Ns } from '../../base/units.ts';
import type { Task } from '../task.ts';

/** Brings the CPU time of the running `p` up to `untilNs`; answers what came to it, 0 or more. */
export function chargeExec(p: Task, untilNs: Ns): Ns {
  const delta = untilNs - p.se.execStartNs;
  if (delta <= 0) return 0;
  p.se.execStartNs = untilNs;
  p.se.sumExecNs += delta;
  return delta;
}

/** `p` begins to run. */
export function startExec(p: Task, nowNs: Ns): void {
  p.se.execStartNs = nowNs;
}

/** Instant up to which the CPU time of the running `p` is charged. */
export function chargedUntilNs(p: Task): Ns {
  return p.se.execStartNs;
}
