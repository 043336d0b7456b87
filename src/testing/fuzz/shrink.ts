// Makes a document that fails smaller, as long as it fails by the same rule.

import type { Json, JsonObject } from '../../scenario/document.ts';
import { parseTime } from '../../scenario/time_text.ts';

/** Most documents that are tried for one failure. */
const MAX_TRIES = 600;

/**
 * The smallest document found.
 *
 * @param fails whether a document fails as the first one does
 */
export function shrink(document: JsonObject, fails: (document: JsonObject) => boolean): JsonObject {
  let best = document;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < MAX_TRIES; ) {
    isSmaller = false;
    for (const smaller of smallerOnes(best)) {
      if (++tries > MAX_TRIES) break;
      if (!fails(smaller as JsonObject)) continue;
      best = smaller as JsonObject;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Documents that differ in one place: large cuts first. */
function* smallerOnes(document: Json): Generator<Json> {
  yield* withoutParts(document, 0);
  yield* simpler(document);
}

const NEEDED = new Set(['version', 'duration', 'threads', 'name', 'program', 'kind']);

/** Without a half of a list, an element of a list or a key of an object, at any depth, outer ones first. */
function* withoutParts(value: Json, depth: number): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (value.length > 3) {
      yield value.slice(0, value.length >> 1);
      yield value.slice(value.length >> 1);
    }
    for (let i = 0; i < value.length; i++) yield value.filter((_, k) => k !== i);
    for (let i = 0; i < value.length; i++) {
      // The steps inside a step, in its place.
      const inner = innerLists(value[i]!);
      for (const list of inner) yield [...value.slice(0, i), ...list, ...value.slice(i + 1)];
    }
    // A step that takes and one that gives back go together.
    for (let i = 0; i + 1 < value.length && value.length <= 40; i++) {
      for (let k = i + 1; k < Math.min(value.length, i + 6); k++) yield value.filter((_, n) => n !== i && n !== k);
    }
    for (let i = 0; i < value.length; i++)
      for (const smaller of withoutParts(value[i]!, depth + 1))
        yield value.map((each, k) => (k === i ? smaller : each));
    return;
  }
  const entries = Object.entries(value) as [string, Json][];
  for (const [key] of entries) if (!NEEDED.has(key)) yield Object.fromEntries(entries.filter(([name]) => name !== key));
  for (const [key, child] of entries)
    for (const smaller of withoutParts(child, depth + 1))
      yield Object.fromEntries(entries.map(([name, each]) => [name, name === key ? smaller : each]));
}

function innerLists(value: Json): readonly (readonly Json[])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return ['do', 'then', 'else'].flatMap((key) => {
    const list = (value as JsonObject)[key];
    return Array.isArray(list) ? [list as readonly Json[]] : [];
  });
}

/** With a time or a number halved, or a time rounded. */
function* simpler(value: Json): Generator<Json> {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 1) yield Math.trunc(value / 2);
  if (typeof value === 'string') {
    const parsed = parseTime(value);
    if (parsed.ok && parsed.value > 1) {
      const halved = Math.floor(parsed.value / 2);
      yield `${halved}ns`;
      for (const [unit, text] of [
        [1_000_000, 'ms'],
        [1_000, 'us'],
      ] as const) {
        const whole = Math.round(parsed.value / unit);
        if (whole > 0 && `${whole}${text}`.length < value.length) yield `${whole}${text}`;
      }
    }
  }
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value) as [string, Json][];
  for (const [key, child] of entries) {
    if (key === 'version' || key === 'kernel') continue;
    for (const smaller of simpler(child)) {
      const changed = entries.map(([name, each]): [string, Json] => [name, name === key ? smaller : each]);
      yield Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed);
    }
  }
}
