// The C library's default mutex: no owner for the kernel, no hand-off; the releaser or anybody else may take it again
// before the woken one runs. Source: glibc lowlevellock, kernel/futex/core.c __futex_queue. Fact 6.8.

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import type { Lock } from './lock_state.ts';
import { enqueueWaiter } from './wait_queue.ts';
import { abandonWait, beginBlock, endWait, own } from './wait_records.ts';

/** The lock is held: `p`, running, goes to sleep in the kernel. */
export function futexContended(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  beginBlock(m, lock, p);
  sleepOnFutex(m, rq, lock, p);
}

/** `p`, which waits for the lock already, sleeps in its queue. */
export function sleepOnFutex(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  p.debtNs += m.costs.syscallNs;
  p.mode = RunMode.lockRetry;
  enqueueWaiter(lock, p);
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner?.id ?? -1);
}

/** `p` runs again after a wake-up: it tries, and sleeps again at the tail when somebody else was faster. True when it goes on with its program. */
export function futexRetry(m: Machine, rq: Rq, lock: Lock, p: Task): boolean {
  if (lock.owner === undefined) {
    endWait(m, p);
    p.mode = RunMode.step;
    own(m, lock, p, true);
    return true;
  }
  if (p.timedOut) {
    abandonWait(m, lock, p);
    return true;
  }
  sleepOnFutex(m, rq, lock, p);
  return false;
}

/** The lock is free now: wakes the first in the queue. */
export function futexWakeOne(m: Machine, rq: Rq, lock: Lock, waker: Task): void {
  const p = lock.waiters.shift();
  if (p === undefined) return;
  waker.debtNs += m.costs.syscallNs;
  tryToWakeUp(m, p, { cpu: rq.cpu, task: waker, reason: WakeReason.unlock, waitReason: WaitReason.wokenByUnlock });
}
