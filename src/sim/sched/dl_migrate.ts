// Global EDF: deadline tasks that wait are pushed to CPUs with later deadlines, and pulled by CPUs that run out of
// earlier ones. Source: deadline.c push_dl_task, pull_dl_task (v6.12). Fact 5.6.

import { MigrateReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { recordMigrate } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { ClassId, type Task, TaskState } from '../task.ts';
import { findLaterRq } from './dl_later.ts';
import { insertDl, isEarlier, removeDl } from './dl_queue.ts';
import { reschedCurr } from './resched.ts';

/** The earliest queued deadline task of `rq` that is not running and may run on `cpu` (any other CPU when cpu < 0). */
function earliestPushable(rq: Rq, cpu: number): Task | undefined {
  for (const p of rq.dl.queue) {
    if (p.onCpu || p === rq.curr || p.state !== TaskState.running) continue;
    if (cpu >= 0 ? p.allowed[cpu] === 1 : p.allowedCount > 1) return p;
  }
  return undefined;
}

function runsDl(rq: Rq): boolean {
  return rq.curr !== undefined && rq.curr.classId === ClassId.dl;
}

/** Moves the waiting `p` as it is: its deadline and budget travel with it. */
function moveDl(m: Machine, p: Task, target: Rq, reason: number): void {
  const source = m.rqs[p.cpu]!;
  touch(m, source);
  touch(m, target);
  removeDl(m, source, p);
  recordMigrate(m, p, source.cpu, target.cpu, reason);
  p.cpu = target.cpu;
  insertDl(m, target, p);
}

/** Pushes waiting deadline tasks of `rq` to CPUs whose deadlines are later. Called after a switch, a wake-up or a replenishment. */
export function pushDlTasks(m: Machine, rq: Rq): void {
  if (m.rqs.length === 1) return;
  for (;;) {
    const p = earliestPushable(rq, -1);
    if (p === undefined) return;
    // It is about to preempt here, by a task that can go elsewhere.
    if (runsDl(rq) && isEarlier(p, rq.curr!) && rq.curr!.allowedCount > 1) {
      reschedCurr(m, rq);
      return;
    }
    const cpu = findLaterRq(m, p);
    if (cpu < 0 || cpu === rq.cpu) return;
    const target = m.rqs[cpu]!;
    moveDl(m, p, target, MigrateReason.dlPush);
    reschedCurr(m, target);
  }
}

/** `rq` has run out of its deadline task: takes waiting ones of other CPUs that are earlier than all that it has. */
export function pullDlTasks(m: Machine, rq: Rq): void {
  if (m.dlQueued === 0) return;
  for (const source of m.rqs) {
    if (source === rq || source.dl.queue.length < (runsDl(source) ? 2 : 1)) continue;
    const p = earliestPushable(source, rq.cpu);
    if (p === undefined) continue;
    const here = rq.dl.queue[0];
    if (here !== undefined && !isEarlier(p, here)) continue;
    // It is about to preempt over there.
    if (runsDl(source) ? isEarlier(p, source.curr!) : source.dl.queue[0] === p) continue;
    moveDl(m, p, rq, MigrateReason.dlPull);
  }
}
