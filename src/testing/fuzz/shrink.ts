// Makes a document that fails smaller, as long as it fails by the same rule.

import type { Json, JsonObject } from '../../scenario/document.ts';
import { parseTime } from '../../scenario/time_text.ts';

/** Most documents that are tried for one failure. */
const MAX_TRIES = 1_500;

type Path = readonly (string | number)[];
/** What takes the place of a value; a list: of an element of a list, its items. */
type Change = (value: Json) => Json | readonly Json[] | undefined;

/**
 * The smallest document found: parts are taken away, outer ones first, then steps are put in place of what they are
 * inside of, then times and numbers become small, round and round until nothing helps.
 *
 * @param fails whether a document fails as the first one does
 */
export function shrink(document: JsonObject, fails: (document: JsonObject) => boolean): JsonObject {
  let best: Json = document;
  let tries = 0;
  const attempt = (candidate: Json | undefined): boolean => {
    if (candidate === undefined || tries >= MAX_TRIES) return false;
    tries++;
    if (!fails(candidate as JsonObject)) return false;
    best = candidate;
    return true;
  };
  for (let isSmaller = true; isSmaller && tries < MAX_TRIES; ) {
    isSmaller = false;
    for (const path of pathsOf(best)) {
      if (!NEEDED.has(String(path.at(-1)))) isSmaller = attempt(changedAt(best, path, () => [])) || isSmaller;
    }
    for (const path of pathsOf(best)) isSmaller = attempt(withoutPair(best, path)) || isSmaller;
    for (const path of pathsOf(best)) {
      for (const key of ['do', 'then', 'else']) isSmaller = attempt(changedAt(best, path, innerOf(key))) || isSmaller;
    }
    for (const path of pathsOf(best)) {
      if (path.at(-1) === 'version' || path.at(-1) === 'kernel') continue;
      while (attempt(changedAt(best, path, smaller))) isSmaller = true;
    }
  }
  return best as JsonObject;
}

/** Keys without which a document is none; what they hold may still become smaller. */
const NEEDED: ReadonlySet<string> = new Set(['version', 'duration', 'threads', 'name', 'program', 'kind']);

/** The place of everything inside `value`: outer ones first, in lists the last first, so that removals move nothing that is still to come. */
function pathsOf(value: Json): readonly Path[] {
  const found: Path[] = [];
  let level: (readonly [Path, Json])[] = [[[], value]];
  while (level.length > 0) {
    const next: (readonly [Path, Json])[] = [];
    for (const [path, at] of level) {
      if (typeof at !== 'object' || at === null) continue;
      const isList = Array.isArray(at);
      const entries = Object.entries(at) as [string, Json][];
      if (isList) entries.reverse();
      for (const [key, child] of entries) next.push([[...path, isList ? Number(key) : key], child]);
    }
    found.push(...next.map(([path]) => path));
    level = next;
  }
  return found;
}

/** `value` with what stands at `path` changed; undefined where nothing stands there, or nothing changes. */
function changedAt(value: Json, path: Path, change: Change): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return undefined;
  const child = (value as Readonly<Record<string | number, Json>>)[key];
  if (child === undefined) return undefined;
  const changed = rest.length > 0 ? changedAt(child, rest, change) : change(child);
  if (changed === undefined) return undefined;
  const isSpliced = rest.length === 0 && Array.isArray(changed);
  if (Array.isArray(value)) {
    const items = isSpliced ? (changed as readonly Json[]) : [changed as Json];
    return [...value.slice(0, key as number), ...items, ...value.slice((key as number) + 1)];
  }
  const entries = Object.entries(value) as [string, Json][];
  if (isSpliced) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.map(([name, each]) => [name, name === key ? (changed as Json) : each]));
}

/** Without a step that takes a lock and the next one that gives it back: one without the other is no right document. */
function withoutPair(document: Json, path: Path): Json | undefined {
  const index = path.at(-1);
  if (typeof index !== 'number') return undefined;
  const listPath = path.slice(0, -1);
  const list = listPath.reduce<Json | undefined>(
    (at, key) => (at as Readonly<Record<string | number, Json>> | undefined)?.[key],
    document,
  );
  if (!Array.isArray(list)) return undefined;
  const lock = lockOf(list[index] as Json | undefined, ['lock', 'readLock']);
  if (lock === undefined) return undefined;
  const end = list.findIndex((step: Json, i) => i > index && lockOf(step, ['unlock']) === lock);
  if (end < 0) return undefined;
  const kept = list.filter((_, i) => i !== index && i !== end) as readonly Json[];
  return changedAt(document, listPath.slice(0, -1), (holder) =>
    Array.isArray(holder)
      ? undefined
      : ({ ...(holder as JsonObject), [String(listPath.at(-1))]: kept } as unknown as JsonObject),
  );
}

function lockOf(step: Json | undefined, keys: readonly string[]): string | undefined {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) return undefined;
  const name = keys.map((key) => (step as JsonObject)[key]).find((value) => typeof value === 'string');
  return name as string | undefined;
}

/** The steps that a step holds under `key`, in its place. */
function innerOf(key: string): Change {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const list = (value as JsonObject)[key];
    return Array.isArray(list) ? (list as readonly Json[]) : undefined;
  };
}

/** A smaller number, or a shorter time; undefined where there is none. */
const smaller: Change = (value) => {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) > 1 ? Math.trunc(value / 2) : undefined;
  if (typeof value !== 'string') return undefined;
  const parsed = parseTime(value);
  return parsed.ok && parsed.value > 1 ? `${Math.floor(parsed.value / 2)}ns` : undefined;
};
