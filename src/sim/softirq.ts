// Softirqs and ksoftirqd. Work that an interrupt leaves is done at its end, before anything else runs on that CPU; what
// exceeds the limits is left to ksoftirqd/N, a fair task of nice 0 that real-time tasks starve.
// Source: kernel/softirq.c handle_softirqs, invoke_softirq, run_ksoftirqd (v6.12). Fact 10.4.
//
// Choices: the kernel's limit of 2 ms is counted in jiffies there, exactly here; a handler that would exceed it gives
// the rest of its work back (as net_rx_action does with its budget), so work is divisible at the limit. Softirqs are
// served in the order of the document's interrupts. Who is hit pays for work done at the end of an interrupt.

import { arm, isPending } from '../base/indexed_heap.ts';
import { msToNs, type Ns } from '../base/units.ts';
import type { ThreadSpec } from '../scenario/scenario.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason, WaitReason, WakeReason } from '../trace/reasons.ts';
import { chargeInterrupt, holdInIrq, touch } from './clock.ts';
import { semPost } from './locking/semaphore.ts';
import type { Machine } from './machine.ts';
import { recordAttrs, recordIrq, recordNew, recordSoftirq, recordTaskState, SegKind } from './recorder.ts';
import type { Rq } from './rq.ts';
import { initAttrs } from './sched/attrs.ts';
import { blockCurrent } from './sched/block.ts';
import { tryToWakeUp } from './sched/core.ts';
import { createTask, RunMode, type Task, TaskState } from './task.ts';

/** Source: softirq.c MAX_SOFTIRQ_TIME, MAX_SOFTIRQ_RESTART. */
export const MAX_SOFTIRQ_NS: Ns = msToNs(2);
const MAX_SOFTIRQ_RESTART = 10;

export const SoftirqPhase = {
  none: 0,
  /** Work is raised; it begins at the end of the interrupt that the CPU is in. */
  entering: 1,
  /** Being done at the end of an interrupt. */
  running: 2,
  /** Being done by ksoftirqd, which nothing preempts meanwhile. */
  thread: 3,
} as const;
export type SoftirqPhase = (typeof SoftirqPhase)[keyof typeof SoftirqPhase];

/** Softirq work of one CPU. Lists are by place in `irqs`. */
export interface SoftirqState {
  /** Interrupts that raise softirq work here, as indices into the machine's, ascending. */
  readonly irqs: readonly number[];
  /** Firings whose work is not done. */
  readonly pending: number[];
  /** Of those, what the present pass was begun for. */
  readonly inPass: number[];
  /** Work left of the first pending firing. */
  readonly leftNs: Ns[];
  phase: SoftirqPhase;
  /** Place in `irqs` of what is being served. */
  serving: number;
  /** Work in the present stretch. */
  stretchNs: Ns;
  /** Work until the time limit, passes until the restart limit. */
  budgetNs: Ns;
  restartsLeft: number;
  readonly slot: number;
  /** Id of ksoftirqd of this CPU. */
  readonly thread: number;
}

/** Softirq state of a CPU with nothing to do. */
export function createSoftirq(irqs: readonly number[], slot: number, thread: number): SoftirqState {
  return {
    irqs,
    pending: irqs.map(() => 0),
    inPass: irqs.map(() => 0),
    leftNs: irqs.map(() => 0),
    phase: SoftirqPhase.none,
    serving: 0,
    stretchNs: 0,
    budgetNs: 0,
    restartsLeft: 0,
    slot,
    thread,
  };
}

/** ksoftirqd of a CPU, the next task of the machine; no thread of the scenario stands for it. */
export function createKsoftirqd(m: Machine, cpu: number): Task {
  return createTask(m.tasks.length, `ksoftirqd/${cpu}`, m.scenario.threads.length, ksoftirqdSpec(cpu), m.rqs.length);
}

function ksoftirqdSpec(cpu: number): ThreadSpec {
  return {
    name: `ksoftirqd/${cpu}`,
    baseName: 'ksoftirqd',
    policy: 'other',
    rtPrio: 0,
    nice: 0,
    allowedCpus: [cpu],
    start: 0,
    birth: 'woken',
    program: [],
  };
}

/** True for a thread of the kernel, which no thread of the scenario stands for. */
export function isKernelTask(m: Machine, p: Task): boolean {
  return p.spec >= m.scenario.threads.length;
}

/** A kernel thread has been there since the boot, asleep. */
export function prepareKernelTask(m: Machine, p: Task): void {
  initAttrs(p, m.rules.rrTicks);
  p.se.sliceNs = m.rules.baseSliceNs;
  p.state = TaskState.sleeping;
  recordNew(m, p);
  recordAttrs(m, p);
  recordTaskState(m, p, SegKind.sleep, StopReason.softirqIdle, NONE, NONE);
}

/** A firing of interrupt `index` leaves its work. Source: __raise_softirq_irqoff. */
export function raiseSoftirq(m: Machine, rq: Rq, index: number): void {
  const s = rq.softirq;
  const at = s === undefined ? -1 : s.irqs.indexOf(index);
  if (s === undefined || at < 0) return;
  if (s.pending[at]!++ === 0) s.leftNs[at] = m.scenario.machine.interrupts[index]!.softirqNs;
}

export function isSoftirqPending(rq: Rq): boolean {
  const s = rq.softirq;
  if (s === undefined) return false;
  for (const count of s.pending) if (count > 0) return true;
  return false;
}

/** Work waits and no interrupt or ksoftirqd is at it: the next interrupt of this CPU, a tick too, will take it up. */
export function awaitsInterrupt(m: Machine, rq: Rq): boolean {
  return rq.softirq?.phase === SoftirqPhase.none && isSoftirqPending(rq) && !leftToThread(m, rq.softirq);
}

/** Kernels before 6.5 do nothing at the end of an interrupt while ksoftirqd is runnable. Source: ksoftirqd_running (v6.1), gone with d15121be7485. */
function leftToThread(m: Machine, s: SoftirqState): boolean {
  if (m.scenario.machine.kernel !== '6.1') return false;
  const state = m.tasks[s.thread]!.state;
  return state === TaskState.running || state === TaskState.waking;
}

/** The CPU is in an interrupt that ends at `irqEndNs`: pending work begins then, and work under way ends later by it. Source: irq_exit_rcu, invoke_softirq. */
export function enterSoftirq(m: Machine, rq: Rq): void {
  const s = rq.softirq;
  if (s === undefined) return;
  if (s.phase === SoftirqPhase.none) {
    if (!awaitsInterrupt(m, rq)) return;
    s.phase = SoftirqPhase.entering;
  }
  arm(m.heap, s.slot, Math.max(m.nowNs, rq.irqEndNs));
}

/** Softirq work of this CPU begins, or a stretch of it has ended. */
export function onSoftirq(m: Machine, rq: Rq): void {
  const s = rq.softirq!;
  touch(m, rq);
  if (s.phase === SoftirqPhase.entering) {
    recordSoftirq(m, rq.cpu, true);
    beginCall(m, rq, s, SoftirqPhase.running);
    return;
  }
  endStretch(m, rq, s);
  next(m, rq, s);
}

/** One call of handle_softirqs. */
function beginCall(m: Machine, rq: Rq, s: SoftirqState, phase: SoftirqPhase): void {
  s.phase = phase;
  s.budgetNs = MAX_SOFTIRQ_NS;
  s.restartsLeft = MAX_SOFTIRQ_RESTART;
  beginPass(s);
  next(m, rq, s);
}

function beginPass(s: SoftirqState): void {
  for (let i = 0; i < s.pending.length; i++) s.inPass[i] = s.pending[i]!;
}

function endStretch(m: Machine, rq: Rq, s: SoftirqState): void {
  const at = s.serving;
  s.budgetNs -= s.stretchNs;
  s.leftNs[at]! -= s.stretchNs;
  if (s.leftNs[at]! > 0) return;
  const index = s.irqs[at]!;
  s.inPass[at]!--;
  if (--s.pending[at]! > 0) s.leftNs[at] = m.scenario.machine.interrupts[index]!.softirqNs;
  firingDone(m, rq, index);
}

/** The next stretch; a new pass for what was raised meanwhile; or the end of the call. */
function next(m: Machine, rq: Rq, s: SoftirqState): void {
  if (s.budgetNs > 0) {
    let at = s.inPass.findIndex((count) => count > 0);
    if (at < 0 && isSoftirqPending(rq) && !mustSwitch(m, rq) && --s.restartsLeft > 0) {
      beginPass(s);
      at = s.inPass.findIndex((count) => count > 0);
    }
    if (at >= 0) {
      beginStretch(m, rq, s, at);
      return;
    }
  }
  endCall(m, rq, s);
}

function mustSwitch(m: Machine, rq: Rq): boolean {
  return rq.needResched || isPending(m.heap, rq.reschedSlot);
}

function beginStretch(m: Machine, rq: Rq, s: SoftirqState, at: number): void {
  s.serving = at;
  s.stretchNs = Math.min(s.leftNs[at]!, s.budgetNs);
  // ksoftirqd pays with its own time, not with a debt.
  if (s.phase === SoftirqPhase.thread) holdInIrq(m, rq, s.stretchNs);
  else chargeInterrupt(m, rq, s.stretchNs);
  arm(m.heap, s.slot, rq.irqEndNs);
}

function endCall(m: Machine, rq: Rq, s: SoftirqState): void {
  const thread = m.tasks[s.thread]!;
  if (s.phase === SoftirqPhase.thread) thread.mode = RunMode.step;
  else recordSoftirq(m, rq.cpu, false);
  s.phase = SoftirqPhase.none;
  if (!isSoftirqPending(rq)) return;
  tryToWakeUp(m, thread, {
    cpu: rq.cpu,
    task: undefined,
    reason: WakeReason.interrupt,
    waitReason: WaitReason.wokenByInterrupt,
  });
}

/** The work of one firing is done: it posts. */
export function firingDone(m: Machine, rq: Rq, index: number): void {
  const post = m.scenario.machine.interrupts[index]!.post;
  if (post === undefined) return;
  recordIrq(m, rq.cpu, index);
  semPost(m, m.locks[post]!, rq.cpu, undefined);
}

/** The program of ksoftirqd: does pending work, call by call, and sleeps when there is none. Source: run_ksoftirqd. */
export function runKsoftirqd(m: Machine, rq: Rq, p: Task): void {
  p.pc = 0;
  const s = rq.softirq;
  if (s === undefined || !isSoftirqPending(rq)) {
    blockCurrent(m, rq, p, TaskState.sleeping, SegKind.sleep, StopReason.softirqIdle, NONE, NONE);
    return;
  }
  p.mode = RunMode.forever;
  beginCall(m, rq, s, SoftirqPhase.thread);
}

/** The run is over: softirq work under way ends on the record. */
export function finishSoftirq(m: Machine, rq: Rq): void {
  if (rq.softirq?.phase === SoftirqPhase.running) recordSoftirq(m, rq.cpu, false);
}
