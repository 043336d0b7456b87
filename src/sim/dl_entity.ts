// sched_dl_entity and dl_rq as plain data. Source: include/linux/sched.h, kernel/sched/sched.h (v6.12). Section 5 of the facts.

import type { Ns } from '../base/units.ts';
import type { DlSpec } from '../scenario/scenario.ts';
import type { Task } from './task.ts';

/** What the deadline class knows of a task. */
export interface DlEntity {
  /** By policy (sched_setattr); undefined while the policy is another one. */
  params: DlSpec | undefined;
  /** Of the donor, while a deadline task waits for a PI lock of this one (pi_se); undefined: not boosted. */
  inherited: DlSpec | undefined;
  /** Absolute; negative: it has never had one. */
  deadlineNs: Ns;
  /** Budget left until then; negative after an overrun. */
  runtimeNs: Ns;
  /** Its budget is spent: off the queue, though runnable, until the timer fills it up. */
  throttled: boolean;
  /** It gave up the rest of its budget (sched_yield). */
  yielded: boolean;
  /** Order of queueing among equal deadlines. */
  seq: number;
}

/** dl_rq: sorted by deadline, ties by time of queueing; the running task is in it. */
export interface DlRq {
  queue: Task[];
}

export function createDlEntity(): DlEntity {
  return {
    params: undefined,
    inherited: undefined,
    deadlineNs: -1,
    runtimeNs: 0,
    throttled: false,
    yielded: false,
    seq: 0,
  };
}

/** Parameters in force: the donor's while boosted. Source: deadline.c pi_of. */
export function paramsOf(dl: DlEntity): DlSpec {
  const params = dl.inherited ?? dl.params;
  if (params === undefined) throw new Error('a task of the deadline class has parameters');
  return params;
}

/** Source: deadline.c is_dl_boosted. */
export function isDlBoosted(dl: DlEntity): boolean {
  return dl.inherited !== undefined;
}
