// hrtick: a timer at the exact end of the running task's request, where somebody else waits.
// Source: fair.c hrtick_start_fair, core.c hrtick_start (v7.2). Fact 3.12.

import { arm, cancel } from '../../base/indexed_heap.ts';
import { usToNs } from '../../base/units.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { ClassId } from '../task.ts';

const SHORTEST_NS = usToNs(10);

/** Arms the timer anew, or stops it where nobody waits. */
export function armHrtick(m: Machine, rq: Rq): void {
  if (m.rules.features['HRTICK'] !== true || !m.rules.isEevdf) return;
  const curr = rq.curr?.classId === ClassId.fair && rq.cfs.curr !== undefined ? rq.curr.se : undefined;
  if (curr === undefined || !curr.onRq || rq.cfs.hNrQueued < 2) {
    cancel(m.heap, rq.hrtickSlot);
    return;
  }
  const virtualLeft = Math.max(0, curr.deadline - curr.vruntime);
  const realLeft = Math.ceil((virtualLeft * curr.weight) / 1024);
  arm(m.heap, rq.hrtickSlot, curr.execStartNs + Math.max(realLeft, SHORTEST_NS));
}

/** The running task is put off. */
export function cancelHrtick(m: Machine, rq: Rq): void {
  cancel(m.heap, rq.hrtickSlot);
}

/** Ticks in between cut the rounding of vruntime in pieces: the end of the request can be a few ns off. The kernel's handler is later than that anyway. */
export function rearmShortHrtick(m: Machine, rq: Rq): void {
  const curr = rq.curr?.se;
  if (curr === undefined || rq.needResched || rq.cfs.hNrQueued < 2 || curr.vruntime >= curr.deadline) return;
  const leftNs = Math.ceil(((curr.deadline - curr.vruntime) * curr.weight) / 1024);
  arm(m.heap, rq.hrtickSlot, m.nowNs + Math.max(1, leftNs));
}
