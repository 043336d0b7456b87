// When sched_yield has somebody to yield to. Facts 2.9, 3.11, 4.2, 8.1.

import type { Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';
import { aloneInList } from './rt.ts';

/** True when a yield of the running `p` can change who runs or any queue's state. Deadline: always, the rest of its budget is gone. Real-time: another task of the same priority; fair: any other task of the CPU. */
export function yieldMatters(rq: Rq, p: Task): boolean {
  if (p.classId === ClassId.dl) return true;
  if (p.classId === ClassId.rt) return !aloneInList(rq, p);
  return rq.cfs.hNrQueued + rq.rt.queue.length + rq.dl.queue.length > 1;
}
