// High-resolution timers of tasks: each may fire between a soft and a hard expiry (timer slack). The hardware is
// set for the hard one; any timer interrupt of that CPU that comes between fires it early. Fact 8.2.

import { arm, cancel } from '../base/indexed_heap.ts';
import { insertAt, removeAt, removeItem } from '../base/lists.ts';
import type { Ns } from '../base/units.ts';
import { chargeTimerInterrupt, touch } from './clock.ts';
import type { Machine } from './machine.ts';
import type { Rq } from './rq.ts';
import type { Task } from './task.ts';

/** Arms the timer of `p` on its present CPU. */
export function startTimer(m: Machine, p: Task, softNs: Ns, hardNs: Ns): void {
  stopTimer(m, p);
  const rq = m.rqs[p.cpu]!;
  touch(m, rq);
  p.timerSoftNs = softNs;
  p.timerHardNs = hardNs;
  p.timerCpu = rq.cpu;
  let at = rq.timers.length;
  while (at > 0 && rq.timers[at - 1]!.timerHardNs > hardNs) at--;
  insertAt(rq.timers, at, p);
  armFirst(m, rq);
}

/** Forgets the timer of `p`; nothing happens when there is none. */
export function stopTimer(m: Machine, p: Task): void {
  if (p.timerCpu < 0) return;
  const rq = m.rqs[p.timerCpu]!;
  touch(m, rq);
  removeItem(rq.timers, p);
  p.timerCpu = -1;
  armFirst(m, rq);
}

function armFirst(m: Machine, rq: Rq): void {
  const first = rq.timers[0];
  if (first === undefined) cancel(m.heap, rq.timerSlot);
  else arm(m.heap, rq.timerSlot, Math.max(m.nowNs, first.timerHardNs));
}

/**
 * A timer interrupt on `rq`: fires, in order of hard expiry, every timer whose soft expiry has passed, up to the
 * first whose has not. Source: hrtimer.c __hrtimer_run_queues (v6.12). Charges `timerInterrupt` for each that fires.
 */
export function expireTimers(m: Machine, rq: Rq, fire: (m: Machine, p: Task, cpu: number) => void): void {
  for (;;) {
    const p = rq.timers[0];
    if (p === undefined || p.timerSoftNs > m.nowNs) break;
    touch(m, rq);
    removeAt(rq.timers, 0);
    p.timerCpu = -1;
    chargeTimerInterrupt(m, rq);
    fire(m, p, rq.cpu);
  }
  armFirst(m, rq);
}
