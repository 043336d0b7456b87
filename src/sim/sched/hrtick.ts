// hrtick: a timer at the exact end of the running task's request, where somebody else waits.
// Source: fair.c hrtick_start_fair, core.c hrtick_start (v7.2). Fact 3.12.

import { arm, cancel } from '../../base/indexed_heap.ts';
import { type Ns, usToNs } from '../../base/units.ts';
import type { SchedEntity } from '../entity.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { ClassId } from '../task.ts';
import { schedSlice } from './fair_cfs.ts';
import { reschedCurr } from './resched.ts';

const SHORTEST_NS = usToNs(10);

/** Arms the timer anew, or stops it where nobody waits. */
export function armHrtick(m: Machine, rq: Rq): void {
  if (m.rules.features['HRTICK'] !== true) return;
  const curr = rq.curr?.classId === ClassId.fair && rq.cfs.curr !== undefined ? rq.curr.se : undefined;
  if (curr === undefined || !curr.onRq || rq.cfs.hNrQueued < 2) {
    cancel(m.heap, rq.hrtickSlot);
    return;
  }
  arm(m.heap, rq.hrtickSlot, curr.execStartNs + Math.max(leftNs(m, curr), SHORTEST_NS));
}

/** 7.x: until the request is used up; before: what is left of the slice since the pick (v6.1, v6.12). */
function leftNs(m: Machine, curr: SchedEntity): Ns {
  if (m.rules.flavour.protection === 'vprot') {
    return Math.ceil((Math.max(0, curr.deadline - curr.vruntime) * curr.weight) / 1024);
  }
  const slice = m.rules.isEevdf ? curr.sliceNs : schedSlice(m, curr.cfsRq!, curr);
  return slice - (curr.sumExecNs - curr.prevSumExecNs);
}

/** The timer fired: before 7.x that ends the stint whatever the accounts say. Source: entity_tick(queued = 1). */
export function hrtickFired(m: Machine, rq: Rq): void {
  if (m.rules.flavour.protection === 'vprot') rearmShortHrtick(m, rq);
  else if (rq.cfs.hNrQueued > 1) reschedCurr(m, rq);
}

/** The running task is put off. */
export function cancelHrtick(m: Machine, rq: Rq): void {
  cancel(m.heap, rq.hrtickSlot);
}

/** Ticks in between cut the rounding of vruntime in pieces: the end of the request can be a few ns off. The kernel's handler is later than that anyway. */
function rearmShortHrtick(m: Machine, rq: Rq): void {
  const curr = rq.curr?.se;
  if (curr === undefined || rq.needResched || rq.cfs.hNrQueued < 2 || curr.vruntime >= curr.deadline) return;
  const restNs = Math.ceil(((curr.deadline - curr.vruntime) * curr.weight) / 1024);
  arm(m.heap, rq.hrtickSlot, m.nowNs + Math.max(1, restNs));
}
