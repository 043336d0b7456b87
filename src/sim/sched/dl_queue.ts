// The deadline queue of a CPU: by absolute deadline, equal ones first-come.

import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import type { Task } from '../task.ts';

/** Strictly earlier: the one that preempts. Source: deadline.c dl_entity_preempt. */
export function isEarlier(a: Task, b: Task): boolean {
  return a.dl.deadlineNs < b.dl.deadlineNs;
}

/** Queues `p` behind all whose deadline is not later. */
export function insertDl(m: Machine, rq: Rq, p: Task): void {
  const queue = rq.dl.queue;
  p.dl.seq = m.queueSeq++;
  let at = queue.length;
  while (at > 0 && isEarlier(p, queue[at - 1]!)) at--;
  queue.splice(at, 0, p);
  m.dlQueued++;
}

/** Takes `p` off; nothing happens when it is throttled and so not queued. */
export function removeDl(m: Machine, rq: Rq, p: Task): void {
  const at = rq.dl.queue.indexOf(p);
  if (at < 0) return;
  rq.dl.queue.splice(at, 1);
  m.dlQueued--;
}
