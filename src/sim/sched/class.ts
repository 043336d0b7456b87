// The class interface, by the kernel's own verbs, and the flags that travel with them.
// Classes are stateless: all state is in Machine, Rq and Task. Order of precedence: deadline, rt, fair, idle.

import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import type { Task } from '../task.ts';

/** Bits of enqueue and dequeue flags, as in kernel/sched/sched.h. */
export const QueueFlag = {
  /** Wake-up or sleep, in contrast to a move. */
  sleep: 1,
  /** The task keeps its place relative to the queue (attribute change, migration). */
  save: 2,
  /** Its position in its list may change. */
  move: 4,
  /** To the head of its list. */
  head: 8,
  /** First enqueue of a new task. */
  initial: 16,
  /** It woke on another CPU than it slept on. */
  migrated: 32,
  /** A delayed task is dequeued for good (DELAY_DEQUEUE). */
  delayed: 64,
  /** Never delayed: a group that is out of quota leaves. */
  special: 128,
  /** Deadline class: with a budget filled up. */
  replenish: 256,
} as const;

export interface SchedClass {
  readonly name: 'dl' | 'rt' | 'fair' | 'idle';
  enqueueTask(m: Machine, rq: Rq, p: Task, flags: number): void;
  /** False when the task stays queued although it blocked (delayed dequeue). */
  dequeueTask(m: Machine, rq: Rq, p: Task, flags: number): boolean;
  yieldTask(m: Machine, rq: Rq): void;
  /** A task of this class was queued on `rq`, whose current task is of this class too: preempt it? */
  wakeupPreempt(m: Machine, rq: Rq, p: Task): void;
  /** The task that would run next; `rq.pick` says why. */
  pickTask(m: Machine, rq: Rq): Task | undefined;
  /** `prev` ceases to be current; `next`, where given, follows it. */
  putPrevTask(m: Machine, rq: Rq, prev: Task, next: Task | undefined): void;
  setNextTask(m: Machine, rq: Rq, next: Task): void;
  selectTaskRq(m: Machine, p: Task, prevCpu: number, flags: number): number;
  taskTick(m: Machine, rq: Rq, p: Task): void;
  updateCurr(m: Machine, rq: Rq): void;
  prioChanged(m: Machine, rq: Rq, p: Task, oldPrio: number): void;
  switchedTo(m: Machine, rq: Rq, p: Task): void;
}
