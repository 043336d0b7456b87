// Who keeps a CPU from a task for good, and what could still help it. The rules behind every "for ever".

import type { CpuId } from '../../trace/ids.ts';
import type { Fact } from '../../trace/verdicts.ts';
import { endlessKind, everSleeps } from '../locking/backoff.ts';
import type { Lock, Machine } from '../machine.ts';
import { nrRunnable, type Rq, ServerState } from '../rq.ts';
import { serverActive } from '../sched/fair_server.ts';
import { throttleTickNs } from '../sched/rt_bandwidth.ts';
import { ClassId, RunMode, type Task, TaskState } from '../task.ts';

/** CPUs that `p` may use, ascending. */
export function cpusOf(m: Machine, p: Task): CpuId[] {
  const cpus: CpuId[] = [];
  for (const rq of m.rqs) if (p.allowed[rq.cpu] === 1) cpus.push(rq.cpu);
  return cpus;
}

/** `p` spins on `lock` with a back-off that never gives the CPU away to a weaker class, and without a time limit. */
export function spinsEndlessly(p: Task, lock: Lock): boolean {
  return p.mode === RunMode.spin && lock.spec.kind === 'spin' && !everSleeps(lock.spec.backoff);
}

/**
 * Queued on the CPU of `starved`, `keeper` is always chosen before it, at its present priorities: it is real-time and
 * stronger; or of equal priority where neither a yield nor an RR quantum ever puts it behind.
 */
export function alwaysBeats(m: Machine, keeper: Task, starved: Task): boolean {
  return keeper.classId === ClassId.rt && beatsAt(m, keeper, keeper.prio, starved);
}

/** The same by its own priority, which no waiter lends it and none can take back. */
function beatsByItself(m: Machine, keeper: Task, starved: Task): boolean {
  return keeper.normalPrio < 100 && beatsAt(m, keeper, keeper.normalPrio, starved);
}

function beatsAt(m: Machine, keeper: Task, prio: number, starved: Task): boolean {
  if (prio !== starved.prio) return prio < starved.prio;
  const lock = keeper.waitsFor >= 0 ? m.locks[keeper.waitsFor] : undefined;
  const yields = lock !== undefined && lock.spec.kind === 'spin' && endlessKind(lock.spec.backoff) !== 'none';
  return !yields && keeper.policy !== 'rr';
}

/** May `rq` be kept from `starved` by real-time tasks at all? A throttle, or a turn of the fair server, gives it to fair tasks. */
export function canBeKept(rq: Rq, starved: Task): boolean {
  return starved.classId === ClassId.rt || !(rq.rt.throttled || (serverActive(rq) && nrRunnable(rq) > 0));
}

/**
 * Do `keepers`, one for each CPU that `starved` may use, keep it off for good? Each must beat it by itself, and none may
 * be taken away: either they can go nowhere else (then the strongest RT tasks always fill these CPUs), or nobody is left
 * who could preempt and push one.
 */
export function keptForGood(m: Machine, starved: Task, keepers: readonly Task[]): boolean {
  if (new Set(keepers).size < starved.allowedCount) return false;
  if (!keepers.every((k) => beatsByItself(m, k, starved))) return false;
  const confined = keepers.every((k) => cpusOf(m, k).every((cpu) => starved.allowed[cpu] === 1));
  return confined || !somebodyMayDisplace(m, starved, keepers);
}

/** A living task beside those that may be, or become, stronger than one of `keepers`. */
function somebodyMayDisplace(m: Machine, starved: Task, keepers: readonly Task[]): boolean {
  if (m.nextStart < m.starts.length && m.starts.slice(m.nextStart).some((s) => mayBeat(m, m.tasks[s.task]!, keepers)))
    return true;
  for (const p of m.tasks) {
    if (p === starved || keepers.includes(p) || p.state === TaskState.dead) continue;
    if (mayBeat(m, p, keepers)) return true;
  }
  return false;
}

function mayBeat(m: Machine, p: Task, keepers: readonly Task[]): boolean {
  const strongest = Math.min(p.prio, p.normalPrio);
  if (keepers.some((k) => strongest < k.normalPrio)) return true;
  return m.programs[p.spec]!.some(
    (op) =>
      op.op === 'fork' ||
      (op.op === 'set' && op.set.policy !== undefined) ||
      (op.op === 'set' && op.set.rtPrio !== undefined),
  );
}

/** Spins for good: nobody will ever release the lock, since its holder has ended or is the spinner itself. */
export function spinsInVain(m: Machine, p: Task): boolean {
  const lock = p.waitsFor >= 0 ? m.locks[p.waitsFor] : undefined;
  if (lock === undefined || !spinsEndlessly(p, lock) || Number.isFinite(p.waitUntilNs)) return false;
  return lock.owner === p || lock.owner?.state === TaskState.dead;
}

/** What the machine could still do for `starved`, which waits on `rq`: each safety net, and when it acts. */
export function rescues(m: Machine, starved: Task): Fact[] {
  return [throttlingRescue(m, starved), fairServerRescue(m, starved), ...interventionRescue(m)];
}

function throttlingRescue(m: Machine, starved: Task): Fact {
  const by = 'rt-throttling';
  if (!m.rules.flavour.rtThrottles) return { fact: 'rescue', by, state: 'absent' };
  if (m.rules.rtThrottle === undefined) return { fact: 'rescue', by, state: 'off' };
  // The throttle stops every real-time task, a real-time holder too.
  if (starved.classId === ClassId.rt) return { fact: 'rescue', by, state: 'does-not-help' };
  let atNs = Number.POSITIVE_INFINITY;
  for (const rq of m.rqs) {
    if (starved.allowed[rq.cpu] !== 1) continue;
    atNs = Math.min(atNs, rq.rt.throttled ? m.nowNs : (throttleTickNs(m, rq) ?? Number.POSITIVE_INFINITY));
  }
  return Number.isFinite(atNs) ? { fact: 'rescue', by, state: 'acts', atNs } : { fact: 'rescue', by, state: 'acts' };
}

function fairServerRescue(m: Machine, starved: Task): Fact {
  const by = 'fair-server';
  if (!m.rules.flavour.fairServer) return { fact: 'rescue', by, state: 'absent' };
  if (m.rules.fairServer === undefined) return { fact: 'rescue', by, state: 'off' };
  if (starved.classId === ClassId.rt) return { fact: 'rescue', by, state: 'does-not-help' };
  return { fact: 'rescue', by, state: 'acts', atNs: serverTurnNs(m, m.rqs[starved.cpu]!) };
}

/** When the fair server of `rq` gives its tasks their next turn. */
function serverTurnNs(m: Machine, rq: Rq): number {
  const server = rq.server;
  if (server.state === ServerState.deferred) return Math.max(m.nowNs, server.deadlineNs - server.budgetNs);
  return m.heap.position[rq.serverSlot]! >= 0 ? m.heap.whenNs[rq.serverSlot]! : m.nowNs;
}

function interventionRescue(m: Machine): Fact[] {
  const next = m.scenario.interventions[m.nextIntervention];
  return next === undefined ? [] : [{ fact: 'rescue', by: 'intervention', state: 'acts', atNs: next.atNs }];
}

/** Nothing of what is known can end it. */
export function nothingHelps(facts: readonly Fact[]): boolean {
  return !facts.some((f) => f.fact === 'rescue' && f.state === 'acts');
}

/** The earliest instant at which something known can end it; undefined when none is known. */
export function earliestRescueNs(facts: readonly Fact[]): number | undefined {
  let atNs: number | undefined;
  for (const f of facts) {
    if (f.fact !== 'rescue' || f.state !== 'acts' || f.atNs === undefined) continue;
    if (atNs === undefined || f.atNs < atNs) atNs = f.atNs;
  }
  return atNs;
}

/**
 * Somebody may still lend `p` a priority: it holds a PI mutex that another living task's program takes. Then no
 * proof is given.
 */
export function mayBeBoosted(m: Machine, p: Task): boolean {
  for (const id of p.held) {
    if (m.locks[id]!.spec.kind !== 'pi') continue;
    for (const other of m.tasks) {
      if (other === p) continue;
      if (m.programs[other.spec]!.some((op) => op.op === 'lock' && op.lock === id)) return true;
    }
  }
  return false;
}
