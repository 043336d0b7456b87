// The sorted queue of a cfs_rq: the kernel's red-black tree as an array. By vruntime (CFS) or virtual deadline
// (EEVDF); equal keys in order of queueing, as rb insertion to the right gives. Current is never in it.

import { assert } from '../../base/assert.ts';
import type { CfsRq, SchedEntity } from '../entity.ts';
import type { Machine } from '../machine.ts';

/** Index behind all entities with a smaller key (`after` false), or with a smaller or equal one (`after` true). */
function placeOf(queue: readonly SchedEntity[], isEevdf: boolean, key: number, after: boolean): number {
  let lo = 0;
  let hi = queue.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    const at = isEevdf ? queue[mid]!.deadline : queue[mid]!.vruntime;
    if (at < key || (after && at === key)) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** Puts `se` behind all with an equal or smaller key. O(log n) search, O(n) move of references. */
export function insertEntity(m: Machine, cfs: CfsRq, se: SchedEntity): void {
  const { isEevdf } = m.rules;
  const queue = cfs.queue;
  const at = placeOf(queue, isEevdf, isEevdf ? se.deadline : se.vruntime, true);
  queue.push(se);
  for (let i = queue.length - 1; i > at; i--) queue[i] = queue[i - 1]!;
  queue[at] = se;
  se.queueSeq = m.queueSeq++;
  if (isEevdf) {
    cfs.avgLoad += se.weight;
    cfs.avgVruntime += (se.vruntime - cfs.minVruntime) * se.weight;
  }
}

/** Takes `se` out; it must be in the queue. Its key may have been made relative since; then the search is O(n). */
export function removeEntity(m: Machine, cfs: CfsRq, se: SchedEntity): void {
  const { isEevdf } = m.rules;
  const queue = cfs.queue;
  let at = placeOf(queue, isEevdf, isEevdf ? se.deadline : se.vruntime, false);
  while (at < queue.length && queue[at] !== se) at++;
  // A deadline minus a vruntime below zero is a larger key than the one that it stands under.
  if (at === queue.length) at = queue.indexOf(se);
  assert(at >= 0, 'an entity that leaves is in its queue');
  for (let i = at + 1; i < queue.length; i++) queue[i - 1] = queue[i]!;
  queue.pop();
  if (isEevdf) {
    cfs.avgLoad -= se.weight;
    cfs.avgVruntime -= (se.vruntime - cfs.minVruntime) * se.weight;
  }
}

/** Moves the reference point of the weighted average. Source: fair.c avg_vruntime_update (v6.12). */
function setMinVruntime(m: Machine, cfs: CfsRq, vruntime: number): void {
  if (m.rules.isEevdf) cfs.avgVruntime -= cfs.avgLoad * (vruntime - cfs.minVruntime);
  cfs.minVruntime = vruntime;
}

/**
 * min_vruntime follows the smallest vruntime of queue and current, and never goes back. Under EEVDF it is the
 * reference point of V, and V itself where the queue is empty; between two changes of the queue it only grows, so
 * that looking at it there is as good as at every update. O(1) for CFS, O(n) for EEVDF.
 * Source: fair.c update_min_vruntime (v6.1, v6.12).
 */
export function updateMinVruntime(m: Machine, cfs: CfsRq): void {
  const curr = cfs.curr;
  let vruntime = curr?.onRq === true ? curr.vruntime : Number.POSITIVE_INFINITY;
  const queue = cfs.queue;
  if (m.rules.isEevdf) {
    for (let i = 0; i < queue.length; i++) if (queue[i]!.vruntime < vruntime) vruntime = queue[i]!.vruntime;
  } else if (queue.length > 0 && queue[0]!.vruntime < vruntime) vruntime = queue[0]!.vruntime;
  if (vruntime !== Number.POSITIVE_INFINITY && vruntime > cfs.minVruntime) setMinVruntime(m, cfs, vruntime);
}
