// A document with patches applied. While it is patched its threads are an object keyed by name; where each part
// came from is kept, so that a problem can point at the patch that caused it.

import type { Json, JsonObject } from './document.ts';
import { childPath, elementPath, pathTokens } from './json_path.ts';
import { isList, isObject, kindOf, own } from './json_value.ts';
import { mergeObjects, patchTouches } from './merge_patch.ts';
import { addProblem } from './problems.ts';
import { BACKOFF_KEYS } from './read_backoff.ts';
import type { ReadContext } from './read_context.ts';
import { COMMON_LOCK_KEYS, LOCK_KEYS } from './read_locks.ts';

/** A change to the document. */
export interface Patch {
  /** Where it stands, e.g. 'toggles.rt.values.off' or 'settings.kernel'. */
  readonly path: string;
  readonly patch: JsonObject;
}

interface Thread {
  readonly path: string;
  readonly json: Json;
}

export interface PatchedDocument {
  /** Everything but the threads. */
  readonly body: JsonObject;
  /** By name, in document order, added ones last. */
  readonly threads: ReadonlyMap<string, Thread>;
  readonly patches: readonly Patch[];
  /** Threads that a patch took away. */
  readonly removed: ReadonlySet<string>;
}

/** The document before any patch. Threads that can't be keyed (no name, or a second of the same name) are reported later or here. */
export function unpatched(ctx: ReadContext, document: JsonObject): PatchedDocument {
  const { threads: list, ...body } = document as { readonly threads?: Json; readonly [key: string]: Json | undefined };
  const threads = new Map<string, Thread>();
  if (list === undefined)
    addProblem(
      ctx.problems,
      'missing-key',
      'threads',
      'The document lacks "threads".',
      'Add it, for example [{ "name": "worker", "program": [{ "run": "2ms" }] }].',
    );
  else if (!isList(list))
    addProblem(
      ctx.problems,
      'type',
      'threads',
      `threads is ${kindOf(list)}; it must be a list.`,
      'For example [{ "name": "worker", "program": [{ "run": "2ms" }] }].',
    );
  for (const [i, json] of (isList(list) ? list : []).entries()) {
    const path = elementPath('threads', i);
    const name = isObject(json) ? own(json, 'name') : undefined;
    // A name of its own for what has none, or one that is taken: the reader reports it at its place.
    const key = typeof name === 'string' && !threads.has(name) ? name : `\u0000${i}`;
    threads.set(key, { path, json });
  }
  return { body: body as JsonObject, threads, patches: [], removed: new Set() };
}

/** `document` with one more patch. */
export function applyPatch(document: PatchedDocument, patch: Patch): PatchedDocument {
  const { threads: threadPatch, ...rest } = patch.patch as {
    readonly threads?: Json;
    readonly [key: string]: Json | undefined;
  };
  const body = mergeObjects(document.body, withoutOldLockKeys(document.body, rest as JsonObject));
  const patches = [...document.patches, patch];
  if (!isObject(threadPatch)) return { ...document, body, patches };
  const threads = new Map(document.threads);
  const removed = new Set(document.removed);
  for (const [name, change] of Object.entries(threadPatch)) {
    const known = threads.get(name);
    if (change === null) {
      threads.delete(name);
      removed.add(name);
    } else if (known !== undefined && isObject(known.json) && isObject(change)) {
      threads.set(name, { path: known.path, json: mergeObjects(withoutOldPolicyKeys(known.json, change), change) });
    } else if (isObject(change) && !(removed.has(name) && own(change, 'program') === undefined)) {
      // A change of a thread that another toggle took away does not bring a part of it back.
      threads.set(name, { path: childPath(`${patch.path}.threads`, name), json: mergeObjects({ name }, change) });
      removed.delete(name);
    } else if (!isObject(change)) {
      threads.set(name, { path: childPath(`${patch.path}.threads`, name), json: change });
    }
  }
  return { body, threads, patches, removed };
}

/** A patch that changes the policy drops the keys that the new policy lacks, unless it writes them itself. */
function withoutOldPolicyKeys(thread: JsonObject, change: JsonObject): JsonObject {
  const policy = own(change, 'policy');
  if (policy === undefined) return thread;
  const isRt = policy === 'fifo' || policy === 'rr';
  const dropped = [...(isRt ? [] : ['priority']), ...(policy === 'deadline' ? [] : ['runtime', 'deadline', 'period'])];
  return Object.fromEntries(
    Object.entries(thread).filter(([key]) => !dropped.includes(key) || own(change, key) !== undefined),
  );
}

/** A patch that changes the kind of a lock, or of its back-off, drops the keys that the new kind does not have. */
function withoutOldLockKeys(body: JsonObject, patch: JsonObject): JsonObject {
  const locks = own(body, 'locks');
  const changes = own(patch, 'locks');
  if (!isObject(locks) || !isObject(changes)) return patch;
  const extended = Object.entries(changes).map(([name, change]): [string, Json] => {
    const lock = own(locks, name);
    if (!isObject(lock) || !isObject(change)) return [name, change];
    const dropping = withoutOldKeys(lock, change, LOCK_KEYS, COMMON_LOCK_KEYS);
    const [old, backoff] = [own(lock, 'backoff'), own(change, 'backoff')];
    if (!isObject(old) || !isObject(backoff)) return [name, dropping];
    return [name, { ...dropping, backoff: withoutOldKeys(old, backoff, BACKOFF_KEYS, []) }];
  });
  return { ...patch, locks: Object.fromEntries(extended) };
}

/** `change` with a null for each key of `old` that its new kind lacks. */
function withoutOldKeys(
  old: JsonObject,
  change: JsonObject,
  keysOfKind: Readonly<Record<string, readonly string[]>>,
  common: readonly string[],
): JsonObject {
  const kind = own(change, 'kind');
  if (typeof kind !== 'string' || kind === own(old, 'kind') || !Object.hasOwn(keysOfKind, kind)) return change;
  const kept = [...common, ...keysOfKind[kind]!];
  const dropped = Object.keys(old).filter((key) => !kept.includes(key) && own(change, key) === undefined);
  return { ...Object.fromEntries(dropped.map((key) => [key, null])), ...change };
}

/** Where a place of the patched document really stands: in the document, or in the last patch that speaks of it. */
export function sourcePath(document: PatchedDocument, path: string): string {
  const tokens = pathTokens(path);
  if (tokens[0] === 'toggles' || tokens[0] === 'settings' || tokens.length === 0) return path;
  const keyed = keyedTokens(document, tokens);
  for (let i = document.patches.length - 1; i >= 0; i--) {
    const { path: patchPath, patch } = document.patches[i]!;
    if (!patchTouches(patch, keyed)) continue;
    if (patchPath.startsWith('settings.')) return patchPath;
    return keyed.reduce<string>(
      (at, token) => (typeof token === 'number' ? elementPath(at, token) : childPath(at, token)),
      patchPath,
    );
  }
  return path;
}

/** threads[2].policy -> threads, <name>, policy. */
function keyedTokens(document: PatchedDocument, tokens: readonly (string | number)[]): readonly (string | number)[] {
  if (tokens[0] !== 'threads' || typeof tokens[1] !== 'number') return tokens;
  const path = elementPath('threads', tokens[1]);
  for (const [name, thread] of document.threads) if (thread.path === path) return ['threads', name, ...tokens.slice(2)];
  return tokens;
}
