// Balancing of fair tasks between CPUs. Source: fair.c sched_balance_rq, sched_balance_newidle,
// nohz_balancer_kick, find_busiest_group, calculate_imbalance, detach_tasks (v6.12). Facts 9.2-9.5, 17.
// One domain over all CPUs. Not modelled: SMT, NUMA, misfit tasks, the randomised attempts of 7.x.
//
// What follows from the kernel's rules and decides outcomes:
// - a single fair task that waits behind a real-time one is not "waiting to run" for the balancer until
//   real-time use has eaten so much of the CPU's capacity that the CPU counts as overloaded;
// - an idle CPU looks every (CPUs) ms at ticks, a busy one every 16 times that;
// - a difference of one task moves on every second attempt (half a task's load is shifted out as failures mount).
// A runnable task is not moved to a CPU where real-time tasks run: it could not run there either. Real kernels
// do so now and then, without effect.

import { arm, isPending } from '../../base/indexed_heap.ts';
import { msToNs, NS_PER_MS } from '../../base/units.ts';
import { MigrateReason } from '../../trace/reasons.ts';
import { tickAtOrAfter } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { nrRunnable, type Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';
import { fairClass } from './fair.ts';
import { fairCapacity, isOverloaded } from './load.ts';
import { moveQueuedTask } from './migrate.ts';
import { reschedCurr } from './resched.ts';
import { isIdle } from './select_cpu.ts';

const BUSY_FACTOR = 16;

function nrFair(rq: Rq): number {
  return nrRunnable(rq);
}

function runsRt(rq: Rq): boolean {
  return rq.dl.queue.length > 0 || (rq.rt.queue.length > 0 && !rq.rt.throttled);
}

/** Waits for a CPU: not running, not blocked, not held up by a quota. */
function isMovable(p: Task): boolean {
  return !p.onCpu && !p.se.schedDelayed && p.se.cfsRq!.throttleCount === 0;
}

/** The waiting fair task of `source` that may run on `cpu` and has waited longest; cache-hot ones are passed over. */
function movableTask(m: Machine, source: Rq, cpu: number): Task | undefined {
  let best: Task | undefined;
  for (const p of source.fairTasks) {
    if (!isMovable(p) || p.allowed[cpu] !== 1) continue;
    const hot = p.lastRanCpu >= 0 && m.nowNs - p.se.execStartNs < m.rules.migrationCostNs;
    if (!hot && (best === undefined || p.se.queueSeq < best.se.queueSeq)) best = p;
  }
  return best;
}

/** The CPU that an idle `rq` may pull from: most fair tasks; one alone behind real-time only when its CPU is overloaded. */
function busiestForIdle(m: Machine, rq: Rq): Task | undefined {
  let best: Task | undefined;
  let most = 0;
  for (const source of m.rqs) {
    const count = nrFair(source);
    if (source === rq || count <= most || nrFair(source) === 0) continue;
    if (count === 1 && !isOverloaded(m, source)) continue;
    const p = movableTask(m, source, rq.cpu);
    if (p === undefined) continue;
    best = p;
    most = count;
  }
  return best;
}

/** A CPU that is about to idle pulls one waiting fair task. True when it did. Fact 9.2. */
export function newidleBalance(m: Machine, rq: Rq): boolean {
  if (m.rqs.length === 1) return false;
  const p = busiestForIdle(m, rq);
  if (p === undefined) return false;
  moveQueuedTask(m, fairClass, p, rq, MigrateReason.newidleBalance);
  return true;
}

/** Asks for a look at the next tick: somebody waits, or a CPU became free for fair tasks. Cheap when one is pending already. */
export function wantBalance(m: Machine): void {
  if (m.rqs.length > 1 && !isPending(m.heap, m.balanceSlot)) arm(m.heap, m.balanceSlot, tickAtOrAfter(m, m.nowNs + 1));
}

/** Ticks of the balancer: idle CPUs (through the nohz kick of a busy one) and busy CPUs whose interval has passed. */
export function onBalance(m: Machine): void {
  const interval = msToNs(m.rqs.length);
  let again = false;
  for (const rq of m.rqs) {
    if (runsRt(rq)) continue;
    if (!somebodyWaitsFor(m, rq)) continue;
    again = true;
    if (m.nowNs < rq.nextBalanceNs) continue;
    if (isIdle(rq)) {
      rq.nextBalanceNs = m.nowNs + interval;
      const p = busiestForIdle(m, rq);
      if (p !== undefined) pull(m, p, rq, MigrateReason.nohzIdleBalance);
    } else {
      balanceBusy(m, rq);
      // A busy CPU's interval is a millisecond short, so that it is no multiple of others. Source: get_sd_balance_interval.
      rq.nextBalanceNs = m.nowNs + interval * BUSY_FACTOR * rq.balanceFactor - NS_PER_MS;
    }
  }
  if (again) arm(m.heap, m.balanceSlot, tickAtOrAfter(m, m.nowNs + 1));
}

function somebodyWaitsFor(m: Machine, rq: Rq): boolean {
  for (const source of m.rqs) {
    if (source === rq || nrFair(source) === 0) continue;
    for (const p of source.fairTasks) if (isMovable(p) && p.allowed[rq.cpu] === 1) return true;
  }
  return false;
}

/** A CPU that runs fair tasks itself takes one from a CPU with more of them for its capacity. Source: calculate_imbalance, detach_tasks. */
function balanceBusy(m: Machine, rq: Rq): void {
  const here = (nrFair(rq) * 1024) / fairCapacity(m, rq);
  let busiest: Rq | undefined;
  let most = here * 1.17;
  for (const source of m.rqs) {
    if (source === rq || nrFair(source) === 0) continue;
    const load = (nrFair(source) * 1024) / fairCapacity(m, source);
    if (load > most) {
      busiest = source;
      most = load;
    }
  }
  const p = busiest === undefined ? undefined : movableTask(m, busiest, rq.cpu);
  if (busiest === undefined) {
    rq.balanceFactor = 2;
    return;
  }
  rq.balanceFactor = 1;
  if (p === undefined) return;
  // Half of the difference is to move; a whole task is more than that when the difference is one, so the first attempt fails.
  const wholeTask = (most - here) / 2 >= 1 / 2 ** rq.balanceFailed;
  if (!wholeTask) {
    rq.balanceFailed++;
    return;
  }
  rq.balanceFailed = 0;
  pull(m, p, rq, MigrateReason.periodicBalance);
}

function pull(m: Machine, p: Task, rq: Rq, reason: number): void {
  moveQueuedTask(m, fairClass, p, rq, reason);
  if (rq.curr === undefined) reschedCurr(m, rq);
  // attach_task: the ordinary wake-up test.
  else if (rq.curr.classId === ClassId.fair) fairClass.wakeupPreempt(m, rq, p);
}
