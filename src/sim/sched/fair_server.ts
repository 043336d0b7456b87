// The fair server (6.12 and later): a deferred deadline server per CPU that gives starved fair tasks a budget.
// Source: kernel/sched/deadline.c dl_server_* and its state table (v6.12), fair.c. Facts 4.6, 17.
// While it is active it stands among the deadline tasks, by its deadline; its share counts in their admission.

import { arm, cancel } from '../../base/indexed_heap.ts';
import { msToNs, type Ns } from '../../base/units.ts';
import { WaitReason } from '../../trace/reasons.ts';
import { chargeTimerInterrupt, touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import { recordFairServer } from '../recorder.ts';
import { type Rq, ServerState } from '../rq.ts';
import { reschedCurr } from './resched.ts';

const DEFER_MARGIN_NS = msToNs(1);

/**
 * Fair tasks became runnable on this CPU: arm the alarm at the zero-laxity point. Deadline and budget of the last
 * time are kept while they still hold: the deadline has not passed and the budget is no more than the server's
 * share of the time left (the wake-up rule of any deadline entity). Source: update_dl_entity, dl_entity_overflow.
 */
export function startFairServer(m: Machine, rq: Rq): void {
  const params = m.rules.fairServer;
  const server = rq.server;
  if (params === undefined || server.state !== ServerState.stopped) return;
  if (!stillHolds(m, rq, params)) newPeriod(m, rq, params.periodNs, params.runtimeNs);
  server.state = ServerState.deferred;
  arm(m.heap, rq.serverSlot, Math.max(m.nowNs, server.deadlineNs - server.budgetNs));
}

function stillHolds(m: Machine, rq: Rq, params: { readonly periodNs: Ns; readonly runtimeNs: Ns }): boolean {
  const left = rq.server.deadlineNs - m.nowNs;
  return left > 0 && rq.server.budgetNs > 0 && rq.server.budgetNs * params.periodNs <= params.runtimeNs * left;
}

/** No fair task is left to serve. Deadline and budget stay for a restart before the deadline. */
export function stopFairServer(m: Machine, rq: Rq): void {
  if (rq.server.state === ServerState.stopped) return;
  if (rq.server.state === ServerState.running) recordFairServer(m, rq.cpu, 0);
  rq.server.state = ServerState.stopped;
  rq.serverRuns = false;
  cancel(m.heap, rq.serverSlot);
}

function newPeriod(m: Machine, rq: Rq, periodNs: Ns, runtimeNs: Ns): void {
  rq.server.deadlineNs = m.nowNs + periodNs;
  rq.server.budgetNs = runtimeNs;
}

/** Fair time, served or not, uses the budget up. Deferred: a new period then, so that the alarm stays away. Running: the stint ends. */
export function accountFairServer(m: Machine, rq: Rq, deltaNs: Ns): void {
  const params = m.rules.fairServer;
  const server = rq.server;
  if (params === undefined || server.state === ServerState.stopped || deltaNs <= 0) return;
  if (server.state === ServerState.throttled) {
    // Fair tasks run without its help: back to the beginning. Source: update_curr_dl_se, dl_defer_running = 0.
    newPeriod(m, rq, params.periodNs, params.runtimeNs);
    server.state = ServerState.deferred;
    arm(m.heap, rq.serverSlot, server.deadlineNs - server.budgetNs);
    return;
  }
  server.budgetNs -= deltaNs;
  if (server.budgetNs > 0) return;
  if (server.state === ServerState.deferred) {
    newPeriod(m, rq, params.periodNs, params.runtimeNs);
    arm(m.heap, rq.serverSlot, server.deadlineNs - server.budgetNs);
    return;
  }
  // Fact 17: the next turn comes a period less the budget after the end of this one, and is not deferred again.
  server.state = ServerState.throttled;
  rq.serverRuns = false;
  recordFairServer(m, rq.cpu, 0);
  if (rq.curr !== undefined) rq.curr.offReason = WaitReason.serverEnded;
  arm(m.heap, rq.serverSlot, m.nowNs + params.periodNs - params.runtimeNs);
  reschedCurr(m, rq);
}

/** The server's timer: zero laxity reached, or the end of its throttle. */
export function onFairServer(m: Machine, rq: Rq): void {
  const params = m.rules.fairServer;
  const server = rq.server;
  if (params === undefined || server.state === ServerState.stopped || server.state === ServerState.running) return;
  touch(m, rq);
  chargeTimerInterrupt(m, rq);
  const due = server.deadlineNs - server.budgetNs;
  if (server.state === ServerState.deferred && m.nowNs < due - DEFER_MARGIN_NS) {
    arm(m.heap, rq.serverSlot, due);
    return;
  }
  server.state = ServerState.running;
  server.seq = m.queueSeq++;
  newPeriod(m, rq, params.periodNs, params.runtimeNs);
  recordFairServer(m, rq.cpu, 1);
  reschedCurr(m, rq);
}

/** No deadline task is to run before the active server: strictly earlier ones, and of equal ones those that queued first. */
export function serverIsEarliest(rq: Rq): boolean {
  const first = rq.dl.queue[0];
  if (first === undefined || first.dl.deadlineNs > rq.server.deadlineNs) return true;
  return first.dl.deadlineNs === rq.server.deadlineNs && first.dl.seq > rq.server.seq;
}

/** True while the server's pick goes before any real-time task. */
export function serverActive(rq: Rq): boolean {
  return rq.server.state === ServerState.running;
}

/** The rules changed (an intervention). */
export function fairServerChanged(m: Machine, startNow: (rq: Rq) => boolean): void {
  for (const rq of m.rqs) {
    touch(m, rq);
    // fair.c sched_fair_server_write: stop, take the new numbers, start again.
    const ran = rq.serverRuns;
    stopFairServer(m, rq);
    if (ran) reschedCurr(m, rq);
    if (m.rules.fairServer === undefined) rq.server.deadlineNs = 0;
    else if (startNow(rq)) startFairServer(m, rq);
  }
}
