// Mutexes with priority inheritance (PTHREAD_PRIO_INHERIT). Source: kernel/locking/rtmutex.c, kernel/futex/pi.c
// (v6.12), kernel/sched/core.c rt_mutex_setprio. Facts 6.1-6.7, 6.11, 6.12.

import { StopReason, WaitReason, WakeReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { FindingKind, recordFinding, SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { blockCurrent } from '../sched/block.ts';
import { tryToWakeUp } from '../sched/core.ts';
import { rtMutexSetprio } from '../sched/setprio.ts';
import { RunMode, type Task, TaskState } from '../task.ts';
import type { Lock } from './lock_state.ts';
import { enqueueWaiter, hasStrongerKey, isKeyCurrent, putBackWaiter, removeWaiter, setWaitKey } from './wait_queue.ts';
import { abandonWait, beginBlock, disown, grant, own, takesElse, waitAgain } from './wait_records.ts';

/** Longest chain that is walked. Source: max_lock_depth. */
const MAX_CHAIN = 1024;

/** The strongest of the top waiters of all pi locks that `p` holds; among equals the one that came first. Source: task_top_pi_waiter. */
function topPiWaiter(m: Machine, p: Task): Task | undefined {
  let best: Task | undefined;
  for (const id of p.held) {
    const lock = m.locks[id]!;
    const top = lock.spec.kind === 'pi' ? lock.waiters[0] : undefined;
    if (top !== undefined && (best === undefined || hasStrongerKey(top, best))) best = top;
  }
  return best;
}

/** Gives `p` the better of its own prio and its top waiter's; goes on along the chain of locks that owners wait for, while a key changes. Fact 6.5. */
export function adjustPrioChain(m: Machine, p: Task): void {
  let owner: Task | undefined = p;
  for (let depth = 0; owner !== undefined && depth < MAX_CHAIN; depth++) {
    rtMutexSetprio(m, owner, topPiWaiter(m, owner));
    const lock: Lock | undefined = owner.waitsFor >= 0 ? m.locks[owner.waitsFor] : undefined;
    // One that was woken to give up is in no queue; nor is one that is parked.
    if (lock === undefined || lock.spec.kind !== 'pi' || owner.parked || owner.timedOut) return;
    if (isKeyCurrent('pi', owner)) return;
    removeWaiter(lock, owner);
    enqueueWaiter(lock, owner);
    owner = lock.owner;
  }
}

/** Would waiting for `lock` close a circle back to `p`? */
export function closesCircle(m: Machine, lock: Lock, p: Task): boolean {
  let owner = lock.owner;
  for (let depth = 0; owner !== undefined && depth < MAX_CHAIN; depth++) {
    if (owner === p) return true;
    const next: Lock | undefined = owner.waitsFor >= 0 ? m.locks[owner.waitsFor] : undefined;
    if (next === undefined || next.spec.kind !== 'pi') return false;
    owner = next.owner;
  }
  return false;
}

/**
 * A released rt_mutex has no owner until the waiter that was woken for it runs and takes it: one that is stronger, not
 * one that is equal, may come first. The heir waits on, in its old place.
 * Source: rtmutex.c try_to_take_rt_mutex, rt_mutex_steal; fixup_pi_owner writes the user's word. As recorded (pi-chain).
 */
function stealFromHeir(m: Machine, lock: Lock, p: Task): boolean {
  const heir = lock.heir;
  if (heir === undefined || heir.task !== lock.owner || !heir.task.granted) return false;
  setWaitKey(lock, p);
  if (!hasStrongerKey(p, heir.task)) return false;
  p.debtNs += m.costs.syscallNs;
  disown(m, lock, heir.task, p);
  own(m, lock, p, false);
  waitAgain(m, lock, heir.task, heir.limitNs);
  putBackWaiter(lock, heir.task);
  lock.heir = undefined;
  adjustPrioChain(m, heir.task);
  adjustPrioChain(m, p);
  return true;
}

/** An heir runs, and the lock was taken by a stronger one meanwhile: it sleeps on. */
export function piSleepsOn(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner?.id ?? -1);
}

/** The lock is held: `p` lends its priority to the owner and sleeps. True: the kernel refused (EDEADLK), and the program goes on. */
export function piContended(m: Machine, rq: Rq, lock: Lock, p: Task): boolean {
  if (stealFromHeir(m, lock, p)) return true;
  beginBlock(m, lock, p);
  p.debtNs += m.costs.syscallNs;
  if (closesCircle(m, lock, p)) return refuse(m, rq, lock, p);
  p.mode = RunMode.lockRetry;
  enqueueWaiter(lock, p);
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner?.id ?? -1);
  if (lock.waiters[0] === p && lock.owner !== undefined) adjustPrioChain(m, lock.owner);
  return false;
}

/**
 * EDEADLK. A program that looks at the answer (it has an else branch) goes on there; else the C library parks the
 * thread in pause() for ever. Source: glibc nptl/pthread_mutex_lock.c. Fact 6.11.
 */
function refuse(m: Machine, rq: Rq, lock: Lock, p: Task): boolean {
  const text = `EDEADLK: ${p.name} would wait for ${lock.spec.name} in a circle`;
  recordFinding(m, p, FindingKind.deadlockDetected, text);
  if (takesElse(m, p)) {
    abandonWait(m, lock, p);
    return true;
  }
  p.parked = true;
  p.mode = RunMode.lockRetry;
  blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.parkedDeadlock, lock.id, lock.owner?.id ?? -1);
  return false;
}

/** `p` gives the lock to its top waiter: first it loses what it inherited, then the new owner has the lock, then that one is woken. Fact 6.7. */
export function piUnlock(m: Machine, rq: Rq, lock: Lock, p: Task): void {
  const next = lock.waiters.shift();
  if (next !== undefined) p.debtNs += m.costs.syscallNs;
  disown(m, lock, p, next);
  adjustPrioChain(m, p);
  if (next === undefined) return;
  grantTo(m, lock, next);
  tryToWakeUp(m, next, { cpu: rq.cpu, task: p, reason: WakeReason.handoff, waitReason: WaitReason.wokenByUnlock });
}

/** `next`, asleep, is the owner from this instant on, with the priority of those who still wait. */
export function grantTo(m: Machine, lock: Lock, next: Task): void {
  lock.heir = { task: next, limitNs: next.waitUntilNs };
  grant(m, lock, next);
  adjustPrioChain(m, next);
}

/** `p` leaves the queue without the lock (its time limit passed): the owner loses what it inherited from it. */
export function piLeaveQueue(m: Machine, lock: Lock, p: Task): void {
  const wasTop = lock.waiters[0] === p;
  removeWaiter(lock, p);
  if (wasTop && lock.owner !== undefined) adjustPrioChain(m, lock.owner);
}

/** The prio of `p` changed by its own doing while it waits: source rt_mutex_adjust_pi (sched_setscheduler only, fact 6.6). */
export function piWaiterChanged(m: Machine, p: Task): void {
  const lock = p.waitsFor >= 0 ? m.locks[p.waitsFor] : undefined;
  if (lock === undefined || lock.spec.kind !== 'pi' || p.parked || p.timedOut) return;
  removeWaiter(lock, p);
  enqueueWaiter(lock, p);
  if (lock.owner !== undefined) adjustPrioChain(m, lock.owner);
}
