// Codes that say why a state began. Every segment carries one, with operands; why it ended is the
// reason with which the next segment of its lane begins (segments of a lane touch).
// Texts for people are made from these in explain/, nowhere else.

/** Why a task was switched in. Operand c of schedSwitch: the strongest other candidate of its queue (NONE: there was none). */
export const PickReason = {
  none: 0,
  /** The only runnable task of this CPU. */
  only: 1,
  /** Strongest real-time priority on this CPU. */
  rtPrio: 2,
  /** First of several real-time tasks of the same priority. */
  rtFirstInList: 3,
  /** A real-time task beside fair ones: the class decides. */
  rtClass: 4,
  /** CFS: smallest vruntime. */
  cfsLeftmost: 5,
  /** CFS: the task that a wake-up preemption chose (next buddy). */
  cfsNextBuddy: 6,
  /** CFS: the leftmost asked to be skipped (sched_yield). */
  cfsSkipped: 7,
  /** EEVDF: earliest virtual deadline among the eligible. */
  eevdfDeadline: 8,
  /** EEVDF: protected until its request ends (RUN_TO_PARITY). */
  eevdfProtected: 9,
  /** Chosen by the fair server, at deadline rank, before any real-time task. */
  fairServer: 10,
  /** Nothing is runnable here. */
  idle: 11,
  /** EEVDF 7.x: a woken task with a shorter slice, chosen at its wake-up. */
  eevdfShortSlice: 13,
  /** Nothing may run: the real-time tasks of this CPU are throttled. */
  idleThrottled: 12,
  /** Deadline class: earliest absolute deadline on this CPU. */
  dlEarliest: 14,
  /** A deadline task beside weaker classes: the class decides. */
  dlClass: 15,
  /** Proxy execution: owner of a kernel mutex, run with the context of the task that waits for it. */
  proxyOwner: 16,
} as const;

/** Why a task became or stayed runnable without a CPU (start of a runnable segment). arg names the task that caused it. */
export const WaitReason = {
  none: 20,
  /** Its first start. */
  started: 21,
  wokenByTimer: 22,
  wokenByTask: 23,
  wokenByUnlock: 24,
  wokenByInterrupt: 25,
  /** A stronger class or priority took the CPU; arg = that task. */
  preemptedByClass: 26,
  /** A fair task won the wake-up test; arg = that task. */
  preemptedByWakeup: 27,
  /** Its slice or request had ended at a tick or slice timer; arg = the next task. */
  sliceEnded: 28,
  /** RR quantum used up. */
  rrQuantumEnded: 29,
  /** It called sched_yield; arg = the next task. */
  yielded: 30,
  /** Its inherited priority ended; arg = the next task. */
  deboosted: 31,
  /** It changed its own priority or policy. */
  priorityChanged: 32,
  /** Moved to another CPU while runnable (stays runnable); arg = the CPU it came from. */
  moved: 33,
  /** The real-time throttle of its CPU was lifted. */
  unthrottled: 34,
  /** The fair server took the CPU; arg = the next task. */
  preemptedByServer: 35,
  /** The fair server's budget ended; arg = the next task. */
  serverEnded: 36,
  /** Its deadline budget was filled up again. */
  replenished: 37,
  /** The quota of its group was refilled; arg = the group. */
  quotaRefilled: 38,
  /** A condition was signalled; arg = the signaller. */
  wokenBySignal: 39,
  /** A semaphore was posted; arg = the poster. */
  wokenByPost: 40,
  /** The last party reached the barrier; arg = that task. */
  wokenByBarrier: 41,
  /** The stopper takes it to another CPU (its affinity changed); arg = that CPU. */
  movedByStopper: 42,
  /** A deadline task with an earlier deadline took the CPU; arg = that task. */
  preemptedByDeadline: 43,
} as const;

/** Why a task left the CPU of its own doing or by the machine's rules (start of sleep, blocked, throttled segments). */
export const StopReason = {
  sleepStep: 50,
  /** Sleeping inside the back-off of a lock; arg = lock. */
  backoffSleep: 51,
  /** Not started yet (its first start is a timer). */
  notStarted: 52,
  /** Waits for a lock in the kernel; arg = lock, arg2 = holder at that instant. */
  lockBlocked: 53,
  io: 54,
  ended: 55,
  rtThrottled: 56,
  /** Waits until a given instant (sleepUntil). */
  sleepUntil: 57,
  /** Waits for its next release (period). */
  period: 58,
  /** Waits for a semaphore; arg = it. */
  semWait: 59,
  /** Waits for a condition; arg = it. */
  condWait: 60,
  /** Waits at a barrier; arg = it. */
  barrierWait: 61,
  /** The quota of its group is spent; arg = the group. */
  quotaSpent: 62,
  /** Its deadline budget is spent. */
  dlBudgetSpent: 63,
  /** sched_yield of a deadline task: the rest of its budget is given up. */
  dlYielded: 64,
  /** Killed by RLIMIT_RTTIME. */
  rttimeKilled: 65,
  /** The kernel answered EDEADLK; the C library parks the thread for ever; arg = lock. */
  parkedDeadlock: 66,
  /** ksoftirqd: no softirq work is left to it. */
  softirqIdle: 67,
} as const;

/** Why running turned into spinning or back (no switch). */
export const SpinReason = {
  /** Enters the slow path; arg = lock, arg2 = holder. */
  contended: 70,
  /** Got the lock; arg = lock. */
  acquired: 71,
  /** Gave up or changed the way it waits. */
  left: 72,
} as const;

/** Why a task moved between CPUs (reason of schedMigrateTask). */
export const MigrateReason = {
  wakePlacement: 80,
  rtPush: 81,
  rtPull: 82,
  newidleBalance: 83,
  nohzIdleBalance: 84,
  periodicBalance: 85,
  affinity: 86,
  dlPush: 87,
  dlPull: 88,
} as const;

/** What woke a task (reason of schedWaking). */
export const WakeReason = {
  timer: 90,
  unlock: 91,
  handoff: 92,
  start: 93,
  fork: 94,
  interrupt: 95,
  post: 96,
  kindChanged: 97,
  signal: 98,
  barrier: 99,
} as const;

/** Rules that a `decision` record names; its two operands are what the rule compared. Subject and opponent: task and a. */
export const DecisionRule = {
  /** CFS wake-up test: x = vdiff, y = granularity. b = 1: preempts. */
  cfsWakeup: 100,
  /** EEVDF wake-up test: x = deadline of the wakee, y = of the current task. b = 1: preempts. */
  eevdfWakeup: 101,
  /** EEVDF: the wakee is not eligible: x = its vruntime, y = V (rounded down). */
  eevdfWakeupIneligible: 102,
  /** EEVDF: the current task is protected: x = its vruntime, y = end of the protection. */
  eevdfWakeupProtected: 103,
  /** Real-time wake-up test: x = prio of the wakee, y = of the current task. */
  rtWakeup: 104,
  /** Deadline wake-up test: x = absolute deadline of the wakee, y = of the current task. */
  dlWakeup: 105,
  /** The classes decide: x and y = class ids (0 deadline, 1 real-time, 2 fair). */
  classWakeup: 106,
  /** SCHED_IDLE or SCHED_BATCH never preempt by waking, and SCHED_IDLE is always preempted: x and y = 1 for idle policy. */
  policyWakeup: 107,
  /** CFS tick: x = time since picked, y = slice. */
  cfsTick: 108,
  /** EEVDF: the request is used up: x = vruntime, y = deadline. */
  eevdfTick: 109,
  /** Real-time throttle: x = time used, y = budget. */
  rtThrottle: 110,
  /** Group quota: x = time left in the pool, y = time wanted. a = group. */
  groupQuota: 111,
  /** Deadline budget: x = budget left, y = 0. */
  dlBudget: 112,
} as const;
export type DecisionRule = (typeof DecisionRule)[keyof typeof DecisionRule];
