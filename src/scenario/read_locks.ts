// Reads `locks`.

import type { LockId } from '../trace/ids.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { own } from './json_value.ts';
import { addNotYet, addProblem, quoted } from './problems.ts';
import { BACKOFF_COST_NS, readBackoff } from './read_backoff.ts';
import type { ReadContext } from './read_context.ts';
import {
  checkKeys,
  isPrintableName,
  missingKey,
  optional,
  readBoolean,
  readChoice,
  readInteger,
  readObject,
  readTime,
} from './read_value.ts';
import type { LockSpec } from './scenario.ts';

const MAX_LOCKS = 1024;

export const LOCK_KINDS = [
  'futex',
  'adaptive',
  'pi',
  'protect',
  'handoff',
  'kernel',
  'spin',
  'rw',
  'sem',
  'cond',
  'barrier',
] as const;
export type LockKind = (typeof LOCK_KINDS)[number];

/** Keys that a lock of each kind has besides `kind`, `marks` and `toggled`. */
export const LOCK_KEYS: Readonly<Record<LockKind, readonly string[]>> = {
  futex: [],
  adaptive: ['spins'],
  pi: [],
  protect: ['ceiling'],
  handoff: [],
  kernel: [],
  spin: ['tries', 'try', 'oneSpinner', 'backoff'],
  rw: ['prefer'],
  sem: ['initial'],
  cond: ['requeue'],
  barrier: ['parties'],
};
export const COMMON_LOCK_KEYS: readonly string[] = ['kind', 'marks', 'toggled'];

/** A lock that programs may name. Kinds that are not there yet have no spec; then a problem stands in the list. */
export interface KnownLock {
  readonly id: LockId;
  readonly kind: LockKind | undefined;
}

export interface ReadLocks {
  readonly specs: readonly LockSpec[];
  readonly byName: ReadonlyMap<string, KnownLock>;
}

/** The locks in document order; ids are their positions. */
export function readLocks(ctx: ReadContext, value: Json | undefined): ReadLocks {
  const specs: LockSpec[] = [];
  const byName = new Map<string, KnownLock>();
  const object = value === undefined ? {} : (readObject(ctx, value, 'locks', '{ "heap": { "kind": "futex" } }.') ?? {});
  const entries = Object.entries(object);
  if (entries.length > MAX_LOCKS) {
    addProblem(
      ctx.problems,
      'bound-locks',
      'locks',
      `There are ${entries.length} locks.`,
      `A document has at most ${MAX_LOCKS}.`,
    );
    entries.length = MAX_LOCKS;
  }
  for (const [name, lock] of entries) {
    const path = childPath('locks', name);
    if (!isPrintableName(name) || name.length > 64) {
      addProblem(
        ctx.problems,
        'bad-name',
        path,
        `The lock name ${quoted(name)} is empty, too long or holds a control character.`,
        'Write 1 to 64 printable characters.',
      );
    }
    const { kind, spec } = readLock(ctx, name, lock, path);
    byName.set(name, { id: specs.length, kind });
    specs.push(spec ?? { name, marks: false, kind: 'futex' });
  }
  return { specs, byName };
}

function readLock(
  ctx: ReadContext,
  name: string,
  value: Json,
  path: string,
): { kind: LockKind | undefined; spec: LockSpec | undefined } {
  const object = readObject(ctx, value, path, '{ "kind": "futex" }.');
  if (object === undefined) return { kind: undefined, spec: undefined };
  if (own(object, 'kind') === undefined) {
    missingKey(ctx, path, 'kind', `The lock ${quoted(name)}`, '"futex".');
    return { kind: undefined, spec: undefined };
  }
  const kind = readChoice(ctx, own(object, 'kind'), childPath(path, 'kind'), LOCK_KINDS);
  if (kind === undefined) return { kind, spec: undefined };
  checkKeys(ctx, object, path, [...COMMON_LOCK_KEYS, ...LOCK_KEYS[kind]], `A lock of kind "${kind}"`);
  optional(object, path, 'toggled', false, (v, at) => readBoolean(ctx, v, at));
  const marks = optional(object, path, 'marks', false, (v, at) => readBoolean(ctx, v, at));
  switch (kind) {
    case 'futex':
    case 'pi':
      return { kind, spec: { name, marks, kind } };
    case 'spin':
      return {
        kind,
        spec: {
          name,
          marks,
          kind,
          tries: optional(object, path, 'tries', 0, (v, at) => readInteger(ctx, v, at, { min: 0, max: 1_000_000_000 })),
          tryNs: optional(object, path, 'try', 10, (v, at) => readTime(ctx, v, at)),
          oneSpinner: optional(object, path, 'oneSpinner', false, (v, at) => readBoolean(ctx, v, at)),
          backoff: optional(object, path, 'backoff', { kind: 'none' as const, costNs: BACKOFF_COST_NS.none }, (v, at) =>
            readBackoff(ctx, v, at),
          ),
        },
      };
    default:
      checkLaterKind(ctx, kind, object, path);
      addNotYet(
        ctx.problems,
        `locks of kind "${kind}"`,
        childPath(path, 'kind'),
        'Kinds that are there: "futex", "pi" and "spin".',
      );
      return { kind, spec: undefined };
  }
}

/** Keys of kinds that are not there yet are checked all the same, so that a document is either right or not. */
function checkLaterKind(
  ctx: ReadContext,
  kind: Exclude<LockKind, 'futex' | 'pi' | 'spin'>,
  object: JsonObject,
  path: string,
): void {
  switch (kind) {
    case 'adaptive':
      optional(object, path, 'spins', 100, (v, at) => readInteger(ctx, v, at, { min: 0, max: 1_000_000 }));
      return;
    case 'protect':
      if (own(object, 'ceiling') === undefined) missingKey(ctx, path, 'ceiling', 'A lock of kind "protect"', '30.');
      optional(object, path, 'ceiling', 1, (v, at) => readInteger(ctx, v, at, { min: 1, max: 99 }));
      return;
    case 'rw':
      optional(object, path, 'prefer', 'readers' as const, (v, at) =>
        readChoice(ctx, v, at, ['readers', 'writers'] as const),
      );
      return;
    case 'sem':
      optional(object, path, 'initial', 0, (v, at) => readInteger(ctx, v, at, { min: 0, max: 1_000_000_000 }));
      return;
    case 'cond':
      optional(object, path, 'requeue', false, (v, at) => readBoolean(ctx, v, at));
      return;
    case 'barrier':
      if (own(object, 'parties') === undefined) missingKey(ctx, path, 'parties', 'A lock of kind "barrier"', '4.');
      optional(object, path, 'parties', 1, (v, at) => readInteger(ctx, v, at, { min: 1, max: 1024 }));
      return;
    case 'handoff':
    case 'kernel':
      return;
  }
}
