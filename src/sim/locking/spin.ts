// User-space spin locks: quick tries, then for ever { attempt; back-off }. Source: bmalloc Mutex::lockSlowCase
// as the facts describe it (7.1), with every back-off of the scenario format. No owner is known to the lock, no
// queue, no hand-off: whoever tries first while it is free has it.

import type { LockSpec } from '../../scenario/scenario.ts';
import { StopReason, WaitReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { slackOf } from '../sched/attrs.ts';
import { blockCurrent } from '../sched/block.ts';
import { classOf } from '../sched/classes.ts';
import { reschedCurr } from '../sched/resched.ts';
import { yieldMatters } from '../sched/yield.ts';
import { RunMode, SpinStage, type Task, TaskState } from '../task.ts';
import { startTimer } from '../timers.ts';
import { turnAt } from './backoff.ts';
import type { Lock } from './lock_state.ts';
import { endTurn, enterLoop, failAttempt } from './spin_progress.ts';
import { enqueueWaiter } from './wait_queue.ts';
import { abandonWait, beginSpin, endSpinAcquired } from './wait_records.ts';

type SpinSpec = Extract<LockSpec, { kind: 'spin' }>;

/** The lock is held: `p`, running, enters the slow path. */
export function spinContended(m: Machine, lock: Lock, p: Task): void {
  const spec = lock.spec as SpinSpec;
  lock.spinners.push(p);
  p.mode = RunMode.spin;
  beginSpin(m, lock, p);
  // Whether somebody else is at the quick tries right now decides: account that one up to now.
  if (lock.quickSpinner !== undefined) touch(m, m.rqs[lock.quickSpinner.cpu]!);
  if (spec.tries > 0 && (!spec.oneSpinner || lock.quickSpinner === undefined)) {
    p.spinStage = SpinStage.quick;
    p.spinTriesLeft = spec.tries;
    p.spinCostNs = spec.tryNs;
    p.spinPaidNs = 0;
    if (spec.oneSpinner) lock.quickSpinner = p;
  } else enterLoop(lock, p);
}

/** A boundary of the loop that was armed is reached. True when `p` has the lock and goes on with its program. */
export function spinBoundary(m: Machine, rq: Rq, p: Task): boolean {
  const lock = m.locks[p.waitsFor]!;
  switch (p.spinStage) {
    case SpinStage.quick:
      if (lock.owner === undefined) return take(m, lock, p);
      p.spinTriesLeft--;
      p.spinPaidNs = 0;
      if (p.spinTriesLeft === 0) enterLoop(lock, p);
      return false;
    case SpinStage.turn:
      return turnPaid(m, rq, lock, p);
    case SpinStage.attempt:
      return attempt(m, lock, p);
  }
}

function attempt(m: Machine, lock: Lock, p: Task): boolean {
  if (lock.owner === undefined) return take(m, lock, p);
  if (p.timedOut) {
    leaveSpin(lock, p);
    abandonWait(m, lock, p);
    return true;
  }
  failAttempt(lock, p);
  return false;
}

function turnPaid(m: Machine, rq: Rq, lock: Lock, p: Task): boolean {
  const turn = turnAt((lock.spec as SpinSpec).backoff, p.spinPauseStep);
  endTurn(lock, p);
  p.spinStage = SpinStage.attempt;
  switch (turn.action) {
    case 'none':
      return attempt(m, lock, p);
    case 'yield':
      if (!yieldMatters(rq, p)) return attempt(m, lock, p);
      p.offReason = WaitReason.yielded;
      classOf(p).yieldTask(m, rq);
      reschedCurr(m, rq);
      return false;
    case 'sleep':
      startTimer(m, p, m.nowNs + turn.sleepNs, m.nowNs + turn.sleepNs + slackOf(p));
      blockCurrent(m, rq, p, TaskState.sleeping, SegKind.sleep, StopReason.backoffSleep, lock.id, -1);
      return false;
    case 'park':
      if (lock.owner === undefined) return take(m, lock, p);
      p.debtNs += m.costs.syscallNs;
      enqueueWaiter(lock, p);
      blockCurrent(m, rq, p, TaskState.blocked, SegKind.blocked, StopReason.lockBlocked, lock.id, lock.owner.id);
      return false;
  }
}

function take(m: Machine, lock: Lock, p: Task): boolean {
  leaveSpin(lock, p);
  endSpinAcquired(m, lock, p);
  return true;
}

/** Forgets `p` as a spinner of `lock`. */
export function leaveSpin(lock: Lock, p: Task): void {
  lock.spinners.splice(lock.spinners.indexOf(p), 1);
  if (lock.quickSpinner === p) lock.quickSpinner = undefined;
}

/** The lock is free: those who spin on a CPU may see it at their next attempt. */
export function noticeSpinners(m: Machine, lock: Lock): void {
  for (const p of lock.spinners) if (p.onCpu) touch(m, m.rqs[p.cpu]!);
}
