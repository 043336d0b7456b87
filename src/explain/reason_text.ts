// One reason code with its operands in words. A clause: small first letter, no full stop, so that tooltips,
// chains and answers can build on it. Every code of trace/reasons.ts has one.

import { NONE } from '../trace/ids.ts';
import {
  DecisionRule,
  MigrateReason,
  PickReason,
  SpinReason,
  StopReason,
  WaitReason,
  WakeReason,
} from '../trace/reasons.ts';
import { lockPart, type NameTables, quotaText, threadPart } from './names.ts';
import { cpuPart, type Part, type Sentence, say } from './parts.ts';
import { policyText } from './prio_text.ts';

/** A reason and its operands, as a segment or a record carries them. */
export interface ReasonCode {
  readonly reason: number;
  readonly arg: number;
  readonly arg2: number;
}

/**
 * The clause for a reason; empty where the trace does not say (recorded traces) or the code is unknown.
 * `preempted by vqueue:src (FIFO 50)`, `picked: earliest eligible deadline, before main`.
 */
export function reasonClause(tables: NameTables, code: ReasonCode): Sentence {
  const clause = CLAUSES.get(code.reason);
  return clause === undefined ? [] : clause(tables, code);
}

type Clause = (tables: NameTables, code: ReasonCode) => Sentence;

const CLAUSES: ReadonlyMap<number, Clause> = new Map<number, Clause>([
  [PickReason.only, () => say`the only runnable thread here`],
  [PickReason.rtPrio, (t, c) => say`picked: strongest real-time priority${before(t, c.arg)}`],
  [PickReason.rtFirstInList, (t, c) => say`picked: first in line at its real-time priority${before(t, c.arg)}`],
  [PickReason.rtClass, (t, c) => say`picked: real-time threads go before normal ones${before(t, c.arg)}`],
  [PickReason.cfsLeftmost, (t, c) => say`picked: smallest vruntime${before(t, c.arg)}`],
  [PickReason.cfsNextBuddy, (t, c) => say`picked: it won the wake-up test${before(t, c.arg)}`],
  [PickReason.cfsSkipped, (t, c) => say`picked: ${someone(t, c.arg)} had smaller vruntime and called sched_yield`],
  [PickReason.eevdfDeadline, (t, c) => say`picked: earliest eligible deadline${before(t, c.arg)}`],
  [PickReason.eevdfProtected, (t, c) => say`goes on: protected until its request ends${before(t, c.arg)}`],
  [PickReason.eevdfShortSlice, (t, c) => say`picked: it woke with a shorter slice${before(t, c.arg)}`],
  [PickReason.fairServer, (t, c) => say`picked by the fair server, before any real-time thread${before(t, c.arg)}`],
  [PickReason.idle, () => say`nothing is runnable here`],
  [PickReason.idleThrottled, () => say`the real-time threads of this CPU are throttled, and no other is runnable here`],

  [PickReason.dlEarliest, (t, c) => say`picked: earliest absolute deadline${before(t, c.arg)}`],
  [PickReason.dlClass, (t, c) => say`picked: deadline threads go before all others${before(t, c.arg)}`],
  [PickReason.proxyOwner, (t, c) => say`runs in place of ${someone(t, c.arg)}, which waits for its lock`],

  [WaitReason.started, () => say`it starts`],
  [WaitReason.wokenByTimer, () => say`woken by its timer`],
  [WaitReason.wokenByTask, (t, c) => say`woken by ${someone(t, c.arg)}`],
  [WaitReason.wokenByUnlock, (t, c) => say`woken because ${someone(t, c.arg)} released the lock`],
  [WaitReason.wokenByInterrupt, () => say`woken by an interrupt`],
  [WaitReason.preemptedByClass, (t, c) => say`preempted by ${named(t, c.arg)}`],
  [WaitReason.preemptedByWakeup, (t, c) => say`preempted: ${someone(t, c.arg)} woke and won the wake-up test`],
  [WaitReason.sliceEnded, (t, c) => say`its slice ended${then(t, c.arg)}`],
  [WaitReason.rrQuantumEnded, (t, c) => say`its round-robin quantum ended${then(t, c.arg)}`],
  [WaitReason.yielded, (t, c) => say`it called sched_yield${then(t, c.arg)}`],
  [WaitReason.deboosted, (t, c) => say`its inherited priority ended${then(t, c.arg)}`],
  [WaitReason.priorityChanged, (t, c) => say`its priority or policy changed${then(t, c.arg)}`],
  [WaitReason.moved, (_, c) => (c.arg === NONE ? say`moved to another CPU` : say`moved here from ${cpuPart(c.arg)}`)],
  [WaitReason.unthrottled, () => say`the throttle of its CPU was lifted`],
  [WaitReason.preemptedByServer, (t, c) => say`the fair server took the CPU${then(t, c.arg, ' for ')}`],
  [WaitReason.serverEnded, (t, c) => say`the fair server's budget ended${then(t, c.arg)}`],
  [WaitReason.replenished, () => say`its deadline budget was filled up again`],
  [WaitReason.quotaRefilled, (t, c) => say`${quotaText(t, c.arg)} was filled up again`],
  [WaitReason.wokenBySignal, (t, c) => say`woken because ${someone(t, c.arg)} signalled the condition`],
  [WaitReason.wokenByPost, (t, c) => say`woken because ${someone(t, c.arg)} posted the semaphore`],
  [WaitReason.wokenByBarrier, (t, c) => say`woken because ${someone(t, c.arg)} came last to the barrier`],
  [WaitReason.movedByStopper, () => say`the kernel's stopper takes it to another CPU: it may no longer use this one`],
  [WaitReason.preemptedByDeadline, (t, c) => say`preempted: the deadline of ${someone(t, c.arg)} is earlier`],

  [StopReason.sleepStep, () => say`asleep by its own wish`],
  [StopReason.backoffSleep, (t, c) => say`asleep in the back-off of ${lockPart(t, c.arg)}`],
  [StopReason.notStarted, () => say`not started yet`],
  [StopReason.lockBlocked, (t, c) => say`waits for ${lockPart(t, c.arg)}${heldBy(t, c.arg2)}`],
  [StopReason.io, () => say`waits for a device`],
  [StopReason.ended, () => say`it has ended`],
  [StopReason.rtThrottled, () => say`real-time throttling: its CPU's budget of this period is used up`],
  [StopReason.sleepUntil, () => say`asleep until an instant that its program names`],
  [StopReason.period, () => say`asleep until its next release`],
  [StopReason.semWait, (t, c) => say`waits until ${lockPart(t, c.arg)} is posted`],
  [StopReason.condWait, (t, c) => say`waits until ${lockPart(t, c.arg)} is signalled`],
  [StopReason.barrierWait, (t, c) => say`waits at ${lockPart(t, c.arg)} for the others`],
  [StopReason.quotaSpent, (t, c) => say`throttled: ${quotaText(t, c.arg)} is used up for this period`],
  [StopReason.dlBudgetSpent, () => say`throttled: its deadline budget is used up until its next period`],
  [StopReason.dlYielded, () => say`it gave up the rest of its deadline budget (sched_yield)`],
  [StopReason.rttimeKilled, () => say`killed: it used real-time CPU beyond RLIMIT_RTTIME without sleeping`],
  [StopReason.softirqIdle, () => say`asleep until the kernel leaves it softirq work`],
  [StopReason.parkedDeadlock, (t, c) => say`parked for ever: the kernel found a deadlock at ${lockPart(t, c.arg)}`],

  [SpinReason.contended, (t, c) => say`spins on ${lockPart(t, c.arg)}${heldBy(t, c.arg2)}`],
  [SpinReason.acquired, (t, c) => say`got ${lockPart(t, c.arg)}`],
  [SpinReason.left, () => say`stopped waiting for the lock`],

  [MigrateReason.wakePlacement, () => say`placed at its wake-up`],
  [MigrateReason.rtPush, () => say`pushed: a stronger real-time thread has its CPU`],
  [MigrateReason.rtPull, () => say`pulled by a CPU that runs nothing as strong`],
  [MigrateReason.dlPush, () => say`pushed: an earlier deadline has its CPU`],
  [MigrateReason.dlPull, () => say`pulled by a CPU that runs nothing with as early a deadline`],
  [MigrateReason.newidleBalance, () => say`taken over by a CPU that fell idle`],
  [MigrateReason.nohzIdleBalance, () => say`moved by the balancer of an idle CPU`],
  [MigrateReason.periodicBalance, () => say`moved by the periodic balancer`],
  [MigrateReason.affinity, () => say`moved: it may no longer use that CPU`],

  [WakeReason.timer, () => say`its timer fired`],
  [WakeReason.unlock, (t, c) => say`${someone(t, c.arg2)} released it`],
  [WakeReason.handoff, (t, c) => say`handed over by ${someone(t, c.arg2)}`],
  [WakeReason.start, () => say`its start`],
  [WakeReason.fork, () => say`forked`],
  [WakeReason.interrupt, () => say`an interrupt`],
  [WakeReason.post, () => say`a semaphore was posted`],
  [WakeReason.signal, () => say`its condition was signalled`],
  [WakeReason.barrier, () => say`the last one came to the barrier`],
  [WakeReason.kindChanged, () => say`the kind of the lock changed`],

  [DecisionRule.cfsWakeup, (t, c) => say`wake-up test: is its vruntime far enough left of ${someone(t, c.arg)}`],
  [DecisionRule.eevdfWakeup, (t, c) => say`wake-up test: is its virtual deadline before that of ${someone(t, c.arg)}`],
  [DecisionRule.eevdfWakeupIneligible, () => say`wake-up test: it has had more than its share and is not eligible`],
  [
    DecisionRule.eevdfWakeupProtected,
    (t, c) => say`wake-up test: ${someone(t, c.arg)} is protected until its request ends`,
  ],
  [DecisionRule.rtWakeup, (t, c) => say`wake-up test: is its real-time priority above that of ${someone(t, c.arg)}`],
  [DecisionRule.dlWakeup, (t, c) => say`wake-up test: is its deadline before that of ${someone(t, c.arg)}`],
  [DecisionRule.classWakeup, (t, c) => say`wake-up test: is its class above that of ${someone(t, c.arg)}`],
  [DecisionRule.policyWakeup, (t, c) => say`wake-up test: its policy or that of ${someone(t, c.arg)} decides`],
  [DecisionRule.cfsTick, () => say`tick: has it run longer than its slice`],
  [DecisionRule.eevdfTick, () => say`tick: has its vruntime reached its virtual deadline`],
  [DecisionRule.rtThrottle, () => say`has the real-time time of this CPU passed its budget`],
  [DecisionRule.groupQuota, (t, c) => say`is any of ${quotaText(t, c.arg)} left`],
  [DecisionRule.dlBudget, () => say`is its deadline budget used up`],
]);

function someone(tables: NameTables, task: number): Part {
  return task === NONE ? { part: 'text', text: 'another thread' } : threadPart(tables, task);
}

/** A thread with its policy, for those that took a CPU: `vqueue:src (FIFO 50)`. */
function named(tables: NameTables, task: number): Sentence {
  const info = tables.tasks[task];
  if (info === undefined) return say`a stronger thread`;
  return say`${threadPart(tables, task)} (${policyText(info.policy, info.rtPrio, info.nice)})`;
}

function before(tables: NameTables, task: number): Sentence {
  return task === NONE ? [] : say`, before ${threadPart(tables, task)}`;
}

function then(tables: NameTables, task: number, join = '; next is '): Sentence {
  return task === NONE ? [] : say`${join}${threadPart(tables, task)}`;
}

function heldBy(tables: NameTables, task: number): Sentence {
  return task === NONE ? [] : say`, held by ${threadPart(tables, task)}`;
}
