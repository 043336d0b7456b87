// Changes of priority: inheritance, and what a task or an intervention sets. Source: core.c rt_mutex_setprio,
// __sched_setscheduler, set_user_nice, check_class_changed (v6.1, v6.12). Facts 2.11, 4.2, 6.3-6.6, 6.12.

import type { DlSpec } from '../../scenario/scenario.ts';
import { MigrateReason, WaitReason } from '../../trace/reasons.ts';
import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { recordAttrs, recordPiSetprio } from '../recorder.ts';
import { ClassId, type Task, TaskState } from '../task.ts';
import { noteAttrs } from '../verdicts/tracker.ts';
import { classIdOf, normalPrioOf, slackAfterPolicy } from './attrs.ts';
import { QueueFlag } from './class.ts';
import { classOf } from './classes.ts';
import { redirectWakee } from './core.ts';
import { pullDlTasks, pushDlTasks } from './dl_migrate.ts';
import { admitsDl, inheritDl, leftDl, refusesAffinity, sameParams } from './dl_policy.ts';
import { reweightTask } from './fair.ts';
import { placeCfs } from './fair_cfs.ts';
import { protectionAfterChange } from './fair_eevdf.ts';
import { cfsRqOf } from './fair_group.ts';
import { moveQueuedTask } from './migrate.ts';
import { reschedCurr } from './resched.ts';
import { pullRtTask, pushRtTasks } from './rt_migrate.ts';
import { inverseWeight, PRIO_TO_WEIGHT, weightOf } from './weights.ts';

/**
 * Inherited priority: `p` gets the better of its normal prio and the donor's prio, and the class that goes with it.
 * The weight of a fair task stays, unless the machine has the reweight patch; then exactly as the patch does it:
 * only on a change from fair to fair, so that it misses the ways out of a real-time boost (defects D1, D2).
 * Source: core.c rt_mutex_setprio (v6.12); the patch: 20240403005930.1587032-1-qyousef@layalina.io.
 */
export function rtMutexSetprio(m: Machine, p: Task, donor: Task | undefined): void {
  const prio = donor === undefined ? p.normalPrio : Math.min(p.normalPrio, donor.prio);
  const oldPrio = p.prio;
  const wasLent = p.piTopTask >= 0;
  p.piTopTask = donor === undefined ? -1 : donor.id;
  // Within the deadline class it is the parameters that are inherited.
  if (prio === oldPrio && (prio >= 0 || (donor === undefined && !wasLent))) return;
  recordPiSetprio(m, p, oldPrio, prio, donor);
  const deboost = prio > oldPrio;
  if (deboost && p.onCpu) p.offReason = WaitReason.deboosted;
  // What it has used until now is charged by the old parameters.
  if (p.onCpu) classOf(p).updateCurr(m, m.rqs[p.cpu]!);
  const replenish = inheritDl(p, prio, donor);
  // Leaving real-time ends the count of RLIMIT_RTTIME.
  if (oldPrio < 100 && prio >= 100) p.rttimeTicks = 0;
  const patched = m.rules.piReweight && prio >= 100 && oldPrio >= 100 && p.policy !== 'idle';
  changePrio(
    m,
    p,
    prio,
    QueueFlag.move | replenish | (deboost ? QueueFlag.head : 0),
    patched ? PRIO_TO_WEIGHT[prio - 100]! : p.se.weight,
  );
  recordAttrs(m, p);
  noteAttrs(m, p);
}

/**
 * Dequeue, change, enqueue; then what the classes have to say about it.
 *
 * @param how QueueFlag.head where the task goes to the head of its list; QueueFlag.move unless only nice changes
 * @param weight the weight from here on, set while the task is off its queue
 */
function changePrio(m: Machine, p: Task, prio: number, how: number, weight: number): void {
  const rq = m.rqs[p.cpu]!;
  touch(m, rq);
  const oldPrio = p.prio;
  const oldClassId = p.classId;
  const oldClass = classOf(p);
  const queued = p.onRq && !p.se.schedDelayed;
  if (p.se.schedDelayed && classIdOf(prio) !== ClassId.fair) {
    // A delayed task that changes class leaves its queue for good first. Source: __setscheduler_class (v6.12).
    oldClass.dequeueTask(m, rq, p, QueueFlag.sleep | QueueFlag.delayed);
    p.onRq = false;
  }
  const running = rq.curr === p;
  if (queued) {
    oldClass.dequeueTask(m, rq, p, QueueFlag.save | how);
    // Off its queue: a new weight is then nobody's load yet.
    p.onRq = false;
  }
  if (running) {
    p.onRq = false;
    oldClass.putPrevTask(m, rq, p, undefined);
  }
  leaveFairAsleep(m, p, classIdOf(prio), queued);
  if (weight !== p.se.weight) reweightTask(m, rq, p, weight, inverseWeight(weight));
  p.prio = prio;
  p.classId = classIdOf(prio);
  joinFairAsleep(m, p, oldClassId, queued);
  if (queued) {
    classOf(p).enqueueTask(m, rq, p, QueueFlag.save | how);
    p.onRq = true;
  }
  if (running) {
    classOf(p).setNextTask(m, rq, p);
    if (m.rules.isEevdf && p.classId === ClassId.fair) protectionAfterChange(m, p);
  }
  if (oldClassId !== p.classId) {
    if (oldClassId === ClassId.dl) {
      leftDl(m, p);
      if (queued && rq.dl.queue.length === 0) pullDlTasks(m, rq);
    }
    if (oldClassId === ClassId.rt && queued && rq.rt.queue.length === 0) pullRtTask(m, rq);
    classOf(p).switchedTo(m, rq, p);
  } else classOf(p).prioChanged(m, rq, p, oldPrio);
  if (
    running &&
    rq.rt.queue[0] !== undefined &&
    !rq.rt.throttled &&
    rq.rt.queue[0] !== p &&
    rq.rt.queue[0].prio < p.prio
  )
    reschedCurr(m, rq);
  if (running && rq.dl.queue[0] !== undefined && rq.dl.queue[0] !== p) reschedCurr(m, rq);
  if (queued && !running && p.classId === ClassId.dl) pushDlTasks(m, rq);
  if (queued && !running && p.classId === ClassId.rt) pushRtTasks(m, rq);
}

/** CFS keeps a sleeper's vruntime absolute: it is made relative when the task leaves the class. Source: fair.c detach_task_cfs_rq (v6.1). */
function leaveFairAsleep(m: Machine, p: Task, nextClass: ClassId, queued: boolean): void {
  if (m.rules.isEevdf || queued || p.classId !== ClassId.fair || nextClass === ClassId.fair) return;
  if (p.state === TaskState.fresh || p.state === TaskState.waking) return;
  const cfs = cfsRqOf(m, p);
  placeCfs(m, cfs, p.se, false);
  p.se.vruntime -= cfs.minVruntime;
}

/** And absolute again when it comes back. Source: fair.c attach_task_cfs_rq (v6.1). */
function joinFairAsleep(m: Machine, p: Task, oldClass: ClassId, queued: boolean): void {
  if (m.rules.isEevdf || queued || p.classId !== ClassId.fair || oldClass === ClassId.fair) return;
  if (p.state === TaskState.fresh || p.state === TaskState.waking) return;
  p.se.vruntime += cfsRqOf(m, p).minVruntime;
}

/** New policy, priority and nice of a task, set by itself or by an intervention. */
export interface NewAttrs {
  readonly policy: Task['policy'];
  readonly rtPrio: number;
  readonly nice: number;
  /** Of policy deadline; undefined: as they are. */
  readonly dl?: DlSpec | undefined;
}

/**
 * sched_setscheduler and setpriority. A boosted task keeps the better of both priorities; renicing a task that
 * only a fair waiter boosts loses the boost until the next PI event (fact 6.6).
 */
export function setScheduler(m: Machine, p: Task, next: NewAttrs): void {
  const dl = next.policy === 'deadline' ? (next.dl ?? p.dl.params) : undefined;
  const dlChanged = !sameParams(dl, p.dl.params);
  if (dl !== undefined && dlChanged && !admitsDl(m, p, dl)) return;
  const policyChanged = dlChanged || next.policy !== p.policy || next.rtPrio !== p.rtPrio;
  const niceOnly = !policyChanged && next.nice !== p.nice;
  if (!policyChanged && !niceOnly) return;
  const rq = m.rqs[p.cpu]!;
  touch(m, rq);
  // What it has used until now is charged by the old parameters.
  if (p.onCpu) classOf(p).updateCurr(m, rq);
  p.dl.params = dl;
  p.policy = next.policy;
  if (policyChanged) slackAfterPolicy(p);
  setIdle(p, next.policy === 'idle');
  p.rtPrio = next.rtPrio;
  p.nice = next.nice;
  p.normalPrio = normalPrioOf(p.policy, p.rtPrio, p.nice);
  const donor = p.piTopTask >= 0 ? m.tasks[p.piTopTask] : undefined;
  const donorPrio = donor?.prio ?? 140;
  // effective_prio(): a real-time boost is kept, a fair one is overwritten by a renice; setscheduler keeps both.
  const keepsBoost = !niceOnly || p.prio < 100;
  const prio = keepsBoost ? Math.min(p.normalPrio, donorPrio) : p.normalPrio;
  // A real-time task keeps its weight unused; a fair one is weighed anew, whatever a boost had left (set_load_weight).
  const weight = p.normalPrio < 100 ? p.se.weight : weightOf(p.policy, p.nice);
  if (p.onCpu) p.offReason = WaitReason.priorityChanged;
  if (prio !== p.prio || (prio < 0 && dlChanged)) {
    const replenish = inheritDl(p, prio, donor);
    changePrio(m, p, prio, replenish | (niceOnly ? 0 : QueueFlag.move) | (prio > p.prio ? QueueFlag.head : 0), weight);
  } else if (weight !== p.se.weight) reweightTask(m, rq, p, weight, inverseWeight(weight));
  p.offReason = p.onCpu && rq.needResched ? p.offReason : WaitReason.none;
  recordAttrs(m, p);
  noteAttrs(m, p);
}

/** The policy SCHED_IDLE came or went; its queue counts such tasks. */
function setIdle(p: Task, idle: boolean): void {
  if (p.se.idle === idle) return;
  p.se.idle = idle;
  if (p.se.onRq) p.se.cfsRq!.nrIdle += idle ? 1 : -1;
}

/**
 * New set of allowed CPUs. A running task that must leave its CPU is taken off by the stopper, at once; a queued one is
 * moved, one on its way from a wake-up is sent elsewhere, a sleeper is placed when it wakes. Source: core.c
 * affine_move_task. Not modelled: the stopper as a thread; its switch is charged to the CPU. Fact 9.6.
 */
export function setAffinity(m: Machine, p: Task, cpus: readonly number[]): void {
  if (refusesAffinity(m, p, cpus.length)) return;
  p.allowed.fill(0);
  for (const cpu of cpus) p.allowed[cpu] = 1;
  p.allowedCount = cpus.length;
  const rq = m.rqs[p.cpu]!;
  if (p.allowed[p.cpu] === 1) {
    p.mustMoveTo = -1;
    if (p.classId === ClassId.rt && p.onRq) touch(m, rq);
    return;
  }
  if (p.se.schedDelayed) {
    touch(m, rq);
    // It sleeps, in truth: it leaves the queue for good.
    classOf(p).dequeueTask(m, rq, p, QueueFlag.sleep | QueueFlag.delayed);
    p.onRq = false;
    return;
  }
  const target = m.rqs[classOf(p).selectTaskRq(m, p, p.cpu, 0)]!;
  if (p.state === TaskState.waking) {
    redirectWakee(m, p, target.cpu);
    return;
  }
  if (p.onRq && !p.onCpu && !p.se.schedDelayed) {
    moveQueuedTask(m, classOf(p), p, target, MigrateReason.affinity);
    if (target.curr === undefined || p.classId < target.curr.classId) reschedCurr(m, target);
    else if (p.classId === target.curr.classId) classOf(p).wakeupPreempt(m, target, p);
  } else if (p.onCpu) {
    p.mustMoveTo = target.cpu;
    reschedCurr(m, rq);
  }
}
