// Which CPU an RT task would win. Source: rt.c find_lowest_rq, cpupri (v6.12). Fact 4.7. Lowest number first (fact 0.1).

import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import type { Task } from '../task.ts';

/** Strength of what a CPU is running or about to run, as cpupri sees it (blind to throttling): idle 141, fair 140, RT its top prio, deadline -1. */
function cpuPrio(rq: Rq): number {
  if (rq.dl.queue.length > 0) return -1;
  const first = rq.rt.queue[0];
  if (first !== undefined) return first.prio;
  return rq.curr === undefined && rq.cfs.nrRunning === 0 ? 141 : 140;
}

/** The CPU with the weakest load that `p` may use and would win: previous CPU first among equals, else the lowest number. -1: none. */
export function findLowestRq(m: Machine, p: Task): number {
  let best = -1;
  let bestPrio = p.prio;
  for (const rq of m.rqs) {
    if (p.allowed[rq.cpu] !== 1) continue;
    const prio = cpuPrio(rq);
    if (prio > bestPrio || (prio === bestPrio && best >= 0 && rq.cpu === p.cpu)) {
      best = rq.cpu;
      bestPrio = prio;
    }
  }
  return best;
}
