// Where a fair task wakes. Source: fair.c select_task_rq_fair, select_idle_sibling (v6.12), for one last-level cache.
// Fact 9.1, in its simulator form: previous CPU if idle, else the lowest idle allowed one, else the previous.
// Not modelled: wake_affine's comparison of loads, SMT, several caches.

import type { Machine } from '../machine.ts';
import { nrRunnable, type Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import { QueueFlag } from './class.ts';

/** Nothing runs or waits here. */
export function isIdle(rq: Rq): boolean {
  return rq.curr === undefined && nrRunnable(rq) === 0 && rq.rt.queue.length + rq.dl.queue.length === 0;
}

/** A CPU that runs only SCHED_IDLE tasks counts as idle for others. */
function isIdleFor(rq: Rq, p: Task): boolean {
  if (isIdle(rq)) return true;
  if (p.policy === 'idle' || rq.rt.queue.length + rq.dl.queue.length > 0 || rq.cfs.hNrQueued === 0) return false;
  if (rq.curr !== undefined && rq.curr.policy !== 'idle') return false;
  return rq.fairTasks.every((q) => q.policy === 'idle' || q.se.schedDelayed);
}

/** Notes that nothing, or something, is current on `cpu`. */
export function markResting(m: Machine, cpu: number, rests: boolean): void {
  const bit = 1 << (cpu & 31);
  if (rests) m.restingCpus[cpu >> 5]! |= bit;
  else m.restingCpus[cpu >> 5]! &= ~bit;
}

/** The lowest idle CPU that `p` may use; -1: none. Looks at resting CPUs only, unless SCHED_IDLE tasks may be about. */
function firstIdle(m: Machine, p: Task): number {
  if (m.mayUseIdlePolicy) {
    for (const rq of m.rqs) if (p.allowed[rq.cpu] === 1 && isIdleFor(rq, p)) return rq.cpu;
    return -1;
  }
  for (let word = 0; word < m.restingCpus.length; word++) {
    for (let bits = m.restingCpus[word]!; bits !== 0; bits &= bits - 1) {
      const cpu = (word << 5) + 31 - Math.clz32(bits & -bits);
      if (p.allowed[cpu] === 1 && isIdle(m.rqs[cpu]!)) return cpu;
    }
  }
  return -1;
}

export function selectTaskRqFair(m: Machine, p: Task, prevCpu: number, flags: number): number {
  if ((flags & QueueFlag.initial) !== 0) return idlestCpu(m, p, prevCpu);
  if (p.allowed[prevCpu] === 1 && isIdleFor(m.rqs[prevCpu]!, p)) return prevCpu;
  const idle = firstIdle(m, p);
  if (idle >= 0) return idle;
  return p.allowed[prevCpu] === 1 ? prevCpu : p.allowed.indexOf(1);
}

/** A forked child goes to the idlest CPU: an idle one, its parent's first, else the one with the fewest tasks. */
function idlestCpu(m: Machine, p: Task, prevCpu: number): number {
  let best = -1;
  let fewest = Number.POSITIVE_INFINITY;
  for (const rq of m.rqs) {
    if (p.allowed[rq.cpu] !== 1) continue;
    const tasks = nrRunnable(rq) + rq.rt.queue.length + rq.dl.queue.length;
    if (tasks < fewest || (tasks === fewest && rq.cpu === prevCpu)) {
      best = rq.cpu;
      fewest = tasks;
    }
  }
  return best;
}
