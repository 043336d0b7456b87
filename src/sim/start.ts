// How threads begin: at their instant, or as the child of a fork. Scenario format: start, startCpu, birth.

import { arm } from '../base/indexed_heap.ts';
import { NONE } from '../trace/ids.ts';
import { MigrateReason, StopReason, WaitReason, WakeReason } from '../trace/reasons.ts';
import { touch } from './clock.ts';
import { addTask, type Machine } from './machine.ts';
import {
  FindingKind,
  recordAttrs,
  recordFinding,
  recordMigrate,
  recordNew,
  recordTaskState,
  recordWakeup,
  recordWaking,
  SegKind,
} from './recorder.ts';
import type { Rq } from './rq.ts';
import { inheritSlack, initAttrs, initSlack, slackAfterPolicy } from './sched/attrs.ts';
import { QueueFlag } from './sched/class.ts';
import { classOf } from './sched/classes.ts';
import { activateTask, afterWake, wakeupPreempt } from './sched/core.ts';
import { admitsDl, refusesFork } from './sched/dl_policy.ts';
import { type Birth, placeBirth } from './sched/fair.ts';
import { addNewTaskLoad } from './sched/load.ts';
import { isIdle } from './sched/select_cpu.ts';
import { ClassId, type Task, TaskState } from './task.ts';
import { noteWaiting } from './verdicts/tracker.ts';

/** Attributes that a task has before it starts. */
export function prepareTask(m: Machine, p: Task): void {
  const spec = m.scenario.threads[p.spec]!;
  initAttrs(p, m.rules.rrTicks);
  p.se.customSlice = spec.sliceNs !== undefined;
  p.se.sliceNs = spec.sliceNs ?? m.rules.baseSliceNs;
  p.dl.params = spec.dl;
  initSlack(p, spec.timerSlackNs);
}

/** A deadline task that admission refuses at its start stays what it was before: a fair one. */
function admitAtStart(m: Machine, p: Task): void {
  if (p.dl.params === undefined || admitsDl(m, p, p.dl.params)) return;
  p.dl.params = undefined;
  p.policy = 'other';
  slackAfterPolicy(p);
  initAttrs(p, p.timeSliceTicks);
  recordAttrs(m, p);
}

/** Writes how every task that waits for its start begins: its attributes, and that it is not there yet. */
export function recordUnstarted(m: Machine, p: Task): void {
  recordAttrs(m, p);
  recordTaskState(m, p, SegKind.absent, StopReason.notStarted, NONE, NONE);
}

/** Starts every thread whose instant has come, in order of the document, before anybody is switched to. */
export function onStart(m: Machine): void {
  for (;;) {
    const due = m.starts[m.nextStart];
    if (due === undefined) return;
    if (due.atNs > m.nowNs) {
      arm(m.heap, m.startSlot, due.atNs);
      return;
    }
    m.nextStart++;
    const p = m.tasks[due.task]!;
    const spec = m.scenario.threads[p.spec]!;
    p.cpu = spec.startCpu ?? defaultStartCpu(m, p);
    startTask(m, p, undefined, p.cpu, spec.birth, 0, WakeReason.start);
  }
}

/** The lowest allowed CPU that is idle at this instant, else the lowest allowed. */
function defaultStartCpu(m: Machine, p: Task): number {
  for (const rq of m.rqs) if (p.allowed[rq.cpu] === 1 && isIdle(rq)) return rq.cpu;
  return p.allowed.indexOf(1);
}

/** First wake-up of a task, placed from `p.cpu` by the rules of its class. */
function startTask(
  m: Machine,
  p: Task,
  waker: Task | undefined,
  wakerCpu: number,
  birth: Birth,
  selectFlags: number,
  reason: number,
): void {
  p.firstStartNs = m.nowNs;
  p.releaseNs = m.nowNs;
  admitAtStart(m, p);
  recordNew(m, p);
  recordWaking(m, p, wakerCpu, waker, reason);
  recordTaskState(m, p, SegKind.runnable, WaitReason.started, waker === undefined ? NONE : waker.id, NONE);
  noteWaiting(m, p);
  const cpu = classOf(p).selectTaskRq(m, p, p.cpu, selectFlags);
  // A fork's child is placed without a migration event: wake_up_new_task uses __set_task_cpu.
  if (cpu !== p.cpu && reason !== WakeReason.fork) recordMigrate(m, p, p.cpu, cpu, MigrateReason.wakePlacement);
  p.cpu = cpu;
  const rq = m.rqs[cpu]!;
  touch(m, rq);
  p.state = TaskState.running;
  if (p.classId === ClassId.fair) {
    placeBirth(m, rq, p, birth);
    if (birth === 'new') addNewTaskLoad(m, rq);
  }
  activateTask(m, rq, p, QueueFlag.initial);
  recordWakeup(m, p, waker);
  wakeupPreempt(m, rq, p);
  afterWake(m, rq, p);
}

/** Most tasks that live at once, as many as a document may list; and most of a run, those that have ended included. */
const MAX_LIVE_TASKS = 1024;
const MAX_TASKS = 65_536;

/** Like RLIMIT_NPROC: a loop of forks must end somewhere. */
function isFull(m: Machine): boolean {
  const { length } = m.tasks;
  if (length < MAX_LIVE_TASKS) return false;
  return length >= MAX_TASKS || liveTasks(m) >= MAX_LIVE_TASKS;
}

/** Those that wait for their start are not there yet. */
function liveTasks(m: Machine): number {
  let count = 0;
  for (const p of m.tasks) if (p.state !== TaskState.dead && p.state !== TaskState.fresh) count++;
  return count;
}

/** `parent`, running, forks a listed thread. What the child's document does not say is copied, the weight included (defect D3). */
export function forkTask(m: Machine, rq: Rq, parent: Task, thread: number): void {
  if (isFull(m)) {
    const text = `${parent.name} forks nobody: there are as many tasks as there may be (EAGAIN)`;
    recordFinding(m, parent, FindingKind.forkRefused, text);
    return;
  }
  if (refusesFork(m, parent)) return;
  const spec = m.scenario.threads[thread]!;
  const copies = m.created[thread]!;
  const child = addTask(m, thread, copies === 0 ? spec.name : `${spec.name}/${copies}`);
  prepareTask(m, child);
  inheritFrom(child, parent, spec.inherits ?? []);
  child.cpu = child.allowed[rq.cpu] === 1 ? rq.cpu : child.allowed.indexOf(1);
  child.se.vruntime = m.rules.isEevdf ? 0 : parent.se.vruntime;
  recordAttrs(m, child);
  startTask(m, child, parent, rq.cpu, spec.birth, QueueFlag.initial, WakeReason.fork);
}

/** Source: core.c sched_fork: the child has the parent's normal prio, and its load weight as it is at that moment. */
function inheritFrom(child: Task, parent: Task, keys: readonly string[]): void {
  if (keys.includes('policy')) {
    child.policy = parent.policy;
    child.rtPrio = parent.rtPrio;
  }
  if (keys.includes('nice')) child.nice = parent.nice;
  if (keys.includes('cpus')) {
    child.allowed.set(parent.allowed);
    child.allowedCount = parent.allowedCount;
  }
  if (keys.includes('rttimeLimit')) child.rttimeLimitNs = parent.rttimeLimitNs;
  if (keys.includes('timerSlack')) {
    inheritSlack(child, parent);
    if (!keys.includes('policy')) slackAfterPolicy(child);
  }
  if (keys.includes('slice') && parent.se.customSlice) {
    child.se.customSlice = true;
    child.se.sliceNs = parent.se.sliceNs;
  }
  initAttrs(child, child.timeSliceTicks);
  const allowedCpus: number[] = [];
  child.allowed.forEach((may, cpu) => {
    if (may === 1) allowedCpus.push(cpu);
  });
  child.born = { policy: child.policy, rtPrio: child.rtPrio, nice: child.nice, allowedCpus };
  if (keys.includes('policy') && keys.includes('nice')) {
    child.se.weight = parent.se.weight;
    child.se.inverse = parent.se.inverse;
  }
}
