// Hostile documents: right ones with something replaced, removed or added.

import type { Stream } from '../../base/prng.ts';
import type { Json, JsonObject } from '../../scenario/document.ts';
import { int, pick } from './draw.ts';

const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e308,
  0.5,
  '',
  'forever',
  '$x',
  '0ns',
  '1ns',
  '1h',
  '-1ms',
  'fork',
  '__proto__',
  'm0',
  'q',
  'c',
  'b',
  'g0',
  't0',
  [],
  {},
  [[]],
  [{}],
  'pi',
  'spin',
  'deadline',
  'fifo',
  99,
  100,
  1024,
  4096,
  '0-255',
  { until: '1ns' },
  { uniform: ['1ns', '1h'] },
  { exponential: '1ns' },
  { kind: 'barrier', parties: 2 },
  { kind: 'sem' },
  { run: '0ns' },
  { run: '1ns' },
  'yield',
]; // prettier would make it a page

/** `document` with 1 to 3 changes anywhere in it. */
export function mutated(s: Stream, document: JsonObject): JsonObject {
  let changed: Json = document;
  for (let n = int(s, 1, 3); n > 0; n--) changed = mutate(s, changed, 0);
  return changed as JsonObject;
}

function mutate(s: Stream, value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return pick(s, ODD);
  const entries = Object.entries(value) as [string, Json][];
  if (depth > 0 && (entries.length === 0 || int(s, 0, 9) === 0)) return pick(s, ODD);
  const at = entries.length === 0 ? 0 : int(s, 0, entries.length - 1);
  const what = int(s, 0, 11);
  if (entries.length === 0 || what === 0)
    entries.push([pick(s, ['x', 'count', 'cpus', 'run', '__proto__']), pick(s, ODD)]);
  else if (what === 1) entries.splice(at, 1);
  else if (what === 2) entries.push([`${entries[at]![0]}2`, entries[at]![1]]);
  else entries[at] = [entries[at]![0], mutate(s, entries[at]![1], depth + 1)];
  return Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}
