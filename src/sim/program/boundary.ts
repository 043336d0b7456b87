// When the current task of a CPU next needs attention.

import { arm, cancel } from '../../base/indexed_heap.ts';
import { onOwnerMatters } from '../locking/on_owner.ts';
import { nsToNextTry } from '../locking/pauses.ts';
import { nsToNextBoundary } from '../locking/spin_progress.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { nextClockReadNs } from '../sched/clock_reads.ts';
import { yieldMatters } from '../sched/yield.ts';
import { RunMode, type Task } from '../task.ts';

/** Arms the next boundary of the current task; none while a switch is pending or nothing can happen by itself. */
export function armRun(m: Machine, rq: Rq): void {
  const p = rq.curr;
  const dueNs = p === undefined || rq.needResched ? Number.POSITIVE_INFINITY : boundaryNs(m, rq, p);
  if (dueNs === Number.POSITIVE_INFINITY) cancel(m.heap, rq.runSlot);
  else arm(m.heap, rq.runSlot, dueNs);
}

function boundaryNs(m: Machine, rq: Rq, p: Task): number {
  switch (p.mode) {
    case RunMode.work:
      return Math.min(m.nowNs + p.debtNs + p.workLeftNs, nextClockReadNs(m, p));
    case RunMode.forever:
      return nextClockReadNs(m, p);
    case RunMode.until:
      return Math.max(m.nowNs, p.untilNs);
    case RunMode.spin: {
      const lock = m.locks[p.waitsFor]!;
      const attemptMatters = lock.owner === undefined || p.timedOut;
      return m.nowNs + p.debtNs + nsToNextBoundary(lock, p, attemptMatters, yieldMatters(rq, p));
    }
    case RunMode.pause: {
      const lock = m.locks[p.waitsFor]!;
      return m.nowNs + p.debtNs + nsToNextTry(p, lock.owner === undefined || p.timedOut);
    }
    case RunMode.onOwner:
      return onOwnerMatters(m, rq, p) ? m.nowNs + p.debtNs : Number.POSITIVE_INFINITY;
    default:
      return m.nowNs + p.debtNs;
  }
}
