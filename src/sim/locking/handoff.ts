// First-come locks with direct hand-off: the one that waits longest owns the lock at the instant of the release, before
// it runs. Shows what a plain futex avoids by barging (convoys), and what it gives up (fairness). Facts 6.8, catalogue 2.

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import type { Lock } from './lock_state.ts';
import { enqueueWaiter } from './wait_queue.ts';
import { beginBlock, disown, grant } from './wait_records.ts';

/** The lock is held: `p`, running, sleeps until it is given the lock. */
export function handoffContended(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  beginBlock(m, lock, p);
  p.debtNs += m.costs.syscallNs;
  p.mode = RunMode.lockRetry;
  enqueueWaiter(lock, p);
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner?.id ?? -1);
}

/** `p` gives the lock to the first in the queue. */
export function handoffUnlock(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  const next = lock.waiters.shift();
  disown(m, lock, p, next);
  if (next === undefined) return;
  p.debtNs += m.costs.syscallNs;
  grant(m, lock, next);
  tryToWakeUp(m, next, { cpu: rq.cpu, task: p, reason: WakeReason.handoff, waitReason: WaitReason.wokenByUnlock });
}
