// Sleep of a program's own wish.

import type { Ns } from '../../base/units.ts';
import type { Machine } from '../machine.ts';
import { SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { slackOf } from '../sched/attrs.ts';
import { blockCurrent } from '../sched/block.ts';
import { type Task, TaskState } from '../task.ts';
import { startTimer } from '../timers.ts';

/** A timer and a sleep; the timer fires between the end and the end plus the task's slack. Fact 8.2. */
export function sleepFor(m: Machine, rq: Rq, p: Task, ns: Ns, reason: number): void {
  p.debtNs += m.costs.syscallNs;
  startTimer(m, p, m.nowNs + ns, m.nowNs + ns + slackOf(p));
  blockCurrent(m, rq, p, TaskState.sleeping, SegKind.sleep, reason, -1, -1);
}
