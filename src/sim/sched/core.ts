// The core of the scheduler: waking, blocking, and the switch. Source: kernel/sched/core.c (v6.12).

import { arm, cancel, isPending } from '../../base/indexed_heap.ts';
import { DecisionRule, MigrateReason, PickReason, StopReason, WaitReason } from '../../trace/reasons.ts';
import { chargeInterrupt, holdInIrq, irqBusyUntilNs, touch } from '../clock.ts';
import { markPreemptedHolding } from '../locking/marks.ts';
import { leavesCpu } from '../locking/on_owner.ts';
import type { Machine } from '../machine.ts';
import {
  PrevState,
  recordDecision,
  recordMigrate,
  recordSwitch,
  recordTaskState,
  recordWakeup,
  recordWaking,
  SegKind,
} from '../recorder.ts';
import { nrRunnable, type Rq, ServerState } from '../rq.ts';
import { ClassId, type Task, TaskState } from '../task.ts';
import { noteSwitch, noteWaiting } from '../verdicts/tracker.ts';
import { newidleBalance, wantBalance } from './balance.ts';
import { QueueFlag } from './class.ts';
import { classOf } from './classes.ts';
import { dlClass } from './dl.ts';
import { dlStopReason } from './dl_budget.ts';
import { pullDlTasks, pushDlTasks } from './dl_migrate.ts';
import { fairClass } from './fair.ts';
import { cfsRqOf } from './fair_group.ts';
import { serverActive, serverIsEarliest } from './fair_server.ts';
import { throttledBy } from './fair_throttle.ts';
import { moveLoad, noteRtLoad, noteUse } from './load.ts';
import { reschedCurr } from './resched.ts';
import { rtClass } from './rt.ts';
import { pullRtTask, pushRtTasks } from './rt_migrate.ts';
import { markResting } from './select_cpu.ts';

/** Queues a task that may run. */
export function activateTask(m: Machine, rq: Rq, p: Task, flags: number): void {
  touch(m, rq);
  classOf(p).enqueueTask(m, rq, p, flags);
  p.onRq = true;
}

/** Takes a task that sleeps off its queue. A delayed one stays there for a while (EEVDF). */
export function deactivateTask(m: Machine, rq: Rq, p: Task): void {
  touch(m, rq);
  if (classOf(p).dequeueTask(m, rq, p, QueueFlag.sleep)) p.onRq = false;
}

/** A queued task may be stronger than what runs. Source: core.c wakeup_preempt. */
export function wakeupPreempt(m: Machine, rq: Rq, p: Task): void {
  const curr = rq.curr;
  if (curr === undefined) reschedCurr(m, rq);
  else if (p.classId === curr.classId) classOf(p).wakeupPreempt(m, rq, p);
  else {
    recordDecision(m, p, DecisionRule.classWakeup, curr, p.classId < curr.classId, p.classId, curr.classId);
    if (p.classId < curr.classId) reschedCurr(m, rq);
  }
}

/** Who or what wakes: the CPU on which the waking happens, the task that does it (undefined: an interrupt), why. */
export interface Waker {
  readonly cpu: number;
  readonly task: Task | undefined;
  readonly reason: number;
  readonly waitReason: number;
}

/** Wakes a sleeping task. Charges `wakeup` to the waker, or to whoever the interrupt hit. Source: core.c try_to_wake_up. Fact 8.3. */
export function tryToWakeUp(m: Machine, p: Task, waker: Waker): void {
  if (p.state !== TaskState.sleeping && p.state !== TaskState.blocked && p.state !== TaskState.uninterruptible) return;
  const wakerRq = m.rqs[waker.cpu]!;
  touch(m, wakerRq);
  recordWaking(m, p, waker.cpu, waker.task, waker.reason);
  chargeWakeup(m, wakerRq, waker.task);
  recordTaskState(m, p, SegKind.runnable, waker.waitReason, waker.task === undefined ? -1 : waker.task.id, -1);
  noteWaiting(m, p);
  if (p.se.schedDelayed) {
    // ttwu_runnable: it never left the queue.
    p.state = TaskState.running;
    const rq = m.rqs[p.cpu]!;
    touch(m, rq);
    fairClass.enqueueTask(m, rq, p, QueueFlag.sleep);
    recordWakeup(m, p, waker.task);
    if (rq.curr !== p) wakeupPreempt(m, rq, p);
    return;
  }
  const cpu = classOf(p).selectTaskRq(m, p, p.cpu, 0);
  placeWakee(m, p, cpu);
  if (cpu !== waker.cpu && m.costs.wakeupIpiNs > 0) {
    p.state = TaskState.waking;
    arm(m.heap, m.wakeSlots[p.id]!, m.nowNs + m.costs.wakeupIpiNs);
  } else arriveWakee(m, p, waker.task);
}

function chargeWakeup(m: Machine, rq: Rq, waker: Task | undefined): void {
  const cost = m.costs.wakeupNs;
  if (cost === 0) return;
  if (waker !== undefined) waker.debtNs += cost;
  else {
    holdInIrq(m, rq, cost);
    if (rq.curr !== undefined) rq.curr.debtNs += cost;
  }
}

function placeWakee(m: Machine, p: Task, cpu: number): void {
  if (cpu === p.cpu) return;
  // migrate_task_rq_fair: a sleeper's vruntime is made relative to the queue that it leaves.
  if (!m.rules.isEevdf && p.classId === ClassId.fair) p.se.vruntime -= cfsRqOf(m, p).minVruntime;
  moveLoad(m, p, m.rqs[p.cpu]!, m.rqs[cpu]!);
  recordMigrate(m, p, p.cpu, cpu, MigrateReason.wakePlacement);
  p.cpu = cpu;
  p.wokeMigrated = true;
}

/** A task on its way to a CPU that it may no longer use goes to another. */
export function redirectWakee(m: Machine, p: Task, cpu: number): void {
  if (!p.wokeMigrated) {
    placeWakee(m, p, cpu);
    return;
  }
  recordMigrate(m, p, p.cpu, cpu, MigrateReason.affinity);
  p.cpu = cpu;
}

/** The wake-up takes effect on the CPU chosen for it. */
export function arriveWakee(m: Machine, p: Task, waker: Task | undefined): void {
  const rq = m.rqs[p.cpu]!;
  p.state = TaskState.running;
  activateTask(m, rq, p, QueueFlag.sleep | (p.wokeMigrated ? QueueFlag.migrated : 0));
  p.wokeMigrated = false;
  recordWakeup(m, p, waker);
  wakeupPreempt(m, rq, p);
  afterWake(m, rq, p);
}

/** What follows the queueing of a task that woke: RT tasks that can't run here are pushed, fair ones may need the balancer. */
export function afterWake(m: Machine, rq: Rq, p: Task): void {
  if (p.classId <= ClassId.rt) {
    if (rq.curr === undefined || rq.needResched || rq.curr === p) return;
    if (p.classId === ClassId.dl) pushDlTasks(m, rq);
    else pushRtTasks(m, rq);
  } else if (rq.curr !== undefined) wantBalance(m);
}

/** Runs at the end of an event for a CPU with NEED_RESCHED: at once, or when its interrupt, or its way out of idle, is over. */
export function reschedule(m: Machine, rq: Rq): void {
  let atNs = irqBusyUntilNs(m, rq);
  if (rq.curr === undefined) {
    if (
      rq.dl.queue.length === 0 &&
      nrRunnable(rq) === 0 &&
      (rq.rt.queue.length === 0 || rq.rt.throttled) &&
      rq.cfs.nrRunning === 0
    ) {
      rq.needResched = false;
      return;
    }
    if (!isPending(m.heap, rq.reschedSlot)) atNs += m.costs.idleExitNs;
    else return;
  }
  if (atNs > m.nowNs) {
    if (!isPending(m.heap, rq.reschedSlot)) arm(m.heap, rq.reschedSlot, atNs);
  } else if (!isPending(m.heap, rq.reschedSlot)) schedule(m, rq);
}

/** The class walk. Source: core.c __pick_next_task; while the fair server is active it is one of the deadline class (fact 4.6). */
function pickNextTask(m: Machine, rq: Rq): Task | undefined {
  rq.serverRuns = false;
  if (serverActive(rq) && nrRunnable(rq) > 0 && serverIsEarliest(rq)) {
    const task = fairClass.pickTask(m, rq);
    if (task !== undefined) {
      rq.serverRuns = true;
      if (rq.rt.queue.length + rq.dl.queue.length > 0) rq.pick.reason = PickReason.fairServer;
      return task;
    }
  }
  return dlClass.pickTask(m, rq) ?? rtClass.pickTask(m, rq) ?? fairClass.pickTask(m, rq);
}

/** Picks the next task and switches to it. Source: core.c __schedule. */
export function schedule(m: Machine, rq: Rq): void {
  touch(m, rq);
  cancel(m.heap, rq.reschedSlot);
  const prev = rq.curr;
  if (prev !== undefined) classOf(prev).updateCurr(m, rq);
  rq.needResched = false;
  const evicted = prev !== undefined && prev.mustMoveTo >= 0 && prev.state === TaskState.running ? prev : undefined;
  // One that goes to sleep is placed when it wakes.
  if (prev !== undefined && evicted === undefined) prev.mustMoveTo = -1;
  if (evicted !== undefined) {
    classOf(evicted).dequeueTask(m, rq, evicted, QueueFlag.save);
    evicted.onRq = false;
  }
  pullBeforePick(m, rq, prev);
  let next = pickNextTask(m, rq);
  if (next === undefined && newidleBalance(m, rq)) next = pickNextTask(m, rq);
  rq.needResched = false;
  if (next === prev) return;
  contextSwitch(m, rq, prev, next);
  if (evicted !== undefined) {
    // The stopper's own switch; who follows waits for it.
    chargeInterrupt(m, rq, m.costs.contextSwitchNs);
    settleElsewhere(m, evicted);
  }
  if (rq.dl.queue.length > 0) pushDlTasks(m, rq);
  pushRtTasks(m, rq);
}

/** The stopper moves a task whose affinity no longer covers its CPU. Source: core.c migration_cpu_stop. Fact 9.6. */
function settleElsewhere(m: Machine, p: Task): void {
  const target = m.rqs[p.mustMoveTo]!;
  moveLoad(m, p, m.rqs[p.cpu]!, target);
  recordMigrate(m, p, p.cpu, target.cpu, MigrateReason.affinity);
  p.cpu = target.cpu;
  p.mustMoveTo = -1;
  activateTask(m, target, p, QueueFlag.save);
  wakeupPreempt(m, target, p);
}

/** A CPU whose next task is weaker than the last takes waiting deadline and RT tasks from others. Source: deadline.c balance_dl, rt.c balance_rt. */
function pullBeforePick(m: Machine, rq: Rq, prev: Task | undefined): void {
  if (m.rqs.length === 1) return;
  const leavesDl = prev !== undefined && prev.classId === ClassId.dl && rq.dl.queue[0] !== prev;
  if (leavesDl || (prev === undefined && rq.dl.queue.length === 0)) pullDlTasks(m, rq);
  if (rq.dl.queue.length > 0 || rq.rt.throttled) return;
  const top = rq.rt.queue[0];
  const dropped = prev === undefined || prev.classId <= ClassId.rt;
  if (dropped && (top === undefined || prev === undefined || top.prio > prev.prio || prev.state !== TaskState.running))
    pullRtTask(m, rq);
}

function contextSwitch(m: Machine, rq: Rq, prev: Task | undefined, next: Task | undefined): void {
  noteRtLoad(m, rq);
  noteUse(m, rq, next);
  if (prev !== undefined) {
    leavesCpu(m, prev);
    if (prev.state === TaskState.running) {
      recordPutOff(m, rq, prev, next);
      markPreemptedHolding(m, prev);
      noteWaiting(m, prev);
      wantBalance(m);
    }
    classOf(prev).putPrevTask(m, rq, prev, next);
    prev.onCpu = false;
    prev.lastRanCpu = rq.cpu;
  }
  if (next === undefined) {
    const throttled = rq.rt.throttled && rq.rt.queue.length > 0;
    recordSwitch(
      m,
      rq.cpu,
      prev,
      prevStateOf(rq, prev),
      next,
      throttled ? PickReason.idleThrottled : PickReason.idle,
      undefined,
      0,
      0,
    );
  } else {
    const { reason, runnerUp, x, y } = rq.pick;
    recordSwitch(m, rq.cpu, prev, prevStateOf(rq, prev), next, reason, runnerUp, x, y);
  }
  rq.curr = next;
  markResting(m, rq.cpu, next === undefined);
  if (next === undefined) {
    if (prev !== undefined && prev.classId <= ClassId.rt) wantBalance(m);
  } else {
    next.onCpu = true;
    next.cpu = rq.cpu;
    classOf(next).setNextTask(m, rq, next);
    next.debtNs += m.costs.contextSwitchNs;
    // The switch itself is not interrupted: what comes meanwhile waits for its end.
    holdInIrq(m, rq, m.costs.contextSwitchNs);
    if (next.lastRanCpu >= 0 && next.lastRanCpu !== rq.cpu) next.debtNs += m.costs.migrationNs;
    if (prev !== undefined && prev.classId <= ClassId.rt && next.classId === ClassId.fair) wantBalance(m);
  }
  noteSwitch(m, rq, prev, next);
}

/** Writes why a task that could go on was put off its CPU. */
function recordPutOff(m: Machine, rq: Rq, prev: Task, next: Task | undefined): void {
  if (prev.mustMoveTo >= 0) {
    prev.offReason = WaitReason.none;
    recordTaskState(m, prev, SegKind.runnable, WaitReason.movedByStopper, prev.mustMoveTo, -1);
    return;
  }
  const cfs = prev.classId === ClassId.fair ? prev.se.cfsRq : undefined;
  if (cfs !== undefined && cfs.throttleCount > 0) {
    prev.offReason = WaitReason.none;
    recordTaskState(m, prev, SegKind.throttled, StopReason.quotaSpent, throttledBy(m, cfs), -1);
  } else if (prev.classId === ClassId.dl && prev.dl.throttled) {
    prev.offReason = WaitReason.none;
    recordTaskState(m, prev, SegKind.throttled, dlStopReason(prev), -1, -1);
  } else recordTaskState(m, prev, offKind(rq, prev), whyOff(rq, prev, next), next === undefined ? -1 : next.id, -1);
}

function offKind(rq: Rq, prev: Task): (typeof SegKind)[keyof typeof SegKind] {
  return prev.classId === ClassId.rt && rq.rt.throttled ? SegKind.throttled : SegKind.runnable;
}

function isThrottled(rq: Rq, p: Task): boolean {
  return p.classId === ClassId.dl ? p.dl.throttled : p.classId === ClassId.rt && rq.rt.throttled;
}

function prevStateOf(rq: Rq, prev: Task | undefined): number {
  if (prev === undefined) return PrevState.runnable;
  switch (prev.state) {
    case TaskState.running:
      return isThrottled(rq, prev) ? PrevState.throttled : PrevState.runnable;
    case TaskState.blocked:
      return PrevState.blocked;
    case TaskState.uninterruptible:
      return PrevState.uninterruptible;
    case TaskState.dead:
      return PrevState.exiting;
    default:
      return PrevState.sleeping;
  }
}

/** Why a task that could go on was put off its CPU. `offReason` was left by the rule that asked for the switch, if one did. */
function whyOff(rq: Rq, prev: Task, next: Task | undefined): number {
  const asked = prev.offReason;
  prev.offReason = WaitReason.none;
  if (prev.classId === ClassId.rt && rq.rt.throttled) return StopReason.rtThrottled;
  if (rq.serverRuns && prev.classId <= ClassId.rt) return WaitReason.preemptedByServer;
  if (prev.classId === ClassId.dl && next !== undefined && next.classId === ClassId.dl)
    return WaitReason.preemptedByDeadline;
  if (next !== undefined && next.classId < prev.classId) {
    return rq.server.state === ServerState.throttled && asked === WaitReason.serverEnded
      ? asked
      : WaitReason.preemptedByClass;
  }
  if (asked !== WaitReason.none) return asked;
  return prev.classId === ClassId.rt ? WaitReason.preemptedByClass : WaitReason.sliceEnded;
}
