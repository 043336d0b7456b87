// A spinner's loop in closed form: between two instants at which the lock's word or its CPU's queue may change,
// its turns are one division. Exact: the same turns as if each were an event.

import type { Ns } from '../../base/units.ts';
import type { LockSpec } from '../../scenario/scenario.ts';
import type { Machine } from '../machine.ts';
import { SpinStage, type Task } from '../task.ts';
import { turnAt } from './backoff.ts';
import type { Lock } from './lock_state.ts';

type SpinSpec = Extract<LockSpec, { kind: 'spin' }>;

function specOf(lock: Lock): SpinSpec {
  return lock.spec as SpinSpec;
}

/** The loop begins: its first attempt fails at this instant. */
export function enterLoop(lock: Lock, p: Task): void {
  if (lock.quickSpinner === p) lock.quickSpinner = undefined;
  p.spinPauseStep = 0;
  failAttempt(lock, p);
}

/** An attempt of the loop failed: its turn begins. */
export function failAttempt(lock: Lock, p: Task): void {
  p.spinIterations++;
  p.spinStage = SpinStage.turn;
  p.spinCostNs = turnAt(specOf(lock).backoff, p.spinPauseStep).costNs;
  p.spinPaidNs = 0;
}

/** A turn is paid. */
export function endTurn(lock: Lock, p: Task): void {
  if (turnAt(specOf(lock).backoff, p.spinPauseStep).isPause) p.spinPauseStep++;
}

/**
 * Accounts `progress` ns of own CPU time of a spinner. Boundaries inside are crossed as failed attempts: whoever
 * could make one of them matter has armed it as an event. One exactly at the end is left due.
 */
export function advanceSpin(m: Machine, p: Task, progress: Ns): void {
  const lock = m.locks[p.waitsFor]!;
  let left = progress;
  while (left > 0) {
    const room = p.spinCostNs - p.spinPaidNs;
    if (left <= room) {
      p.spinPaidNs += left;
      return;
    }
    left -= room;
    left -= crossBoundaries(lock, p, left);
  }
}

/** Crosses the boundary that is due, and all further ones of the same cost that `left` ns can pay; returns the ns used for the latter. */
function crossBoundaries(lock: Lock, p: Task, left: Ns): Ns {
  if (p.spinStage === SpinStage.quick) {
    const more = Math.min(p.spinTriesLeft - 1, Math.ceil(left / p.spinCostNs) - 1);
    p.spinTriesLeft -= 1 + Math.max(0, more);
    p.spinPaidNs = 0;
    if (p.spinTriesLeft === 0) enterLoop(lock, p);
    return Math.max(0, more) * (p.spinTriesLeft === 0 ? quickCost(lock) : p.spinCostNs);
  }
  endTurn(lock, p);
  failAttempt(lock, p);
  if (turnAt(specOf(lock).backoff, p.spinPauseStep).isPause) return 0;
  const more = Math.max(0, Math.ceil(left / p.spinCostNs) - 1);
  p.spinIterations += more;
  return more * p.spinCostNs;
}

function quickCost(lock: Lock): Ns {
  return specOf(lock).tryNs;
}

/**
 * Own CPU time until the next boundary that can change something: an attempt on a free lock (`matters`), a turn that
 * ends in a sleep, or one that ends in a yield that has somebody to yield to. Infinity: none will come by itself.
 */
export function nsToNextBoundary(lock: Lock, p: Task, matters: boolean, yieldMatters: boolean): Ns {
  if (p.spinStage === SpinStage.attempt) return 0;
  let ns = p.spinCostNs - p.spinPaidNs;
  if (matters) return ns;
  let pauses = p.spinPauseStep;
  let turn = turnAt(specOf(lock).backoff, pauses);
  if (p.spinStage === SpinStage.quick) {
    ns += (p.spinTriesLeft - 1) * p.spinCostNs;
    pauses = 0;
    turn = turnAt(specOf(lock).backoff, pauses);
    ns += turn.costNs;
  }
  for (;;) {
    if (turn.action === 'sleep' || turn.action === 'park') return ns;
    if (turn.action === 'yield' && yieldMatters) return ns;
    if (!turn.isPause) return Number.POSITIVE_INFINITY;
    pauses++;
    turn = turnAt(specOf(lock).backoff, pauses);
    ns += turn.costNs;
  }
}
