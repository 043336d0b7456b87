// RT push and pull: the M strongest RT tasks run on M CPUs, as far as affinity lets them.
// Source: rt.c push_rt_task, pull_rt_task (v6.12). Fact 4.8.

import { MigrateReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { ClassId, type Task, TaskState } from '../task.ts';
import { moveQueuedTask } from './migrate.ts';
import { reschedCurr } from './resched.ts';
import { rtClass } from './rt.ts';
import { findLowestRq } from './rt_lowest.ts';

/** The strongest queued RT task of `rq` that is not running and may run on `cpu` (any other CPU when cpu < 0). */
function strongestPushable(rq: Rq, cpu: number): Task | undefined {
  if (rq.rt.throttled) return undefined;
  for (const p of rq.rt.queue) {
    if (p.onCpu || p === rq.curr || p.state !== TaskState.running) continue;
    if (cpu >= 0 ? p.allowed[cpu] === 1 : p.allowedCount > 1) return p;
  }
  return undefined;
}

/** Pushes waiting RT tasks of `rq` to CPUs that run something weaker. Called after a switch or a wake-up. */
export function pushRtTasks(m: Machine, rq: Rq): void {
  const { queue } = rq.rt;
  if (queue.length === 0 || (queue.length === 1 && queue[0] === rq.curr)) return;
  for (;;) {
    const p = strongestPushable(rq, -1);
    if (p === undefined) return;
    // A stronger waiting task than the running one is about to preempt it here.
    if (rq.curr !== undefined && p.prio < rq.curr.prio) {
      reschedCurr(m, rq);
      return;
    }
    const cpu = findLowestRq(m, p);
    if (cpu < 0 || cpu === rq.cpu) return;
    const target = m.rqs[cpu]!;
    moveQueuedTask(m, rtClass, p, target, MigrateReason.rtPush);
    reschedCurr(m, target);
  }
}

/** Before `rq` runs something weaker than before: takes the strongest waiting RT task of another CPU that beats all here. */
export function pullRtTask(m: Machine, rq: Rq): void {
  const { rtPullsSingle } = m.rules.flavour;
  if (m.rtOverloaded === 0 && (m.dlQueued === 0 || !rtPullsSingle)) return;
  for (const source of m.rqs) {
    if (source === rq || source.rt.queue.length < (rtPullsSingle && source.curr?.classId === ClassId.dl ? 1 : 2))
      continue;
    const p = strongestPushable(source, rq.cpu);
    if (p === undefined) continue;
    const here = rq.rt.queue[0];
    if (here !== undefined && here.prio <= p.prio) continue;
    // It is about to preempt over there.
    if (source.curr !== undefined && p.prio < source.curr.prio && source.curr.classId === ClassId.rt) continue;
    touch(m, source);
    moveQueuedTask(m, rtClass, p, rq, MigrateReason.rtPull);
  }
}
