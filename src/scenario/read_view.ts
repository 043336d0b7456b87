// Reads `view`: what the page shows first, and notes on the timeline.

import type { TaskId } from '../trace/ids.ts';
import type { Json } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { own } from './json_value.ts';
import { nearestName } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import { readBetween } from './read_claims.ts';
import type { ReadContext } from './read_context.ts';
import { checkKeys, missingKey, optional, readList, readObject, readText, readTime } from './read_value.ts';
import type { Note, View } from './scenario.ts';

const MAX_NOTES = 1000;

/** @param threads ids by name; `others` are names that exist with other toggles only */
export function readView(
  ctx: ReadContext,
  value: Json | undefined,
  threads: ReadonlyMap<string, TaskId>,
  others: ReadonlySet<string>,
): View {
  if (value === undefined) return { notes: [] };
  const path = 'view';
  const object = readObject(ctx, value, path, '{ "range": ["4ms", "14ms"] }.') ?? {};
  checkKeys(ctx, object, path, ['range', 'playhead', 'markers', 'lanes', 'notes'], 'view');
  const rangeNs = readBetween(ctx, own(object, 'range'), childPath(path, 'range'));
  const playheadNs = optional(object, path, 'playhead', undefined, (v, at) => readTime(ctx, v, at));
  const markersNs = optional(object, path, 'markers', undefined, (v, at) => readMarkers(ctx, v, at));
  const lanes = optional(object, path, 'lanes', undefined, (v, at) => readLanes(ctx, v, at));
  return {
    ...(rangeNs !== undefined ? { rangeNs } : {}),
    ...(playheadNs !== undefined ? { playheadNs } : {}),
    ...(markersNs !== undefined ? { markersNs } : {}),
    ...(lanes !== undefined ? { lanes } : {}),
    notes: readNotes(ctx, own(object, 'notes'), childPath(path, 'notes'), threads, others),
  };
}

/** Instants of marker A and, after it, B. */
function readMarkers(ctx: ReadContext, value: Json, path: string): readonly number[] | undefined {
  const list = readList(ctx, value, path, '["5ms", "9ms"].');
  if (list === undefined) return undefined;
  if (list.length > 2)
    addProblem(ctx.problems, 'range', path, `There are ${list.length} markers.`, 'There are two, A and B.');
  return list.slice(0, 2).flatMap((time, i) => readTime(ctx, time, elementPath(path, i)) ?? []);
}

function readLanes(ctx: ReadContext, value: Json, path: string): readonly string[] | undefined {
  const list = readList(ctx, value, path, '["CPU 0", "WebProcess", "lock heap"].');
  return list?.slice(0, 2000).flatMap((name, i) => readText(ctx, name, elementPath(path, i), 80) ?? []);
}

function readNotes(
  ctx: ReadContext,
  value: Json | undefined,
  path: string,
  threads: ReadonlyMap<string, TaskId>,
  others: ReadonlySet<string>,
): readonly Note[] {
  if (value === undefined) return [];
  const list = readList(ctx, value, path, '[{ "at": "5ms", "text": "WebProcess takes the lock." }].') ?? [];
  if (list.length > MAX_NOTES)
    addProblem(
      ctx.problems,
      'bound-notes',
      path,
      `There are ${list.length} notes.`,
      `A document has at most ${MAX_NOTES}.`,
    );
  return list
    .slice(0, MAX_NOTES)
    .flatMap((note, i) => readNote(ctx, note, elementPath(path, i), threads, others) ?? []);
}

function readNote(
  ctx: ReadContext,
  value: Json,
  path: string,
  threads: ReadonlyMap<string, TaskId>,
  others: ReadonlySet<string>,
): Note | undefined {
  const object = readObject(ctx, value, path, '{ "at": "5ms", "text": "WebProcess takes the lock." }.');
  if (object === undefined) return undefined;
  checkKeys(ctx, object, path, ['at', 'thread', 'text'], 'A note');
  for (const [key, example] of [
    ['at', '"5ms".'],
    ['text', '"WebProcess takes the lock."'],
  ] as const) {
    if (own(object, key) === undefined) missingKey(ctx, path, key, 'A note', example);
  }
  const atNs = optional(object, path, 'at', undefined, (v, at) => readTime(ctx, v, at));
  const text = optional(object, path, 'text', undefined, (v, at) => readText(ctx, v, at, 400));
  const name = optional(object, path, 'thread', undefined, (v, at) => readText(ctx, v, at, 64));
  const thread = name === undefined ? undefined : threads.get(name);
  if (name !== undefined && thread === undefined) {
    // A thread that only other toggles have takes its notes with it.
    if (others.has(name)) return undefined;
    const near = nearestName(name, threads.keys());
    addProblem(
      ctx.problems,
      'unknown-thread',
      childPath(path, 'thread'),
      `There is no thread ${quoted(name)}.`,
      near !== undefined ? `Did you mean "${near}"?` : 'Name a thread of "threads", or leave it out.',
    );
  }
  if (atNs === undefined || text === undefined) return undefined;
  return { atNs, ...(thread !== undefined ? { thread } : {}), text };
}
