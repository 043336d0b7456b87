// starvation: a task is ready to run for long, and stronger tasks have its CPUs all the while. Fair tasks that wait
// their turn among fair ones do not starve: their wait is bounded by the others' slices.

import { msToNs } from '../../base/units.ts';
import type { Fact } from '../../trace/verdicts.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import { ClassId, RunMode, type Task, TaskState } from '../task.ts';
import { alwaysBeats, cpusOf, earliestRescueNs, mayBeBoosted, nothingHelps, rescues } from './keepers.ts';

/** Shorter waits are no finding. Ten times the longest fair slice on 8 CPUs at HZ 100. */
const LONG_WAIT_NS = msToNs(100);

/** `next` gets a CPU: had it starved until now? `prev` had the CPU before it. */
export function starvedUntilNow(m: Machine, rq: Rq, prev: Task | undefined, next: Task): void {
  const since = m.tracker.waitingSinceNs[next.id] ?? -1;
  if (since < 0 || m.nowNs - since < LONG_WAIT_NS || isHeldInHang(m, next, since)) return;
  const keeper = prev ?? rq.rt.queue[0];
  if (keeper === undefined || keeper.classId !== ClassId.rt || keeper.prio > next.prio) return;
  push(m, next, since, m.nowNs, false, true, [keptBy(rq.cpu, keeper, next)]);
}

/** A holder whose wait is told by an rt-spin-hang is not told twice. */
function isHeldInHang(m: Machine, p: Task, sinceNs: number): boolean {
  return (
    m.tracker.hangs.some((h) => h.holder === p.id) ||
    m.tracker.done.some((v) => v.kind === 'rt-spin-hang' && v.tasks[0] === p.id && v.toNs > sinceNs)
  );
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
    let proved = true;
    for (const cpu of cpusOf(m, p)) {
      const rq = m.rqs[cpu]!;
      const keeper = rq.rt.throttled ? undefined : rq.rt.queue.find((q) => q !== p && alwaysBeats(m, q, p));
      if (keeper === undefined) proved = false;
      else {
        kept.push(keptBy(cpu, keeper, p));
        if (!neverLeaves(m, keeper)) proved = false;
      }
    }
    // Nobody stronger on its own CPU: it waits among its equals.
    if (!kept.some((f) => f.fact === 'cpuKeptBy' && f.cpu === p.cpu)) continue;
    const facts = rescues(m, p);
    const forever = proved && nothingHelps(facts) && !mayBeBoosted(m, p);
    const toNs = forever ? m.nowNs : Math.max(m.nowNs, earliestRescueNs(facts) ?? m.nowNs);
    push(m, p, since, toNs, forever, false, kept);
  }
}

/** Runs for ever, or spins in a hang that is for ever. */
function neverLeaves(m: Machine, keeper: Task): boolean {
  if (keeper.mode === RunMode.forever) return true;
  return m.tracker.done.some((v) => v.kind === 'rt-spin-hang' && v.forever && v.tasks.includes(keeper.id));
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
