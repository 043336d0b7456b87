// Barriers that can never fill: more parties than there can ever be threads that come to them.

import { innerSteps } from './check_program.ts';
import { childPath } from './json_path.ts';
import { addProblem, type ProblemList, quoted } from './problems.ts';
import type { LockSpec, Step, ThreadSpec } from './scenario.ts';

/** What a program can come to: barriers, and how often each thread is forked at most. */
interface Reach {
  readonly barriers: Set<number>;
  /** By index of the forked thread. */
  readonly forks: Map<number, number>;
}

/** Reports barriers that somebody waits at and that can never fill. A barrier that nobody uses is none. O(steps + forks). */
export function checkBarriers(problems: ProblemList, locks: readonly LockSpec[], threads: readonly ThreadSpec[]): void {
  if (!locks.some((lock) => lock.kind === 'barrier')) return;
  // Threads of one `count` share their program.
  const known = new Map<readonly Step[], Reach>();
  const reaches = threads.map(({ program }) => {
    let reach = known.get(program);
    if (reach === undefined) {
      reach = { barriers: new Set(), forks: new Map() };
      follow(program, 1, reach);
      known.set(program, reach);
    }
    return reach;
  });
  const instances = mostInstances(threads, reaches);
  locks.forEach((lock, id) => {
    if (lock.kind !== 'barrier') return;
    let most = 0;
    for (const [i, reach] of reaches.entries()) if (reach.barriers.has(id)) most += instances[i]!;
    if (most === 0 || most >= lock.parties) return;
    addProblem(
      problems,
      'barrier-parties',
      childPath(childPath('locks', lock.name), 'parties'),
      `The barrier ${quoted(lock.name)} waits for ${lock.parties} threads, and ${most === 1 ? 'only one comes' : `only ${most} come`} to it.`,
      `Write "parties": ${most}, or let more threads come to it.`,
    );
  });
}

/** Collects what `steps`, done `times` times, can come to. False: what follows them is never reached. */
function follow(steps: readonly Step[], times: number, reach: Reach): boolean {
  for (const step of steps) {
    switch (step.op) {
      case 'exit':
        return false;
      case 'run':
        if (step.forNs === 'forever') return false;
        break;
      case 'barrier':
        reach.barriers.add(step.barrier);
        break;
      case 'fork':
        reach.forks.set(step.thread, (reach.forks.get(step.thread) ?? 0) + times);
        break;
      case 'repeat':
        if (step.times === 0) break;
        if (!follow(step.do, typeof step.times === 'number' ? times * step.times : Number.POSITIVE_INFINITY, reach))
          return typeof step.times === 'object';
        if (step.times === 'forever') return false;
        break;
      default: {
        const branches = innerSteps(step).map((inner) => follow(inner, times, reach));
        // A lock without "else" goes on in any case; a step with both branches ends when both do.
        if (branches.length > 0 && step.op !== 'lock' && !branches.includes(true)) return false;
      }
    }
  }
  return true;
}

/**
 * How many tasks of each thread there can be at most; Infinity where forks go round.
 *
 * Counts grow along forks, at most once a thread: a chain without a circle is no longer than that.
 */
function mostInstances(threads: readonly ThreadSpec[], reaches: readonly Reach[]): readonly number[] {
  let counts: number[] = threads.map((thread) => (thread.start === 'fork' ? 0 : 1));
  const forking = reaches.flatMap((reach, i) => (reach.forks.size > 0 ? [i] : []));
  for (let round = 0; round <= forking.length; round++) {
    const next: number[] = threads.map((thread) => (thread.start === 'fork' ? 0 : 1));
    for (const i of forking) {
      if (counts[i] === 0) continue;
      for (const [child, times] of reaches[i]!.forks) next[child] = next[child]! + counts[i]! * times;
    }
    if (next.every((count, i) => count === counts[i])) return counts;
    counts = next;
  }
  return counts.map((count, i) => (threads[i]!.start === 'fork' && count > 0 ? Number.POSITIVE_INFINITY : count));
}
