// Moving a runnable task that is not running to another CPU.

import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { recordMigrate } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import { QueueFlag, type SchedClass } from './class.ts';
import { moveLoad } from './load.ts';

/** Dequeues `p` here and queues it on `target`; its place relative to the queue is kept. `p` must be queued, not current, and of class `cls`. */
export function moveQueuedTask(m: Machine, cls: SchedClass, p: Task, target: Rq, reason: number): void {
  const source = m.rqs[p.cpu]!;
  touch(m, source);
  touch(m, target);
  cls.dequeueTask(m, source, p, QueueFlag.save);
  moveLoad(m, p, source, target);
  recordMigrate(m, p, source.cpu, target.cpu, reason);
  p.cpu = target.cpu;
  p.onRq = true;
  cls.enqueueTask(m, target, p, QueueFlag.save);
}
