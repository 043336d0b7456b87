// What the toggles rt, reweight and backoff mean where a document leaves them their fixed meaning.

import type { Json, JsonObject } from './document.ts';
import { isObject, own } from './json_value.ts';
import { mergeObjects } from './merge_patch.ts';
import { listNames } from './nearest_name.ts';
import type { PatchedDocument } from './patched_document.ts';
import { addProblem } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import type { Toggle } from './read_toggles.ts';
import { MAX_TIME_NS, parseTime } from './time_text.ts';

const SPIN_KEYS = ['tries', 'try', 'oneSpinner', 'marks', 'toggled'];

/**
 * Back-offs by the toggle's values. Costs: 4538 us / 1128 turns, 172 us / 27, 223 us / 27 of WPEWebKit PR 1408 (fact 7.3).
 *
 * nanosleep is WebKit PR 70886 (SpinBackoff, fact 7.9): pauses of 1, 2, 4, … 32 on x86, 63 in all, then nanosleep(1 ns)
 * for ever. A pause instruction is taken as 40 ns (about 140 cycles at 3.5 GHz, x86 since Skylake). The cost of a turn is
 * set to that of usleep(125), 6.37 us: the same system call on the same box; nobody published a reading of its own.
 * A sleep of 1 ns lasts as long as the way into it and out again: a real-time thread was measured to come back every
 * 15.5 us (fact 7.9). So its sleep stands here as the 9.13 us that are left of that; 1 ns would give a machine without
 * overheads windows of 1 ns.
 */
const BACKOFFS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['yield', { kind: 'yield', cost: '4.02us' }],
  ['usleep125', { kind: 'sleep', for: '125us', cost: '6.37us' }],
  ['usleep150', { kind: 'sleep', for: '150us', cost: '8.26us' }],
  [
    'nanosleep',
    // biome-ignore lint/suspicious/noThenProperty: the scenario format calls it "then".
    { kind: 'pause', first: '40ns', factor: 2, steps: 6, then: { kind: 'sleep', for: '9.13us', cost: '6.37us' } },
  ],
]);

/** What the page calls the values of `backoff` (page contract). */
const BACKOFF_LABELS: ReadonlyMap<string, string> = new Map([
  ['yield', 'sched_yield'],
  ['nanosleep', 'backoff + nanosleep'],
  ['futex', 'futex'],
  ['pi', 'PI futex'],
]);

/** Label of a value of a toggle, where its meaning is fixed. */
export function valueLabel(id: string, value: string): string | undefined {
  if (id !== 'backoff') return undefined;
  return BACKOFF_LABELS.get(value) ?? (/^usleep\d+$/.test(value) ? 'usleep' : undefined);
}

/** Whether `value` is one that the fixed meaning of toggle `id` knows. */
export function hasFixedMeaning(id: string, value: string): boolean {
  switch (id) {
    case 'rt':
    case 'reweight':
      return value === 'on' || value === 'off';
    case 'backoff':
      return BACKOFF_LABELS.has(value) || usleepBackoff(value) !== undefined;
    default:
      return false;
  }
}

/** The values to name in a hint. */
export function fixedValues(id: string): readonly string[] {
  return id === 'backoff'
    ? ['yield', 'usleep125', 'usleep150', 'usleepN (any N µs)', 'nanosleep', 'futex', 'pi']
    : ['on', 'off'];
}

/**
 * Whether the fixed meaning acts: the document does not declare the toggle or the value, or leaves its patch empty.
 *
 * A document whose `rt` patches anything says itself which threads are real-time, so an empty patch there means "as it is".
 */
export function actsByFixedMeaning(id: string, value: string, toggle: Toggle | undefined): boolean {
  if (!hasFixedMeaning(id, value)) return false;
  const patch = toggle?.values.get(value);
  if (patch === undefined) return true;
  const patches = id === 'rt' ? [...toggle!.values.values()] : [patch];
  return patches.every((each) => Object.keys(each).length === 0);
}

/** usleepN with its cost; undefined when `value` is no such thing. */
function usleepBackoff(value: string): JsonObject | undefined {
  const known = BACKOFFS.get(value);
  if (known !== undefined) return known;
  const match = /^usleep([1-9]\d{0,9})$/.exec(value);
  if (match === null || Number(match[1]) * 1000 > MAX_TIME_NS) return undefined;
  return { kind: 'sleep', for: `${match[1]}us`, cost: '7.3us' };
}

/** `document` with the switch `reweight` set. */
export function setReweight(document: PatchedDocument, on: boolean): PatchedDocument {
  return { ...document, body: mergeObjects(document.body, { machine: { piReweight: on } }) };
}

/**
 * `document` with the lock's back-off set. A lock that already waits that way keeps its own costs.
 *
 * Reports a problem at `path` when no lock, or more than one, could be meant.
 */
export function setBackoff(ctx: ReadContext, document: PatchedDocument, value: string, path: string): PatchedDocument {
  const locks = own(document.body, 'locks');
  const name = isObject(locks) ? toggledLock(ctx, locks, path) : noLock(ctx, [], path);
  if (name === undefined || !isObject(locks)) return document;
  const lock = own(locks, name) as JsonObject;
  const changed: [string, Json][] = Object.entries(locks).map(([key, json]) => [
    key,
    key === name ? withBackoff(lock, value) : json,
  ]);
  return { ...document, body: { ...document.body, locks: Object.fromEntries(changed) } };
}

/** The lock marked "toggled", else the only spin lock. */
function toggledLock(ctx: ReadContext, locks: JsonObject, path: string): string | undefined {
  const entries = Object.entries(locks).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  const marked = entries.filter(([, lock]) => own(lock, 'toggled') === true);
  const candidates = marked.length > 0 ? marked : entries.filter(([, lock]) => own(lock, 'kind') === 'spin');
  return candidates.length === 1
    ? candidates[0]![0]
    : noLock(
        ctx,
        candidates.map(([name]) => name),
        path,
      );
}

function noLock(ctx: ReadContext, candidates: readonly string[], path: string): undefined {
  addProblem(
    ctx.problems,
    'backoff-lock',
    path,
    candidates.length === 0
      ? 'The setting backoff finds no spin lock in this document.'
      : `The setting backoff could mean ${listNames(candidates)}.`,
    'It acts on the only spin lock, or on the one lock marked "toggled": true.',
  );
}

function withBackoff(lock: JsonObject, value: string): JsonObject {
  const kind = own(lock, 'kind');
  if (value === 'futex' || value === 'pi')
    return kind === value ? lock : pick(lock, ['marks', 'toggled'], { kind: value });
  const wanted = usleepBackoff(value)!;
  const current = own(lock, 'backoff');
  if (kind === 'spin' && isObject(current) && waitsAlike(current, wanted)) return lock;
  return { ...pick(lock, SPIN_KEYS, { kind: 'spin' }), backoff: wanted };
}

/** Same kind, and for sleeps the same length. */
function waitsAlike(a: JsonObject, b: JsonObject): boolean {
  if (own(a, 'kind') !== own(b, 'kind')) return false;
  const [sleepA, sleepB] = [own(a, 'for'), own(b, 'for')];
  if (typeof sleepA !== 'string' || typeof sleepB !== 'string') return own(a, 'kind') === 'yield';
  const [nsA, nsB] = [parseTime(sleepA), parseTime(sleepB)];
  return nsA.ok && nsB.ok && nsA.value === nsB.value;
}

function pick(lock: JsonObject, keys: readonly string[], first: JsonObject): JsonObject {
  return { ...first, ...Object.fromEntries(Object.entries(lock).filter(([key]) => keys.includes(key))) };
}
