// The current task stops running of its own doing.

import type { Machine } from '../machine.ts';
import { recordTaskState, type SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import type { Task, TaskState } from '../task.ts';
import { deactivateTask } from './core.ts';
import { reschedCurr } from './resched.ts';

/** Puts the running `p` to sleep: state, segment and reason; the switch follows at the end of the event. */
export function blockCurrent(
  m: Machine,
  rq: Rq,
  p: Task,
  state: TaskState,
  kind: SegKind,
  reason: number,
  arg: number,
  arg2: number,
): void {
  recordTaskState(m, p, kind, reason, arg, arg2);
  p.state = state;
  deactivateTask(m, rq, p);
  reschedCurr(m, rq);
}
