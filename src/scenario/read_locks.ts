// Reads `locks`.

import { assertNever } from '../base/assert.ts';
import type { LockId } from '../trace/ids.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { own } from './json_value.ts';
import { addProblem, quoted } from './problems.ts';
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

/** A lock that programs may name; kind undefined: it could not be read, and a problem stands in the list. */
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
  return { kind, spec: { name, marks, ...readKind(ctx, kind, object, path) } };
}

/** LockSpec without what all kinds share. */
type KindSpec = LockSpec extends infer S ? (S extends LockSpec ? Omit<S, 'name' | 'marks'> : never) : never;

function readKind(ctx: ReadContext, kind: LockKind, object: JsonObject, path: string): KindSpec {
  switch (kind) {
    case 'futex':
    case 'pi':
    case 'handoff':
    case 'kernel':
      return { kind };
    case 'adaptive':
      return { kind, spins: integer(ctx, object, path, 'spins', 100, 0, 1_000_000) };
    case 'protect':
      if (own(object, 'ceiling') === undefined) missingKey(ctx, path, 'ceiling', 'A lock of kind "protect"', '30.');
      return { kind, ceiling: integer(ctx, object, path, 'ceiling', 1, 1, 99) };
    case 'rw':
      return {
        kind,
        prefer: optional(object, path, 'prefer', 'readers' as const, (v, at) =>
          readChoice(ctx, v, at, ['readers', 'writers'] as const),
        ),
      };
    case 'sem':
      return { kind, initial: integer(ctx, object, path, 'initial', 0, 0, 1_000_000_000) };
    case 'cond':
      return { kind, requeue: optional(object, path, 'requeue', false, (v, at) => readBoolean(ctx, v, at)) };
    case 'barrier':
      if (own(object, 'parties') === undefined) missingKey(ctx, path, 'parties', 'A lock of kind "barrier"', '4.');
      return { kind, parties: integer(ctx, object, path, 'parties', 1, 1, 1_000_000) };
    case 'spin':
      return readSpin(ctx, object, path);
    default:
      return assertNever(kind);
  }
}

function readSpin(ctx: ReadContext, object: JsonObject, path: string): KindSpec {
  return {
    kind: 'spin',
    tries: integer(ctx, object, path, 'tries', 0, 0, 1_000_000_000),
    tryNs: optional(object, path, 'try', 10, (v, at) => readTime(ctx, v, at)),
    oneSpinner: optional(object, path, 'oneSpinner', false, (v, at) => readBoolean(ctx, v, at)),
    backoff: optional(object, path, 'backoff', { kind: 'none' as const, costNs: BACKOFF_COST_NS.none }, (v, at) =>
      readBackoff(ctx, v, at),
    ),
  };
}

function integer(
  ctx: ReadContext,
  object: JsonObject,
  path: string,
  key: string,
  fallback: number,
  min: number,
  max: number,
): number {
  return optional(object, path, key, fallback, (v, at) => readInteger(ctx, v, at, { min, max }));
}
