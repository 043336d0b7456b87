// The replenishment timer of a throttled deadline task. Source: deadline.c dl_task_timer (v6.12). Fact 5.2.

import { WaitReason } from '../../trace/reasons.ts';
import { chargeTimerInterrupt, touch } from '../clock.ts';
import { isDlBoosted } from '../dl_entity.ts';
import type { Machine } from '../machine.ts';
import { recordTaskState, SegKind } from '../recorder.ts';
import { ClassId, type Task } from '../task.ts';
import { noteWaiting } from '../verdicts/tracker.ts';
import { chargeDl } from './dl_budget.ts';
import { replenish } from './dl_cbs.ts';
import { pushDlTasks } from './dl_migrate.ts';
import { insertDl, isEarlier } from './dl_queue.ts';
import { reschedCurr } from './resched.ts';

/** The replenishment timer of `p`: back to its queue, unless it sleeps. */
export function onDlTimer(m: Machine, p: Task): void {
  if (p.classId !== ClassId.dl || isDlBoosted(p.dl) || !p.dl.throttled) return;
  const rq = m.rqs[p.cpu]!;
  touch(m, rq);
  chargeTimerInterrupt(m, rq);
  if (!p.onRq) {
    replenish(p.dl, m.nowNs);
    return;
  }
  if (rq.curr === p) chargeDl(m, rq, p, m.nowNs);
  replenish(p.dl, m.nowNs);
  insertDl(m, rq, p);
  if (rq.curr !== p) {
    recordTaskState(m, p, SegKind.runnable, WaitReason.replenished, -1, -1);
    noteWaiting(m, p);
  }
  const curr = rq.curr;
  if (curr === undefined || curr.classId !== ClassId.dl || isEarlier(p, curr)) reschedCurr(m, rq);
  if (curr !== p && !rq.needResched) pushDlTasks(m, rq);
}
