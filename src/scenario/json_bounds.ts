// Checks that an unknown value is JSON of bearable size and depth, without recursion: hostile depth can't overflow the stack.

import type { Problem } from './document.ts';
import { childPath, elementPath } from './json_path.ts';

/** Most bytes of JSON text in a document. */
export const MAX_JSON_BYTES = 262_144;
/** Most objects and arrays inside each other, the document itself included. */
export const MAX_NESTING = 32;

interface Visit {
  readonly value: unknown;
  /** Where the value stands: the key or index in its parent. Paths are only spelt out for problems. */
  readonly key: string | number;
  readonly parent: Visit | undefined;
  readonly depth: number;
}

function pathOf(visit: Visit): string {
  if (visit.parent === undefined) return '';
  const parent = pathOf(visit.parent);
  return typeof visit.key === 'number' ? elementPath(parent, visit.key) : childPath(parent, visit.key);
}

/**
 * What keeps `value` from being read as a document at all: not JSON, too deep, too large. Undefined when it is fine.
 *
 * Shared and cyclic objects count each time they are met, so a value that would print too long is refused. O(size), at most the bound.
 */
export function checkJsonBounds(value: unknown): Problem | undefined {
  let bytes = 0;
  const stack: Visit[] = [{ value, key: '', parent: undefined, depth: 1 }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value: at, depth } = visit;
    if (typeof at === 'object' && at !== null) {
      if (depth > MAX_NESTING) return tooDeep(pathOf(visit));
      bytes += 2;
      if (Array.isArray(at)) {
        if (bytes + at.length * 2 > MAX_JSON_BYTES) return tooLarge();
        for (let i = at.length - 1; i >= 0; i--) stack.push({ value: at[i], key: i, parent: visit, depth: depth + 1 });
        bytes += at.length;
      } else {
        const entries = Object.entries(at);
        for (let i = entries.length - 1; i >= 0; i--) {
          const [key, child] = entries[i]!;
          bytes += key.length + 4;
          stack.push({ value: child, key, parent: visit, depth: depth + 1 });
        }
      }
    } else if (typeof at === 'string') {
      bytes += at.length + 2;
    } else if (typeof at === 'number' && Number.isFinite(at)) {
      bytes += String(at).length;
    } else if (typeof at === 'boolean' || at === null) {
      bytes += 4;
    } else if (typeof at === 'number') {
      return {
        code: 'not-json',
        path: pathOf(visit),
        message: `${at} is no number of JSON.`,
        hint: 'Write a finite number.',
      };
    } else {
      return {
        code: 'not-json',
        path: pathOf(visit),
        message: `A value of type ${typeof at} is no JSON.`,
        hint: 'A document holds objects, lists, texts, numbers, true, false and null.',
      };
    }
    if (bytes > MAX_JSON_BYTES) return tooLarge();
  }
  return undefined;
}

export function tooLarge(): Problem {
  return {
    code: 'bound-size',
    path: '',
    message: 'The document is larger than 256 KB.',
    hint: 'A document has at most 256 KB of JSON; "count" and "repeat" say the same in fewer words.',
  };
}

export function tooDeep(path: string): Problem {
  const shown = path.length > 60 ? `${path.slice(0, 60)}…` : path;
  return {
    code: 'bound-nesting',
    path: shown,
    message: `The document is nested deeper than ${MAX_NESTING} levels.`,
    hint: `Lists and objects stand at most ${MAX_NESTING} deep inside each other.`,
  };
}
