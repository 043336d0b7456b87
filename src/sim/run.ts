// The event loop: takes what is due, does it, then brings every CPU that it touched to rest: switches, next
// boundaries, next ticks.

import { arm, isPending, peek, pop } from '../base/indexed_heap.ts';
import type { Ns } from '../base/units.ts';
import { WaitReason, WakeReason } from '../trace/reasons.ts';
import { chargeTimerInterrupt, irqBusyUntilNs, touch } from './clock.ts';
import { onIrq, startInterrupts } from './interrupts.ts';
import { applyIntervention } from './interventions.ts';
import { waitTimedOut } from './locking/lock.ts';
import { type Machine, SlotKind } from './machine.ts';
import { armRun } from './program/boundary.ts';
import { onRun } from './program/interpret.ts';
import { noteRelease } from './program/releases.ts';
import { recordSpinCount, SpinCountAt } from './recorder.ts';
import type { Rq } from './rq.ts';
import { onBalance } from './sched/balance.ts';
import { classOf } from './sched/classes.ts';
import { arriveWakee, reschedule, schedule, tryToWakeUp } from './sched/core.ts';
import { dlClass } from './sched/dl.ts';
import { onDlTimer } from './sched/dl_timer.ts';
import { fairClass } from './sched/fair.ts';
import { startPeriodTimer } from './sched/fair_quota.ts';
import { onFairServer } from './sched/fair_server.ts';
import { onCfsPeriod, onCfsSlack } from './sched/fair_throttle.ts';
import { hrtickFired } from './sched/hrtick.ts';
import { onRtPeriod, startRtBandwidth } from './sched/rt_bandwidth.ts';
import { finishSoftirq, isKernelTask, onSoftirq, prepareKernelTask } from './softirq.ts';
import { onStart, prepareTask, recordUnstarted } from './start.ts';
import { ClassId, RunMode, type Task } from './task.ts';
import { armTick, onTick } from './tick.ts';
import { expireTimers } from './timers.ts';
import { finishVerdicts, lookForFindings } from './verdicts/tracker.ts';
import { watchRecords } from './verdicts/watch.ts';

/** Arms what is known before the first event. */
export function boot(m: Machine): void {
  for (const p of m.tasks) {
    if (isKernelTask(m, p)) {
      prepareKernelTask(m, p);
      continue;
    }
    prepareTask(m, p);
    recordUnstarted(m, p);
  }
  startInterrupts(m);
  const first = m.starts[0];
  if (first !== undefined) arm(m.heap, m.startSlot, first.atNs);
  if (m.rules.rtThrottle?.phaseNs !== undefined) startRtBandwidth(m);
  for (const group of m.groups) startPeriodTimer(m, group);
  armNextIntervention(m);
  armNextProbe(m);
}

/** Runs events with instants < `untilNs` and < the scenario's end; at most `maxEvents` of them. */
export function runUntil(m: Machine, untilNs: Ns, maxEvents: number): void {
  const endNs = m.scenario.durationNs;
  const stopNs = Math.min(untilNs, endNs);
  let left = maxEvents;
  while (m.state === 'running') {
    const slot = peek(m.heap);
    if (slot < 0 || m.heap.whenNs[slot]! >= stopNs) {
      if (stopNs === endNs) finish(m, endNs, 'done');
      return;
    }
    if (left-- <= 0) return;
    if (m.events >= m.maxEvents) {
      finish(m, m.nowNs, 'limit');
      return;
    }
    m.nowNs = m.heap.whenNs[slot]!;
    pop(m.heap);
    if (m.slotKind[slot] !== SlotKind.probe) m.events++;
    dispatch(m, slot);
    settleCpus(m);
    // The event may have found a livelock, which the compiler can't know: the run ends there.
    if ((m.state as string) === 'livelock') finish(m, m.nowNs, 'livelock');
  }
}

function dispatch(m: Machine, slot: number): void {
  const arg = m.slotArg[slot]!;
  switch (m.slotKind[slot]) {
    case SlotKind.tick:
      onTick(m, m.rqs[arg]!, fireTimer);
      break;
    case SlotKind.run:
      touch(m, m.rqs[arg]!);
      onRun(m, m.rqs[arg]!);
      break;
    case SlotKind.timer:
      touch(m, m.rqs[arg]!);
      expireTimers(m, m.rqs[arg]!, fireTimer);
      break;
    case SlotKind.resched:
      onResched(m, m.rqs[arg]!);
      break;
    case SlotKind.wakeArrival:
      touch(m, m.rqs[m.tasks[arg]!.cpu]!);
      arriveWakee(m, m.tasks[arg]!, undefined);
      break;
    case SlotKind.start:
      onStart(m);
      break;
    case SlotKind.hrtick:
      onHrtick(m, m.rqs[arg]!);
      break;
    case SlotKind.server:
      onFairServer(m, m.rqs[arg]!);
      break;
    case SlotKind.dlTimer:
      onDlTimer(m, m.tasks[arg]!);
      break;
    case SlotKind.cfsPeriod:
      onCfsPeriod(m, m.groups[arg]!);
      break;
    case SlotKind.cfsSlack:
      onCfsSlack(m, m.groups[arg]!);
      break;
    case SlotKind.rtPeriod:
      onRtPeriod(m);
      break;
    case SlotKind.balance:
      onBalance(m);
      break;
    case SlotKind.intervention:
      applyIntervention(m);
      armNextIntervention(m);
      break;
    case SlotKind.irq:
      onIrq(m, arg);
      break;
    case SlotKind.softirq:
      onSoftirq(m, m.rqs[arg]!);
      break;
    case SlotKind.probe:
      onProbe(m);
      break;
    default:
  }
}

function onResched(m: Machine, rq: Rq): void {
  touch(m, rq);
  // Another interrupt has come meanwhile: its end is the end.
  const busyUntilNs = irqBusyUntilNs(m, rq);
  if (busyUntilNs > m.nowNs) {
    arm(m.heap, rq.reschedSlot, busyUntilNs);
    return;
  }
  // The interrupt, or the way out of idle, is over: the switch that waited for it follows.
  if (rq.needResched || rq.curr === undefined) schedule(m, rq);
}

function onHrtick(m: Machine, rq: Rq): void {
  touch(m, rq);
  if (rq.curr?.classId === ClassId.dl) {
    chargeTimerInterrupt(m, rq);
    dlClass.taskTick(m, rq, rq.curr);
  } else {
    if (rq.cfs.curr === undefined) return;
    chargeTimerInterrupt(m, rq);
    fairClass.updateCurr(m, rq);
    hrtickFired(m, rq);
  }
  expireTimers(m, rq, fireTimer);
}

/** A timer of `p` fired on `cpu`: the end of its sleep, or of its patience with a lock. */
function fireTimer(m: Machine, p: Task, cpu: number): void {
  if (p.awaitsRelease) noteRelease(m, p);
  const inLockWait = p.waitsFor >= 0 && m.nowNs >= p.waitUntilNs;
  if (inLockWait) waitTimedOut(m, p, cpu);
  else tryToWakeUp(m, p, { cpu, task: undefined, reason: WakeReason.timer, waitReason: WaitReason.wokenByTimer });
}

/** Every CPU of this event: switch where asked, then arm its next boundary and tick. Switches may touch further CPUs. */
function settleCpus(m: Machine): void {
  const { touched, rqs } = m;
  // A switch may ask for another one (a push, a pull): once more until all rest.
  for (let again = true, first = true; again; first = false) {
    again = false;
    for (let i = 0; i < m.touchedCount; i++) {
      const rq = rqs[touched[i]!]!;
      if (!rq.needResched || (!first && isPending(m.heap, rq.reschedSlot))) continue;
      reschedule(m, rq);
      again = true;
    }
  }
  for (let i = 0; i < m.touchedCount; i++) {
    const rq = rqs[touched[i]!]!;
    armRun(m, rq);
    armTick(m, rq);
    rq.isTouched = false;
  }
  m.touchedCount = 0;
  if (m.records.count > m.tracker.seenRecords) watchRecords(m);
  if (m.tracker.dirty) lookForFindings(m);
}

function armNextIntervention(m: Machine): void {
  const next = m.scenario.interventions[m.nextIntervention];
  if (next !== undefined) arm(m.heap, m.interventionSlot, next.atNs);
}

function armNextProbe(m: Machine): void {
  const next = m.probesNs[m.nextProbe];
  if (next !== undefined) arm(m.heap, m.probeSlot, Math.max(m.nowNs, next));
}

/** Writes the count of every open spin loop: the edge of a window that somebody will ask about. */
function onProbe(m: Machine): void {
  m.nextProbe++;
  for (const p of m.tasks) writeSpinCount(m, p, SpinCountAt.probe);
  armNextProbe(m);
}

function writeSpinCount(m: Machine, p: Task, at: (typeof SpinCountAt)[keyof typeof SpinCountAt]): void {
  if (p.waitsFor < 0 || p.mode !== RunMode.spin) return;
  const rq = m.rqs[p.cpu]!;
  if (rq.curr === p) touch(m, rq);
  recordSpinCount(m, p, p.waitsFor, at);
}

/** The run is over: open loops write their counts, findings get their ends. */
function finish(m: Machine, atNs: Ns, state: 'done' | 'limit' | 'livelock'): void {
  m.nowNs = atNs;
  for (const p of m.tasks) writeSpinCount(m, p, SpinCountAt.end);
  for (const rq of m.rqs) {
    touch(m, rq);
    finishSoftirq(m, rq);
    if (rq.curr !== undefined) classOf(rq.curr).updateCurr(m, rq);
  }
  finishVerdicts(m);
  m.state = state;
}
