// What is certain to be wrong with a program before it runs: loops that can never take time, unlocking what is not
// held, a condition waited for without its lock.
// Whatever depends on how the run goes is a finding of the run, not a problem of the document.

import type { LockId } from '../trace/ids.ts';
import { childPath } from './json_path.ts';
import { addProblem, type ProblemList } from './problems.ts';
import { longestNs } from './read_duration.ts';
import type { LockSpec, Step } from './scenario.ts';

/** Reports what is certain about `program`. O(steps), with a bound on nested loops. */
export function checkProgram(problems: ProblemList, program: readonly Step[], locks: readonly LockSpec[]): void {
  checkLoops(problems, program);
  const walk: Walk = { problems, locks, left: 100_000 };
  walkSteps(walk, program, new Map());
}

function checkLoops(problems: ProblemList, steps: readonly Step[]): void {
  for (const step of steps) {
    for (const inner of innerSteps(step)) checkLoops(problems, inner);
    if (step.op !== 'repeat' || !isEndless(step) || step.do.some(mayTakeTime)) continue;
    const forever = step.times === 'forever';
    addProblem(
      problems,
      'empty-loop',
      childPath(step.path, 'do'),
      `${forever ? 'A "repeat" without end' : 'A "repeat" until a time'} goes round steps that take no time, so it never leaves its instant.`,
      'Put a step that takes time into "do", for example { "sleep": "1ms" }.',
    );
  }
}

/** The lists of steps inside a step. */
export function innerSteps(step: Step): readonly (readonly Step[])[] {
  switch (step.op) {
    case 'repeat':
    case 'deadlineAt':
      return [step.do];
    case 'tryLock':
      return [step.then, step.else];
    case 'lock':
      return step.else === undefined ? [] : [step.else];
    default:
      return [];
  }
}

function isEndless(step: Step & { op: 'repeat' }): boolean {
  return step.times === 'forever' || (typeof step.times === 'object' && step.times.untilNs > 0);
}

/** False when the step can't take time, block, let others run or leave the loop, in any run. */
function mayTakeTime(step: Step): boolean {
  switch (step.op) {
    case 'run':
      return step.forNs === 'forever' || longestNs(step.forNs) > 0;
    case 'io':
      return longestNs(step.forNs) > 0;
    case 'runUntil':
    case 'sleepUntil':
      return step.atNs > 0;
    case 'mark':
      return false;
    case 'tryLock':
      return step.then.some(mayTakeTime) || step.else.some(mayTakeTime);
    case 'deadlineAt':
      return step.do.some(mayTakeTime);
    case 'repeat':
      // An inner loop without end is reported on its own.
      return isEndless(step) || (typeof step.times === 'number' && step.times > 0 && step.do.some(mayTakeTime));
    default:
      return true;
  }
}

/** How often a thread may hold a lock at a place of its program: above 1 only for reading. What is missing is not held on any way. */
type Holding = Map<LockId, number>;

interface Walk {
  readonly problems: ProblemList;
  readonly locks: readonly LockSpec[];
  /** Steps that may still be looked at: loops inside loops would multiply without end. */
  left: number;
}

/** Follows the steps in order, changing `held`. Returns false when the end is never reached. */
function walkSteps(walk: Walk, steps: readonly Step[], held: Holding): boolean {
  for (const step of steps) {
    if (--walk.left < 0) return false;
    if (!walkStep(walk, step, held)) return false;
  }
  return true;
}

function walkStep(walk: Walk, step: Step, held: Holding): boolean {
  switch (step.op) {
    case 'exit':
      return false;
    case 'run':
      return step.forNs !== 'forever';
    case 'lock':
      return walkLock(walk, step, held);
    case 'readLock':
      held.set(step.lock, (held.get(step.lock) ?? 0) + 1);
      return true;
    case 'condWait':
      checkCondWait(walk, step, held);
      return true;
    case 'deadlineAt':
      return walkSteps(walk, step.do, held);
    case 'tryLock':
      return walkBranches(walk, held, step.lock, step.then, step.else);
    case 'unlock':
      unlock(walk, step, held);
      return true;
    case 'repeat':
      return walkRepeat(walk, step, held);
    default:
      return true;
  }
}

function walkLock(walk: Walk, step: Step & { op: 'lock' }, held: Holding): boolean {
  // Without a timeout `else` is taken only where the kernel refuses (a PI lock that would deadlock).
  if (step.timeoutNs === undefined && step.else === undefined) {
    held.set(step.lock, 1);
    return true;
  }
  return walkBranches(walk, held, step.lock, [], step.else ?? []);
}

/** Goes both ways and joins what they leave behind. */
function walkBranches(walk: Walk, held: Holding, lock: LockId, got: readonly Step[], failed: readonly Step[]): boolean {
  const withLock: Holding = new Map(held).set(lock, 1);
  const without: Holding = new Map(held);
  const ends = [
    { reached: walkSteps(walk, got, withLock), held: withLock },
    { reached: walkSteps(walk, failed, without), held: without },
  ].filter((end) => end.reached);
  replace(held, join(ends.map((end) => end.held)));
  return ends.length > 0;
}

function walkRepeat(walk: Walk, step: Step & { op: 'repeat' }, held: Holding): boolean {
  if (step.times === 0) return true;
  const before: Holding = new Map(held);
  // Two rounds are followed: what the first leaves behind is what the second, and every later one, begins with.
  const goesRound = walkSteps(walk, step.do, held);
  if (step.times === 'forever') {
    if (goesRound) walkSteps(walk, step.do, held);
    return false;
  }
  if (typeof step.times === 'object') {
    const afterOne: Holding = new Map(held);
    replace(held, join(goesRound ? [before, afterOne] : [before]));
    return true;
  }
  return goesRound && (step.times === 1 || walkSteps(walk, step.do, held));
}

function unlock(walk: Walk, step: Step & { op: 'unlock' }, held: Holding): void {
  const name = walk.locks[step.lock]?.name ?? '';
  const before = held.get(step.lock);
  if (before === undefined) {
    addProblem(
      walk.problems,
      'unlock-not-held',
      childPath(step.path, 'unlock'),
      `This unlocks ${JSON.stringify(name)}, which the thread does not hold here.`,
      `Lock it first: { "lock": ${JSON.stringify(name)} }.`,
    );
  }
  if (before !== undefined && before > 1) held.set(step.lock, before - 1);
  else held.delete(step.lock);
}

function checkCondWait(walk: Walk, step: Step & { op: 'condWait' }, held: Holding): void {
  if (held.has(step.lock)) return;
  const name = JSON.stringify(walk.locks[step.lock]?.name ?? '');
  addProblem(
    walk.problems,
    'cond-lock',
    childPath(step.path, 'lock'),
    `This waits for a condition with ${name}, which the thread does not hold here.`,
    `Lock it first: { "lock": ${name} }.`,
  );
}

/** What is held on some way. */
function join(ways: readonly Holding[]): Holding {
  const joined: Holding = new Map();
  for (const way of ways) for (const [lock, times] of way) joined.set(lock, Math.max(times, joined.get(lock) ?? 0));
  return joined;
}

function replace(target: Holding, source: Holding): void {
  target.clear();
  for (const [lock, state] of source) target.set(lock, state);
}
