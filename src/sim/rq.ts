// struct rq as plain data: the run queues and clocks of one CPU.

import type { Ns } from '../base/units.ts';
import type { SoftirqState } from './softirq.ts';
import type { Task } from './task.ts';

/** cfs_rq. `queue` is the red-black tree as a sorted array: by vruntime (CFS) or deadline (EEVDF), ties by time of queueing. Current is not in it. */
export interface CfsRq {
  queue: Task[];
  curr: Task | undefined;
  /** Queued fair tasks, current and delayed ones included. */
  nrRunning: number;
  /** Of those, delayed ones: blocked, but not yet dequeued. */
  nrDelayed: number;
  /** Sum of weights of all queued, current included. */
  loadWeight: number;
  minVruntime: number;
  /** EEVDF: sums over `queue` of w and w * (v - minVruntime). */
  avgLoad: number;
  avgVruntime: number;
  // CFS buddies.
  next: Task | undefined;
  last: Task | undefined;
  skip: Task | undefined;
}

/** rt_rq. `queue` holds the 100 lists one after another: by prio, then by place in the list; the running one included. */
export interface RtRq {
  queue: Task[];
  /** CPU time of RT tasks in the present period. */
  rtTimeNs: Ns;
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
}

export interface Rq {
  readonly cpu: number;
  curr: Task | undefined;
  needResched: boolean;
  cfs: CfsRq;
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
  /** Next instant at which this CPU may look for work as an idle or busy balancer. */
  nextBalanceNs: Ns;
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
