// rt-spin-hang: a lock's holder is ready to run, but every CPU that it may use is kept by a real-time task that
// spins, without ever sleeping, on a lock whose holder is in the same position. Follows from state alone.

import type { LockSpec } from '../../scenario/scenario.ts';
import type { Fact } from '../../trace/verdicts.ts';
import { endlessKind } from '../locking/backoff.ts';
import type { Lock, Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { serverActive } from '../sched/fair_server.ts';
import { type Task, TaskState } from '../task.ts';
import {
  alwaysBeats,
  canBeKept,
  cpusOf,
  earliestRescueNs,
  keptForGood,
  mayBeBoosted,
  nothingHelps,
  rescues,
  spinsEndlessly,
} from './keepers.ts';
import type { OpenHang } from './state.ts';

/** Locks whose holder is runnable without a CPU and that somebody spins on endlessly. */
function candidates(m: Machine): Lock[] {
  const list: Lock[] = [];
  for (const lock of m.locks) {
    const holder = lock.owner;
    if (lock.spinners.length === 0 || holder === undefined) continue;
    if (holder.state === TaskState.running && !holder.onCpu) list.push(lock);
  }
  return list;
}

/** The endless spinner that keeps `rq` from `holder`: it is queued there, and spins on one of `locks`. */
function keeperOf(m: Machine, rq: Rq, holder: Task, locks: readonly Lock[]): Task | undefined {
  if (!canBeKept(rq, holder)) return undefined;
  for (const p of rq.rt.queue) {
    const lock = p.waitsFor >= 0 ? m.locks[p.waitsFor]! : undefined;
    if (lock !== undefined && locks.includes(lock) && spinsEndlessly(p, lock) && alwaysBeats(m, p, holder)) return p;
  }
  return undefined;
}

/** Does every CPU that the holder may use have such a keeper? The holder may also run by grace of the fair server: then it is on a CPU. */
function isHung(m: Machine, lock: Lock, locks: readonly Lock[]): boolean {
  const holder = lock.owner!;
  for (const rq of m.rqs) {
    if (holder.allowed[rq.cpu] === 1 && keeperOf(m, rq, holder, locks) === undefined) return false;
  }
  return true;
}

/** The largest set of candidate locks that hang on one another alone. */
function hungLocks(m: Machine): Lock[] {
  let locks = candidates(m);
  for (;;) {
    const still = locks.filter((lock) => isHung(m, lock, locks));
    if (still.length === locks.length) return still;
    locks = still;
  }
}

function someSpin(locks: readonly Lock[]): boolean {
  for (let i = 0; i < locks.length; i++) if (locks[i]!.spinners.length > 0) return true;
  return false;
}

/** Opens a finding where a hang has formed, closes one that has ended. Called at the end of an event. */
export function lookForHangs(m: Machine): void {
  const open = m.tracker.hangs;
  if (open.length === 0 && !someSpin(m.locks)) return;
  const hung = hungLocks(m);
  for (let i = open.length - 1; i >= 0; i--) {
    const hang = open[i]!;
    const lock = m.locks[hang.lock]!;
    if (hung.includes(lock) && lock.owner!.id === hang.holder) continue;
    open.splice(i, 1);
    if (m.nowNs > hang.fromNs) close(m, { ...hang, facts: withWhatEnded(m, hang) }, m.nowNs, false, true);
  }
  for (const lock of hung) {
    if (!open.some((hang) => hang.lock === lock.id)) open.push(openHang(m, lock, hung));
  }
}

function openHang(m: Machine, lock: Lock, locks: readonly Lock[]): OpenHang {
  const holder = lock.owner!;
  const spinners: Task[] = [];
  const kept: Fact[] = [];
  const spins: Fact[] = [];
  for (const cpu of cpusOf(m, holder)) {
    const keeper = keeperOf(m, m.rqs[cpu]!, holder, locks)!;
    spinners.push(keeper);
    spins.push({ fact: 'spinsOn', task: keeper.id, lock: keeper.waitsFor, cpu, sinceNs: keeper.waitSinceNs });
    kept.push({ fact: 'cpuKeptBy', cpu, by: keeper.id, byPrio: keeper.prio, starvedPrio: holder.prio });
  }
  const facts: Fact[] = [
    { fact: 'holds', task: holder.id, lock: lock.id, sinceNs: lock.heldSinceNs },
    { fact: 'runnableOn', task: holder.id, cpu: holder.cpu, sinceNs: waitingSince(m, holder) },
    { fact: 'mayUse', task: holder.id, cpus: cpusOf(m, holder) },
    ...spins,
    ...kept,
    neverSleeps(lock),
    ...rescues(m, holder),
    ...limits(m, spinners),
  ];
  return { lock: lock.id, holder: holder.id, fromNs: m.nowNs, spinners: spinners.map((p) => p.id), facts };
}

function waitingSince(m: Machine, p: Task): number {
  const since = m.tracker.waitingSinceNs[p.id] ?? -1;
  return since >= 0 ? since : m.nowNs;
}

function neverSleeps(lock: Lock): Fact {
  const spec = lock.spec as Extract<LockSpec, { kind: 'spin' }>;
  return { fact: 'neverSleeps', lock: lock.id, backoff: endlessKind(spec.backoff) };
}

/** Spinners with a time limit leave by themselves. */
function limits(m: Machine, spinners: readonly Task[]): Fact[] {
  const atNs = Math.min(...spinners.map((p) => p.waitUntilNs));
  return Number.isFinite(atNs)
    ? [{ fact: 'rescue', by: 'timed-step', state: 'acts', atNs: Math.max(m.nowNs, atNs) }]
    : [];
}

/** At the end of the run: for ever where nothing can end it; else with the bound that is known. */
export function endHangs(m: Machine): void {
  const locks = m.tracker.hangs.map((hang) => m.locks[hang.lock]!);
  for (const hang of m.tracker.hangs.splice(0)) {
    const holder = m.tasks[hang.holder]!;
    const keepers = cpusOf(m, holder).map((cpu) => keeperOf(m, m.rqs[cpu]!, holder, locks));
    const present = keepers.filter((k) => k !== undefined);
    // What could help is asked anew: rules may have changed since the hang formed.
    const facts = [...hang.facts.filter((f) => f.fact !== 'rescue'), ...rescues(m, holder), ...limits(m, present)];
    const forever = nothingHelps(facts) && !mayBeBoosted(m, holder) && keptForGood(m, holder, present);
    const bound = forever ? m.nowNs : Math.max(m.nowNs, earliestRescueNs(facts) ?? m.nowNs);
    close(m, { ...hang, facts }, bound, forever, false);
  }
}

/** The facts with the rescue that came in place of those that were foretold: a throttle, a turn of the server, a flip. */
function withWhatEnded(m: Machine, hang: OpenHang): readonly Fact[] {
  const ended = whatEnded(m, hang);
  if (ended === undefined) return hang.facts;
  const others = hang.facts.filter((f) => f.fact !== 'rescue' || (f.state !== 'acts' && f.by !== ended.by));
  return [...others, ended];
}

function whatEnded(m: Machine, hang: OpenHang): Extract<Fact, { fact: 'rescue' }> | undefined {
  const holder = m.tasks[hang.holder]!;
  for (const cpu of cpusOf(m, holder)) {
    const rq = m.rqs[cpu]!;
    if (rq.rt.throttled) return { fact: 'rescue', by: 'rt-throttling', state: 'acts', atNs: m.nowNs };
    if (serverActive(rq)) return { fact: 'rescue', by: 'fair-server', state: 'acts', atNs: m.nowNs };
  }
  const flip = m.scenario.interventions[m.nextIntervention - 1];
  if (flip === undefined || flip.atNs < hang.fromNs) return undefined;
  return { fact: 'rescue', by: 'intervention', state: 'acts', atNs: flip.atNs };
}

function close(m: Machine, hang: OpenHang, toNs: number, forever: boolean, ended: boolean): void {
  m.tracker.done.push({
    kind: 'rt-spin-hang',
    fromNs: hang.fromNs,
    toNs,
    forever,
    ended,
    tasks: [hang.holder, ...hang.spinners.filter((id, i) => id !== hang.holder && hang.spinners.indexOf(id) === i)],
    locks: [hang.lock],
    facts: hang.facts,
  });
}
