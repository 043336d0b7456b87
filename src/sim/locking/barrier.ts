// Barriers: the last of `parties` threads wakes all others, in the order of the futex queue; then a new round begins.
// Source: glibc nptl/pthread_barrier_wait.c (2.36).

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { recordLockAcquire, SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import { noteLockChanged } from '../verdicts/tracker.ts';
import type { Lock } from './lock_state.ts';
import { enqueueWaiter } from './wait_queue.ts';
import { beginBlock, endWait } from './wait_records.ts';

/** `p`, running, comes to the barrier: it sleeps there, or is the last one and opens it. */
export function barrierWait(m: Machine, rq: Rq, barrier: Lock, p: Task): void {
  if (barrier.waiters.length + 1 >= partiesOf(barrier)) {
    recordLockAcquire(m, p, barrier.id, false);
    if (barrier.waiters.length > 0) p.debtNs += m.costs.syscallNs;
    openBarrier(m, barrier, rq.cpu, p);
    return;
  }
  beginBlock(m, barrier, p);
  p.debtNs += m.costs.syscallNs;
  p.mode = RunMode.lockRetry;
  enqueueWaiter(barrier, p);
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.barrierWait, barrier.id, -1);
}

function partiesOf(barrier: Lock): number {
  return barrier.spec.kind === 'barrier' ? barrier.spec.parties : 1;
}

/** Lets all through that wait. `last`: who came last; undefined: an intervention opens it. */
function openBarrier(m: Machine, barrier: Lock, cpu: number, last: Task | undefined): void {
  const through = barrier.waiters;
  barrier.waiters = [];
  for (const p of through) {
    endWait(m, p);
    p.granted = true;
    recordLockAcquire(m, p, barrier.id, true);
  }
  noteLockChanged(m);
  for (const p of through)
    tryToWakeUp(m, p, { cpu, task: last, reason: WakeReason.barrier, waitReason: WaitReason.wokenByBarrier });
}

/** An intervention changed the number of parties: those who wait may be enough now. */
export function barrierChanged(m: Machine, barrier: Lock): void {
  const parties = partiesOf(barrier);
  const first = barrier.waiters[0];
  if (first !== undefined && barrier.waiters.length >= parties) openBarrier(m, barrier, first.cpu, undefined);
}
