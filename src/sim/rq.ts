// struct rq as plain data: the run queues and clocks of one CPU.

import type { Ns } from '../base/units.ts';
import type { DlRq } from './dl_entity.ts';
import type { CfsRq } from './entity.ts';
import type { SoftirqState } from './softirq.ts';
import type { Task } from './task.ts';

/** rt_rq. `queue` holds the 100 lists one after another: by prio, then by place in the list; the running one included. */
export interface RtRq {
  queue: Task[];
  /** CPU time of RT tasks in the present period. */
  rtTimeNs: Ns;
  /** Budget borrowed from other CPUs (RT_RUNTIME_SHARE); negative: lent. */
  borrowedNs: Ns;
  throttled: boolean;
}

/** State of the fair server of a CPU: fact 4.6. */
export const ServerState = { stopped: 0, deferred: 1, running: 2, throttled: 3 } as const;
export type ServerState = (typeof ServerState)[keyof typeof ServerState];

export interface FairServerState {
  state: ServerState;
  /** Absolute deadline D and remaining budget q. */
  deadlineNs: Ns;
  budgetNs: Ns;
  /** Order of queueing among deadline tasks of the same deadline. */
  seq: number;
}

/** What a class says of its pick: PickReason, the strongest other candidate, and the two numbers that were compared. */
export interface PickReport {
  reason: number;
  runnerUp: Task | undefined;
  x: number;
  y: number;
}

export interface Rq {
  readonly cpu: number;
  curr: Task | undefined;
  needResched: boolean;
  /** The root queue of the fair class. */
  readonly cfs: CfsRq;
  /** Fair tasks queued on this CPU, in groups too, current, delayed and throttled ones included; the latest to run or to come first. Source: rq->cfs_tasks. */
  readonly fairTasks: Task[];
  /** Why the last pick fell as it did. */
  readonly pick: PickReport;
  readonly dl: DlRq;
  rt: RtRq;
  server: FairServerState;
  /** The current task was picked by the fair server. */
  serverRuns: boolean;

  /** Instant up to which the current task's progress, and all interrupts before it, are accounted. */
  settledNs: Ns;
  /** Instant of the last tick that was an event of its own; -1: none. */
  tickDoneNs: Ns;
  /** Stands in the machine's `touched`. */
  isTouched: boolean;
  /** End of the interrupt that the CPU is in; a switch waits for it. */
  irqEndNs: Ns;
  /** Interrupts that are counted in closed form; none where they are live. */
  irqLoads: readonly IrqLoad[];
  /** Every interrupt of this CPU is an event (interrupts.ts). */
  irqsAreLive: boolean;
  softirq: SoftirqState | undefined;
  /** Tasks with a timer here, sorted by hard expiry (ties: order of arming). */
  timers: Task[];
  /** Load averages for the balancer (balance.ts). */
  rtLoad: LoadAverage;
  fairLoad: LoadAverage;
  fairUtil: LoadAverage;
  /** When this CPU last looked for tasks to pull. */
  lastBalanceNs: Ns;
  /** The interval in units of its minimum, 1 or 2: a balanced CPU looks less often. */
  balanceFactor: number;
  /** Attempts in a row that found too little to move a whole task. */
  balanceFailed: number;

  // Slots of the event queue.
  readonly tickSlot: number;
  readonly timerSlot: number;
  readonly hrtickSlot: number;
  readonly serverSlot: number;
  readonly reschedSlot: number;
  readonly runSlot: number;
}

/** A source of interrupts: takes `cost` at each of first + k * period. */
export interface IrqLoad {
  readonly first: Ns;
  readonly period: Ns;
  readonly cost: Ns;
}

/** A geometric average as PELT keeps it, 0..1024, valid at `atNs`. */
export interface LoadAverage {
  value: number;
  atNs: Ns;
}

/** Fair tasks that want this CPU: queued, not held up by a quota and not just paying off their lag. */
export function nrRunnable(rq: Rq): number {
  return rq.cfs.hNrQueued - rq.cfs.hNrDelayed;
}
