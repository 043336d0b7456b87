// The sorted queue of a cfs_rq: the kernel's red-black tree as an array. By vruntime (CFS) or virtual deadline
// (EEVDF); equal keys in order of queueing, as rb insertion to the right gives. Current is never in it.

import type { Machine } from '../machine.ts';
import type { CfsRq } from '../rq.ts';
import type { Task } from '../task.ts';

function keyOf(m: Machine, p: Task): number {
  return m.rules.isEevdf ? p.deadline : p.vruntime;
}

/** Puts `p` behind all with an equal or smaller key. O(log n) search, O(n) move of references. */
export function insertEntity(m: Machine, cfs: CfsRq, p: Task): void {
  const key = keyOf(m, p);
  let lo = 0;
  let hi = cfs.queue.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (keyOf(m, cfs.queue[mid]!) <= key) lo = mid + 1;
    else hi = mid;
  }
  cfs.queue.splice(lo, 0, p);
  p.queueSeq = m.queueSeq++;
  if (m.rules.isEevdf) {
    cfs.avgLoad += p.weight;
    cfs.avgVruntime += (p.vruntime - cfs.minVruntime) * p.weight;
  }
}

/** Takes `p` out; it must be in the queue. */
export function removeEntity(m: Machine, cfs: CfsRq, p: Task): void {
  cfs.queue.splice(cfs.queue.indexOf(p), 1);
  if (m.rules.isEevdf) {
    cfs.avgLoad -= p.weight;
    cfs.avgVruntime -= (p.vruntime - cfs.minVruntime) * p.weight;
  }
}

/** Moves the reference point of the weighted average. Source: fair.c avg_vruntime_update (v6.12). */
export function setMinVruntime(m: Machine, cfs: CfsRq, vruntime: number): void {
  if (m.rules.isEevdf) cfs.avgVruntime -= cfs.avgLoad * (vruntime - cfs.minVruntime);
  cfs.minVruntime = vruntime;
}

/**
 * min_vruntime follows the smallest vruntime of queue and current, and never goes back.
 * Source: fair.c update_min_vruntime (v6.1, v6.12).
 */
export function updateMinVruntime(m: Machine, cfs: CfsRq): void {
  const curr = cfs.curr?.onRq ? cfs.curr : undefined;
  let vruntime = curr?.vruntime;
  if (m.rules.isEevdf) {
    for (const p of cfs.queue) if (vruntime === undefined || p.vruntime < vruntime) vruntime = p.vruntime;
  } else {
    const leftmost = cfs.queue[0];
    if (leftmost !== undefined && (vruntime === undefined || leftmost.vruntime < vruntime))
      vruntime = leftmost.vruntime;
  }
  if (vruntime !== undefined && vruntime > cfs.minVruntime) setMinVruntime(m, cfs, vruntime);
}
