// starvation: a task is ready to run for long, and stronger tasks have its CPUs all the while. Fair tasks that wait
// their turn among fair ones do not starve: their wait is bounded by the others' slices.

import { msToNs } from '../../base/units.ts';
import type { Fact } from '../../trace/verdicts.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { ClassId, RunMode, type Task, TaskState } from '../task.ts';
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
  spinsInVain,
} from './keepers.ts';
import { whoMustRun } from './priority_inversion.ts';

/** Shorter waits are no finding. Ten times the longest fair slice on 8 CPUs at HZ 100. */
const LONG_WAIT_NS = msToNs(100);

/** `next` gets a CPU: had it starved until now? `prev` had the CPU before it. */
export function starvedUntilNow(m: Machine, rq: Rq, prev: Task | undefined, next: Task): void {
  const since = m.tracker.waitingSinceNs[next.id] ?? -1;
  if (since < 0 || m.nowNs - since < LONG_WAIT_NS || isHeldInHang(m, next, since) || isHeldInInversion(m, next)) return;
  const keeper = keeperUntilNow(m, rq, prev, next);
  if (keeper === undefined) return;
  push(m, next, since, m.nowNs, false, true, [keptBy(rq.cpu, keeper, next)]);
}

/** The real-time task that had the CPU until this switch; one that has just lost its boost, or left, is known from when the wait began. */
function keeperUntilNow(m: Machine, rq: Rq, prev: Task | undefined, next: Task): Task | undefined {
  const last = prev ?? rq.rt.queue[0];
  if (last !== undefined && last.classId === ClassId.rt && last.prio <= next.prio) return last;
  const first = m.tracker.waitsBehind[next.id] ?? -1;
  return first >= 0 ? m.tasks[first] : undefined;
}

/** A holder whose wait is told by an rt-spin-hang is not told twice. */
function isHeldInHang(m: Machine, p: Task, sinceNs: number): boolean {
  return (
    m.tracker.hangs.some((h) => h.holder === p.id) ||
    m.tracker.done.some((v) => v.kind === 'rt-spin-hang' && v.tasks[0] === p.id && v.toNs > sinceNs)
  );
}

/** Nor one whose wait is what makes an inversion. */
function isHeldInInversion(m: Machine, p: Task): boolean {
  return m.tracker.inversions.some((i) => i.ran.length > 0 && whoMustRun(m, i) === p);
}

function keptBy(cpu: number, keeper: Task, starved: Task): Fact {
  return { fact: 'cpuKeptBy', cpu, by: keeper.id, byPrio: keeper.prio, starvedPrio: starved.prio };
}

/** At the end of the run: those who have waited long and still wait. */
export function endStarvation(m: Machine): void {
  for (const p of m.tasks) {
    const since = m.tracker.waitingSinceNs[p.id] ?? -1;
    if (since < 0 || p.onCpu || p.state !== TaskState.running) continue;
    if (m.nowNs - since < LONG_WAIT_NS || isHeldInHang(m, p, since)) continue;
    const kept: Fact[] = [];
    const keepers: Task[] = [];
    for (const cpu of cpusOf(m, p)) {
      const keeper = keeperOf(m, m.rqs[cpu]!, p);
      if (keeper === undefined) continue;
      kept.push(keptBy(cpu, keeper, p));
      if (neverLeaves(m, keeper)) keepers.push(keeper);
    }
    // Nobody stronger on its own CPU: it waits among its equals.
    if (!kept.some((f) => f.fact === 'cpuKeptBy' && f.cpu === p.cpu)) continue;
    const facts = rescues(m, p);
    const forever = nothingHelps(facts) && !mayBeBoosted(m, p) && keptForGood(m, p, keepers);
    const toNs = forever ? m.nowNs : Math.max(m.nowNs, earliestRescueNs(facts) ?? m.nowNs);
    push(m, p, since, toNs, forever, false, kept);
  }
}

/** Who keeps `rq` from `p`: one that never leaves, if there is one. */
function keeperOf(m: Machine, rq: Rq, p: Task): Task | undefined {
  if (!canBeKept(rq, p)) return undefined;
  const stronger = rq.rt.queue.filter((q) => q !== p && alwaysBeats(m, q, p));
  return stronger.find((q) => neverLeaves(m, q)) ?? stronger[0];
}

/** Runs for ever, or spins on a lock that hangs for ever or that nobody will ever release. */
function neverLeaves(m: Machine, keeper: Task): boolean {
  if (keeper.mode === RunMode.forever || spinsInVain(m, keeper)) return true;
  const lock = keeper.waitsFor >= 0 ? m.locks[keeper.waitsFor] : undefined;
  if (lock === undefined || !spinsEndlessly(keeper, lock) || Number.isFinite(keeper.waitUntilNs)) return false;
  return m.tracker.done.some((v) => v.kind === 'rt-spin-hang' && v.forever && v.locks.includes(lock.id));
}

function push(
  m: Machine,
  p: Task,
  fromNs: number,
  toNs: number,
  forever: boolean,
  ended: boolean,
  kept: readonly Fact[],
): void {
  m.tracker.done.push({
    kind: 'starvation',
    fromNs,
    toNs,
    forever,
    ended,
    tasks: [p.id],
    locks: [...p.held],
    facts: [
      { fact: 'runnableOn', task: p.id, cpu: p.cpu, sinceNs: fromNs },
      { fact: 'waitedFor', task: p.id, ns: Math.min(toNs, m.nowNs) - fromNs },
      { fact: 'mayUse', task: p.id, cpus: cpusOf(m, p) },
      ...kept,
      ...rescues(m, p),
    ],
  });
}
