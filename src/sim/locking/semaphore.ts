// Semaphores. A post adds one and wakes the first sleeper, which tries again when it runs: somebody else may have been
// faster (no hand-off). Queue as for a futex. Source: glibc nptl/sem_waitcommon.c, sem_post.c (2.36).

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { recordLockAcquire, recordSemPost, SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import { noteLockChanged } from '../verdicts/tracker.ts';
import type { Lock } from './lock_state.ts';
import { enqueueWaiter } from './wait_queue.ts';
import { beginBlock, endWait } from './wait_records.ts';

/** `p`, running, takes one off the semaphore, or sleeps until it can. */
export function semWait(m: Machine, rq: Rq, sem: Lock, p: Task): void {
  if (sem.value > 0) {
    takeOne(m, sem, p, false);
    return;
  }
  beginBlock(m, sem, p);
  sleepOnSem(m, rq, sem, p);
}

/** `p` runs again after a post. True: it goes on with its program. */
export function semRetry(m: Machine, rq: Rq, sem: Lock, p: Task): boolean {
  if (sem.value === 0) {
    sleepOnSem(m, rq, sem, p);
    return false;
  }
  endWait(m, p);
  p.mode = RunMode.step;
  takeOne(m, sem, p, true);
  return true;
}

function takeOne(m: Machine, sem: Lock, p: Task, waited: boolean): void {
  sem.value--;
  recordLockAcquire(m, p, sem.id, waited);
  noteLockChanged(m);
}

function sleepOnSem(m: Machine, rq: Rq, sem: Lock, p: Task): void {
  p.debtNs += m.costs.syscallNs;
  p.mode = RunMode.lockRetry;
  enqueueWaiter(sem, p);
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.semWait, sem.id, -1);
}

/**
 * One more; the first sleeper is woken.
 *
 * @param cpu where the post happens
 * @param poster undefined: an interrupt
 */
export function semPost(m: Machine, sem: Lock, cpu: number, poster: Task | undefined): void {
  sem.value++;
  recordSemPost(m, cpu, poster, sem.id);
  noteLockChanged(m);
  const p = sem.waiters.shift();
  if (p === undefined) return;
  if (poster !== undefined) poster.debtNs += m.costs.syscallNs;
  tryToWakeUp(m, p, { cpu, task: poster, reason: WakeReason.post, waitReason: WaitReason.wokenByPost });
}
