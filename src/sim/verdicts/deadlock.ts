// deadlock: a circle of waits, each for a lock that the next one holds. Facts 6.11.

import { FindingKind, RecordKind } from '../../trace/records.ts';
import type { Fact } from '../../trace/verdicts.ts';
import type { Lock } from '../locking/lock_state.ts';
import type { Machine } from '../machine.ts';
import type { Task } from '../task.ts';

/** Who can end a wait for `lock`: its owner, or all who read. Semaphores, conditions and barriers have no holder. */
function holdersOf(m: Machine, lock: Lock): readonly Task[] {
  if (lock.owner !== undefined) return [lock.owner];
  if (lock.spec.kind !== 'rw' || lock.rw.readers === 0) return [];
  return m.tasks.filter((p) => p.held.includes(lock.id));
}

/** `p` began to wait for lock `id`: does that close a circle? O(tasks in the chain). */
export function noteCircle(m: Machine, p: Task, id: number): void {
  if (p.waitsFor !== id || isKnown(m, p.id, id)) return;
  const circle = circleFrom(m, p, p, new Set());
  if (circle === undefined) return;
  const forever =
    circle.every((q) => q.waitUntilNs === Number.POSITIVE_INFINITY) &&
    m.nextIntervention >= m.scenario.interventions.length;
  const facts: Fact[] = circle.map((q, i) => ({
    fact: 'waitsFor',
    task: q.id,
    lock: q.waitsFor,
    holder: circle[(i + 1) % circle.length]!.id,
    sinceNs: q.waitSinceNs,
  }));
  if (wasNoticed(m, circle)) facts.push({ fact: 'kernelNoticed', lock: id });
  m.tracker.deadlocks.push({
    fromNs: m.nowNs,
    tasks: circle.map((q) => q.id),
    locks: circle.map((q) => q.waitsFor),
    facts,
    forever,
  });
}

function isKnown(m: Machine, task: number, lock: number): boolean {
  return m.tracker.deadlocks.some((d) => {
    const at = d.tasks.indexOf(task);
    return at >= 0 && d.locks[at] === lock;
  });
}

/** The tasks on a way of waits from `p` back to `start`; undefined: there is none. */
function circleFrom(m: Machine, start: Task, p: Task, seen: Set<number>): Task[] | undefined {
  const lock = p.waitsFor >= 0 ? m.locks[p.waitsFor] : undefined;
  if (lock === undefined || seen.has(p.id)) return undefined;
  seen.add(p.id);
  for (const holder of holdersOf(m, lock)) {
    if (holder === start) return [p];
    const rest = circleFrom(m, start, holder, seen);
    if (rest !== undefined) return [p, ...rest];
  }
  return undefined;
}

/** Did the kernel say EDEADLK in this event? */
function wasNoticed(m: Machine, circle: readonly Task[]): boolean {
  const { records } = m;
  for (let i = records.count - 1; i >= 0 && records.tsNs[i] === m.nowNs; i--) {
    if (records.kind[i] !== RecordKind.finding || records.a[i] !== FindingKind.deadlockDetected) continue;
    if (circle.some((q) => q.id === records.task[i])) return true;
  }
  return false;
}

/** `task` gave up its wait for `lock`: a circle that it was in is open again. */
export function noteMemberLeft(m: Machine, task: number, lock: number): void {
  const { deadlocks } = m.tracker;
  for (let i = deadlocks.length - 1; i >= 0; i--) {
    const at = deadlocks[i]!.tasks.indexOf(task);
    if (at < 0 || deadlocks[i]!.locks[at] !== lock || m.tasks[task]!.waitsFor === lock) continue;
    const { forever: _forever, ...deadlock } = deadlocks.splice(i, 1)[0]!;
    m.tracker.done.push({ kind: 'deadlock', ...deadlock, toNs: m.nowNs, forever: false, ended: true });
  }
}

/** The end of the run: what still holds. One with time limits lasts until the first of them. */
export function endDeadlocks(m: Machine): void {
  for (const deadlock of m.tracker.deadlocks) {
    const limitNs = Math.min(...deadlock.tasks.map((id) => m.tasks[id]!.waitUntilNs));
    const toNs = deadlock.forever || limitNs === Number.POSITIVE_INFINITY ? m.nowNs : Math.max(m.nowNs, limitNs);
    m.tracker.done.push({ kind: 'deadlock', ...deadlock, toNs, ended: false });
  }
}
