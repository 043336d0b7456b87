// Balancing of fair tasks between CPUs: when a CPU looks, and what it takes. Which CPU it takes from stands in
// busiest.ts. Source: fair.c sched_balance_domains, sched_balance_rq, detach_tasks, nohz_balancer_kick (v6.1, v6.12).
// Facts 9.2-9.5, 17. One domain over all CPUs. Not modelled: SMT, NUMA, active balance, the cost of looking (so no
// look of a newly idle CPU is skipped for it), the randomised attempts of 7.x.
//
// A runnable task is not moved to a CPU where real-time tasks run: it could not run there either. Real kernels
// do so now and then, without effect.

import { arm, isPending } from '../../base/indexed_heap.ts';
import type { Ns } from '../../base/units.ts';
import { MigrateReason } from '../../trace/reasons.ts';
import { tickAtOrAfter } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { nrRunnable, type Rq } from '../rq.ts';
import { ClassId, type Task } from '../task.ts';
import { findBusiest, hLoad, type Imbalance } from './busiest.ts';
import { fairClass } from './fair.ts';
import { moveQueuedTask } from './migrate.ts';
import { reschedCurr } from './resched.ts';
import { isIdle } from './select_cpu.ts';

/** Source: topology.c sd_init: a busy CPU looks 16 times less often; failures after which cache-hot tasks move too. */
const BUSY_FACTOR = 16;
const CACHE_NICE_TRIES = 1;
/** Source: fair.c sysctl_sched_nr_migrate. */
const MAX_MOVES = 32;

function runsRt(rq: Rq): boolean {
  return rq.dl.queue.length > 0 || (rq.rt.queue.length > 0 && !rq.rt.throttled);
}

/** Waits for a CPU: not running, not blocked, not held up by a quota. */
function isMovable(p: Task): boolean {
  return !p.onCpu && !p.se.schedDelayed && p.se.cfsRq!.throttleCount === 0;
}

function hasMovable(source: Rq, cpu: number): boolean {
  for (const p of source.fairTasks) if (isMovable(p) && p.allowed[cpu] === 1) return true;
  return false;
}

/** More fair tasks are queued than the running one, whatever keeps them. */
function hasExtra(rq: Rq): boolean {
  return rq.fairTasks.length > (rq.curr?.classId === ClassId.fair ? 1 : 0);
}

/** A CPU that is about to idle pulls one waiting fair task. True when it did. Fact 9.2. */
export function newidleBalance(m: Machine, rq: Rq): boolean {
  if (!m.fairWaits || m.rqs.length === 1) return false;
  const found = findBusiest(m, rq, true, hasMovable);
  return found !== undefined && pullFrom(m, found, rq, MigrateReason.newidleBalance, 1) > 0;
}

/** Asks for a look at the next tick: somebody waits, or a CPU became free for fair tasks. */
export function wantBalance(m: Machine): void {
  if (m.rqs.length === 1) return;
  m.fairWaits = true;
  const dueNs = tickAtOrAfter(m, m.nowNs + 1);
  if (!isPending(m.heap, m.balanceSlot) || m.heap.whenNs[m.balanceSlot]! > dueNs) arm(m.heap, m.balanceSlot, dueNs);
}

/**
 * Time between two looks of a CPU, in whole ticks: as many ms as there are CPUs, twice that while it finds nothing
 * to do, 16 times that less a tick while it is busy. Source: get_sd_balance_interval.
 */
export function balanceIntervalNs(m: Machine, rq: Rq, busy: boolean): Ns {
  const { hz } = m.scenario.machine;
  const ms = m.rqs.length * rq.balanceFactor * (busy ? BUSY_FACTOR : 1);
  const ticks = Math.ceil((ms * hz) / 1000) - (busy ? 1 : 0);
  // max_load_balance_interval: a tenth of a second per CPU.
  return Math.min(Math.max(1, ticks), Math.max(1, Math.floor((hz * m.rqs.length) / 10))) * m.rules.tickNs;
}

/**
 * A tick of the balancer: every CPU that is due looks, idle ones through the nohz kick of a busy one. Nobody looks while
 * no waiting task could move. The next tick is the first at which a CPU is due. O(CPUs), and that for each CPU that looks.
 */
export function onBalance(m: Machine): void {
  const waiting = m.rqs.filter((rq) => nrRunnable(rq) > 0 && rq.fairTasks.some(isMovable));
  m.fairWaits = m.rqs.some(hasExtra);
  const lookers = m.rqs.filter((rq) => !runsRt(rq));
  if (!lookers.some((rq) => waiting.some((source) => source !== rq && hasMovable(source, rq.cpu)))) return;
  let nextNs = Number.POSITIVE_INFINITY;
  for (const rq of lookers) {
    const idle = isIdle(rq);
    if (!idle) catchUp(m, rq);
    if (m.nowNs >= rq.lastBalanceNs + balanceIntervalNs(m, rq, !idle)) {
      balance(m, rq, idle);
      rq.lastBalanceNs = m.nowNs;
    }
    nextNs = Math.min(nextNs, rq.lastBalanceNs + balanceIntervalNs(m, rq, !isIdle(rq)));
  }
  arm(m.heap, m.balanceSlot, tickAtOrAfter(m, Math.max(m.nowNs + 1, nextNs)));
}

/** A busy CPU has looked in vain while nobody waited anywhere: those looks were no events, but they set the rhythm. */
function catchUp(m: Machine, rq: Rq): void {
  if (m.nowNs <= rq.lastBalanceNs + balanceIntervalNs(m, rq, true)) return;
  rq.balanceFailed = 0;
  rq.balanceFactor = 2;
  const interval = balanceIntervalNs(m, rq, true);
  const missed = Math.floor((m.nowNs - 1 - rq.lastBalanceNs) / interval);
  rq.lastBalanceNs = tickAtOrAfter(m, rq.lastBalanceNs + missed * interval);
}

/** One look. Source: sched_balance_rq. */
function balance(m: Machine, rq: Rq, idle: boolean): void {
  const found = findBusiest(m, rq, idle, hasMovable);
  if (found === undefined) {
    rq.balanceFailed = 0;
    rq.balanceFactor = 2;
    return;
  }
  const reason = idle ? MigrateReason.nohzIdleBalance : MigrateReason.periodicBalance;
  if (pullFrom(m, found, rq, reason, MAX_MOVES) > 0) rq.balanceFailed = 0;
  else rq.balanceFailed++;
  rq.balanceFactor = 1;
}

/**
 * Moves tasks until the imbalance is gone, those first that have waited longest. A task that is more load than the
 * imbalance stays, unless failures have mounted: each halves what it counts for. Returns how many moved. Source: detach_tasks.
 */
function pullFrom(m: Machine, found: Imbalance, rq: Rq, reason: number, most: number): number {
  let left = found.amount;
  let moved = 0;
  for (const p of [...found.source.fairTasks]) {
    if (moved >= most || left <= 0) break;
    if (!isMovable(p) || p.allowed[rq.cpu] !== 1 || isHot(m, p, rq.balanceFailed)) continue;
    const load = found.byLoad ? Math.max(1, hLoad(p)) : 1;
    if (found.byLoad && load / 2 ** rq.balanceFailed > left) continue;
    left -= load;
    moved++;
    pull(m, p, rq, reason);
  }
  return moved;
}

/** It ran less than the migration cost ago. Source: can_migrate_task, task_hot. */
function isHot(m: Machine, p: Task, failed: number): boolean {
  if (failed > CACHE_NICE_TRIES || p.policy === 'idle' || p.lastRanCpu < 0) return false;
  return m.nowNs - p.se.execStartNs < m.rules.migrationCostNs;
}

function pull(m: Machine, p: Task, rq: Rq, reason: number): void {
  moveQueuedTask(m, fairClass, p, rq, reason);
  // A newly idle CPU is picking its next task already.
  if (reason === MigrateReason.newidleBalance) return;
  if (rq.curr === undefined) reschedCurr(m, rq);
  // attach_task: the ordinary wake-up test.
  else if (rq.curr.classId === ClassId.fair) fairClass.wakeupPreempt(m, rq, p);
}
