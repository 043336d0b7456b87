// priority-inversion: a real-time or deadline task waits for a lock of a weaker one, and real-time tasks in between run
// in the holder's place: without bound. Or they would, but the holder inherits, and the wait is bounded by what it does
// with the lock. Facts 6.1-6.6, catalogue 1.

import { msToNs } from '../../base/units.ts';
import type { Fact } from '../../trace/verdicts.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { type Task, TaskState } from '../task.ts';
import type { OpenInversion, SeenInversion } from './state.ts';

/** Shorter bounded waits are what locks are for. */
const LONG_WAIT_NS = msToNs(1);

/** `p` began to wait for lock `id`. */
export function noteStrongWait(m: Machine, p: Task, id: number): void {
  const holder = m.locks[id]!.owner;
  if (p.waitsFor !== id || p.prio >= 100 || holder === undefined || holder.normalPrio <= p.prio) return;
  const { inversions } = m.tracker;
  if (inversions.some((i) => i.waiter === p.id && i.lock === id)) return;
  inversions.push({ waiter: p.id, lock: id, holder: holder.id, sinceNs: m.nowNs, ran: [] });
}

/** Who must run for the wait to end: the holder, or whom that one waits for. */
export function whoMustRun(m: Machine, inversion: OpenInversion): Task | undefined {
  let p = m.locks[inversion.lock]!.owner;
  for (let steps = 0; p !== undefined && p.waitsFor >= 0 && steps < m.tasks.length; steps++) {
    p = m.locks[p.waitsFor]!.owner;
  }
  return p;
}

/** `prev` ends a stint on `rq`, where `next` follows: did it run in the place of somebody whom a stronger one waits for? Cheap while no such wait is open. */
export function noteStintEnds(m: Machine, rq: Rq, prev: Task | undefined, next: Task | undefined): void {
  const { inversions, stintSinceNs } = m.tracker;
  const sinceNs = stintSinceNs[rq.cpu] ?? 0;
  stintSinceNs[rq.cpu] = m.nowNs;
  if (inversions.length === 0 || prev === undefined) return;
  for (const inversion of inversions) {
    const waiter = m.tasks[inversion.waiter]!;
    if (prev === waiter || prev.prio < waiter.prio || prev.waitsFor === inversion.lock) continue;
    // Among fair tasks the holder has its share of the CPU: that is a bound.
    if (prev.prio >= 100) continue;
    const holder = whoMustRun(m, inversion);
    if (holder === undefined || holder === prev || holder.cpu !== rq.cpu) continue;
    if (holder.onCpu && holder !== next) continue;
    if (holder.state !== TaskState.running) continue;
    const heldUpNs = m.tracker.waitingSinceNs[holder.id] ?? -1;
    if (heldUpNs < 0) continue;
    const ns = m.nowNs - Math.max(sinceNs, inversion.sinceNs, heldUpNs);
    if (ns > 0) addRan(inversion.ran, prev.id, ns);
  }
}

function addRan(ran: { readonly task: number; ns: number }[], task: number, ns: number): void {
  const known = ran.find((r) => r.task === task);
  if (known === undefined) ran.push({ task, ns });
  else known.ns += ns;
}

/** `task` has lock `id`, or gave it up. */
export function noteWaitOver(m: Machine, task: number, id: number): void {
  const { inversions } = m.tracker;
  const at = inversions.findIndex((i) => i.waiter === task && i.lock === id);
  if (at < 0 || m.tasks[task]!.waitsFor === id) return;
  addUp(m, inversions.splice(at, 1)[0]!, true);
}

function addUp(m: Machine, inversion: OpenInversion, ended: boolean): void {
  const lastedNs = m.nowNs - inversion.sinceNs;
  const bounded = inversion.ran.length === 0;
  if (bounded && (lastedNs < LONG_WAIT_NS || !isBetween(m, inversion))) return;
  const { seenInversions } = m.tracker;
  let seen = seenInversions.find(
    (s) => s.waiter === inversion.waiter && s.lock === inversion.lock && s.bounded === bounded,
  );
  if (seen === undefined) {
    const { waiter, lock, holder, sinceNs } = inversion;
    seen = { waiter, lock, bounded, holder, fromNs: sinceNs, toNs: m.nowNs, ended, longestNs: 0, ran: [] };
    seenInversions.push(seen);
  }
  seen.toNs = m.nowNs;
  seen.ended = ended;
  seen.longestNs = Math.max(seen.longestNs, lastedNs);
  for (const { task, ns } of inversion.ran) addRan(seen.ran, task, ns);
}

/** Is a real-time task ready where the holder ran, weaker than the waiter and stronger than the holder by itself? Only what the holder inherited kept it off. */
function isBetween(m: Machine, inversion: OpenInversion): boolean {
  if (m.locks[inversion.lock]!.spec.kind !== 'pi') return false;
  const waiter = m.tasks[inversion.waiter]!;
  const holder = m.tasks[inversion.holder]!;
  return m.rqs[holder.cpu]!.rt.queue.some(
    (p) => p !== waiter && p !== holder && p.prio > waiter.prio && p.prio < holder.normalPrio,
  );
}

/** The end of the run. */
export function endInversions(m: Machine): void {
  for (const rq of m.rqs) noteStintEnds(m, rq, rq.curr, undefined);
  for (const inversion of m.tracker.inversions) addUp(m, inversion, false);
  for (const seen of m.tracker.seenInversions) {
    if (!isToldAsHang(m, seen)) push(m, seen);
  }
}

/** Spinners that keep the holder away are told by their own finding. */
function isToldAsHang(m: Machine, seen: SeenInversion): boolean {
  return m.tracker.done.some((v) => v.kind === 'rt-spin-hang' && v.locks.includes(seen.lock) && v.toNs > seen.fromNs);
}

function push(m: Machine, seen: SeenInversion): void {
  const facts: Fact[] = [
    { fact: 'waitsFor', task: seen.waiter, lock: seen.lock, holder: seen.holder, sinceNs: seen.fromNs },
    { fact: 'waitedFor', task: seen.waiter, ns: seen.longestNs },
    ...seen.ran.map(({ task, ns }): Fact => ({ fact: 'ranInstead', task: seen.waiter, by: task, ns })),
    { fact: 'inversionBound', bounded: seen.bounded, ns: seen.longestNs },
  ];
  m.tracker.done.push({
    kind: 'priority-inversion',
    fromNs: seen.fromNs,
    toNs: seen.toNs,
    forever: false,
    ended: seen.ended,
    tasks: [seen.waiter, seen.holder, ...seen.ran.map((r) => r.task)],
    locks: [seen.lock],
    facts,
  });
}
