// Reads the steps that act on a lock and hold no steps of their own, and the names of locks.

import type { LockId } from '../trace/ids.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { kindOf, own } from './json_value.ts';
import { listNames, nearestName } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import type { KnownLock, LockKind } from './read_locks.ts';
import { fieldName, missingKey } from './read_value.ts';
import type { Step } from './scenario.ts';

/** What names of locks are read against. */
export interface LockNameContext extends ReadContext {
  readonly locks: ReadonlyMap<string, KnownLock>;
}

/** Locks that `lock`, `tryLock` and `unlock` may name. */
export const MUTEX_KINDS: readonly LockKind[] = [
  'futex',
  'adaptive',
  'pi',
  'protect',
  'handoff',
  'kernel',
  'spin',
  'rw',
];

/** Locks that a thread may give up while it waits for a condition: all that one thread holds alone. */
const COND_LOCK_KINDS: readonly LockKind[] = MUTEX_KINDS.filter((kind) => kind !== 'rw');

/** The steps that act on a lock of a kind, for hints. */
function stepsOf(kind: LockKind): string {
  switch (kind) {
    case 'sem':
      return '"wait" and "post"';
    case 'cond':
      return '"condWait", "signal" and "broadcast"';
    case 'barrier':
      return '"barrier"';
    case 'rw':
      return '"lock", "readLock", "tryLock" and "unlock"';
    default:
      return '"lock", "tryLock" and "unlock"';
  }
}

/**
 * A step that acts on a lock; undefined with its problem reported.
 *
 * @param name one of the keys below
 */
export function readSyncStep(ctx: LockNameContext, name: string, object: JsonObject, path: string): Step | undefined {
  const lockOf = (kinds: readonly LockKind[]): LockId | undefined =>
    readLockName(ctx, own(object, name), childPath(path, name), kinds);
  switch (name) {
    case 'unlock': {
      const lock = lockOf(MUTEX_KINDS);
      return lock === undefined ? undefined : { op: name, lock, path };
    }
    case 'readLock': {
      const lock = lockOf(['rw']);
      return lock === undefined ? undefined : { op: name, lock, path };
    }
    case 'wait':
    case 'post': {
      const sem = lockOf(['sem']);
      return sem === undefined ? undefined : { op: name, sem, path };
    }
    case 'signal':
    case 'broadcast': {
      const cond = lockOf(['cond']);
      return cond === undefined ? undefined : { op: name, cond, path };
    }
    case 'barrier': {
      const barrier = lockOf(['barrier']);
      return barrier === undefined ? undefined : { op: name, barrier, path };
    }
    case 'condWait':
      return readCondWait(ctx, object, path);
    default:
      throw new Error(`no reader for the step ${name}`);
  }
}

function readCondWait(ctx: LockNameContext, object: JsonObject, path: string): Step | undefined {
  const cond = readLockName(ctx, own(object, 'condWait'), childPath(path, 'condWait'), ['cond']);
  if (own(object, 'lock') === undefined) {
    missingKey(ctx, path, 'lock', 'The step "condWait"', '"lock": "m", the lock that is given up during the wait.');
    return undefined;
  }
  const lock = readLockName(ctx, own(object, 'lock'), childPath(path, 'lock'), COND_LOCK_KINDS);
  return cond === undefined || lock === undefined ? undefined : { op: 'condWait', cond, lock, path };
}

/** The id of a lock that the document defines and whose kind fits the step. */
export function readLockName(
  ctx: LockNameContext,
  value: Json | undefined,
  path: string,
  kinds: readonly LockKind[],
): LockId | undefined {
  if (typeof value !== 'string') {
    addProblem(
      ctx.problems,
      'type',
      path,
      `${fieldName(path)} is ${kindOf(value)}; it must be a lock's name.`,
      'Name a lock of "locks".',
    );
    return undefined;
  }
  const lock = ctx.locks.get(value);
  if (lock === undefined) {
    const near = nearestName(value, ctx.locks.keys());
    addProblem(
      ctx.problems,
      'unknown-lock',
      path,
      `Nobody defines the lock ${quoted(value)}.`,
      near !== undefined
        ? `Did you mean "${near}"?`
        : `Define it: "locks": { ${quoted(value)}: { "kind": "${kinds[0]}" } }.`,
    );
    return undefined;
  }
  if (lock.kind !== undefined && !kinds.includes(lock.kind)) {
    addProblem(
      ctx.problems,
      'lock-kind',
      path,
      `The lock ${quoted(value)} is of kind "${lock.kind}"; this step does not act on it.`,
      `The step acts on locks of kind ${listNames(kinds)}; on ${quoted(value)} act ${stepsOf(lock.kind)}.`,
    );
    return undefined;
  }
  return lock.id;
}
