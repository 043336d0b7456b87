// Conditions that move their waiters to a lock must know which: all waits for one name the same lock. For the kernel's
// requeue POSIX leaves other uses undefined; whoever was moved to a lock that nobody then unlocks would never wake.

import type { LockId } from '../trace/ids.ts';
import { innerSteps } from './check_program.ts';
import { childPath } from './json_path.ts';
import { addProblem, type ProblemList, quoted } from './problems.ts';
import type { LockSpec, Step, ThreadSpec } from './scenario.ts';

/** Reports waits for a condition with `requeue` that name another lock than the first one does. O(steps). */
export function checkConditions(
  problems: ProblemList,
  locks: readonly LockSpec[],
  threads: readonly ThreadSpec[],
): void {
  if (!locks.some((lock) => lock.kind === 'cond' && lock.requeue)) return;
  const lockOf = new Map<LockId, LockId>();
  const seen = new Set<readonly Step[]>();
  const walk = (steps: readonly Step[]): void => {
    for (const step of steps) {
      for (const inner of innerSteps(step)) walk(inner);
      if (step.op === 'condWait') checkWait(problems, locks, lockOf, step);
    }
  };
  for (const { program } of threads) {
    if (seen.has(program)) continue;
    seen.add(program);
    walk(program);
  }
}

function checkWait(
  problems: ProblemList,
  locks: readonly LockSpec[],
  lockOf: Map<LockId, LockId>,
  step: Step & { op: 'condWait' },
): void {
  const cond = locks[step.cond];
  if (cond?.kind !== 'cond' || !cond.requeue) return;
  const first = lockOf.get(step.cond) ?? step.lock;
  lockOf.set(step.cond, first);
  if (first === step.lock) return;
  addProblem(
    problems,
    'cond-locks',
    childPath(step.path, 'lock'),
    `The condition ${quoted(cond.name)} is waited for with ${quoted(locks[step.lock]?.name)} here, elsewhere with ${quoted(locks[first]?.name)}.`,
    'With "requeue" all waits for it name the same lock.',
  );
}
