// Which CPU a deadline task would win. Source: cpudeadline.c cpudl_find, deadline.c find_later_rq (v6.12). Fact 5.6.
// Lowest number first (fact 0.1).

import type { Machine } from '../machine.ts';
import type { Task } from '../task.ts';

/**
 * A CPU without deadline tasks: its own before others; else the one whose earliest deadline is the latest, if that of
 * `p` is earlier still. -1: none.
 */
export function findLaterRq(m: Machine, p: Task): number {
  let free = -1;
  let latest = -1;
  let latestNs = p.dl.deadlineNs;
  for (const rq of m.rqs) {
    if (p.allowed[rq.cpu] !== 1) continue;
    const first = rq.dl.queue[0];
    if (first === undefined) {
      if (free < 0 || rq.cpu === p.cpu) free = rq.cpu;
    } else if (first.dl.deadlineNs > latestNs) {
      latest = rq.cpu;
      latestNs = first.dl.deadlineNs;
    }
  }
  return free >= 0 ? free : latest;
}
