// Reads programs: lists of steps, names resolved to ids. What a step does is the simulation's business.

import type { Json, JsonObject } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { isObject, kindOf, own } from './json_value.ts';
import { listNames, nearestName } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import { ATTRIBUTE_KEYS, type AttributeContext, readAttributes } from './read_attributes.ts';
import { readDuration } from './read_duration.ts';
import type { KnownLock } from './read_locks.ts';
import { MUTEX_KINDS, readLockName, readSyncStep } from './read_sync_steps.ts';
import {
  checkKeys,
  fieldName,
  missingKey,
  optional,
  readBoolean,
  readInteger,
  readList,
  readObject,
  readText,
  readTime,
} from './read_value.ts';
import type { AttrChange, Duration, Step } from './scenario.ts';

/** Most steps of a document, those inside `repeat` and `else` included, each counted once. */
export const MAX_STEPS = 10_000;

/** What programs are read against. */
export interface ProgramContext extends AttributeContext {
  readonly locks: ReadonlyMap<string, KnownLock>;
  /** Threads that a `fork` may name, with their index among all threads. */
  readonly forkable: ReadonlyMap<string, number>;
  /** Name of the thread, for notes. */
  readonly thread: string;
  readonly steps: { count: number };
}

/** Keys that each step may have besides its own. */
const STEP_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['run', ['clockReads']],
  ['runUntil', []],
  ['sleep', []],
  ['sleepUntil', []],
  ['period', []],
  ['io', []],
  ['lock', ['timeout', 'else']],
  ['tryLock', ['then', 'else']],
  ['unlock', []],
  ['readLock', []],
  ['wait', []],
  ['post', []],
  ['condWait', ['lock']],
  ['signal', []],
  ['broadcast', []],
  ['barrier', []],
  ['repeat', ['do']],
  ['set', []],
  ['fork', []],
  ['mark', []],
  ['deadlineAt', ['do']],
]);
const STEP_NAMES = [...STEP_KEYS.keys()];

/** The steps of a list; those with problems are left out. */
export function readProgram(ctx: ProgramContext, value: Json | undefined, path: string): readonly Step[] {
  const list = readList(ctx, value, path, '[{ "run": "2ms" }, { "sleep": "8ms" }].');
  if (list === undefined) return [];
  const steps: Step[] = [];
  for (let i = 0; i < list.length; i++) {
    if (++ctx.steps.count > MAX_STEPS) {
      addProblem(
        ctx.problems,
        'bound-steps',
        '',
        `The programs have more than ${MAX_STEPS} steps together.`,
        '"repeat" and "count" say the same in fewer steps.',
      );
      return steps;
    }
    const step = readStep(ctx, list[i]!, elementPath(path, i));
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

function readStep(ctx: ProgramContext, value: Json, path: string): Step | undefined {
  if (value === 'yield' || value === 'exit') return { op: value, path };
  if (!isObject(value)) {
    const near = typeof value === 'string' ? nearestName(value, ['yield', 'exit']) : undefined;
    const shown = typeof value === 'string' ? quoted(value) : kindOf(value);
    addProblem(
      ctx.problems,
      'unknown-step',
      path,
      `A step is ${shown}.`,
      near !== undefined
        ? `Did you mean "${near}"?`
        : 'A step is an object such as { "run": "2ms" }, or "yield" or "exit".',
    );
    return undefined;
  }
  const name = stepName(ctx, value, path);
  if (name === undefined) return undefined;
  checkKeys(ctx, value, path, [name, ...STEP_KEYS.get(name)!], `The step "${name}"`);
  return readNamedStep(ctx, name, value, path);
}

/** The key that says what the step does. */
function stepName(ctx: ProgramContext, object: JsonObject, path: string): string | undefined {
  const keys = Object.keys(object);
  const names = keys.filter((key) => STEP_KEYS.has(key));
  // { "condWait": C, "lock": L } waits on C; L is its lock.
  const name = names.includes('condWait') ? 'condWait' : names[0];
  const others = names.filter((other) => other !== name && !(name === 'condWait' && other === 'lock'));
  if (name !== undefined && others.length === 0) return name;
  if (name !== undefined) {
    addProblem(
      ctx.problems,
      'step-keys',
      path,
      `A step names ${listNames(names.map((n) => `"${n}"`))} at once.`,
      'Write one object for each step.',
    );
    return undefined;
  }
  const word = keys.find((key) => key === 'yield' || key === 'exit');
  const near = keys[0] === undefined ? undefined : nearestName(keys[0], STEP_NAMES);
  addProblem(
    ctx.problems,
    'unknown-step',
    path,
    keys[0] === undefined ? 'A step is an empty object.' : `There is no step ${quoted(keys[0])}.`,
    word !== undefined
      ? `Write the text "${word}" without an object.`
      : near !== undefined
        ? `Did you mean "${near}"?`
        : `Steps: ${listNames(STEP_NAMES, 30)}, "yield" and "exit".`,
  );
  return undefined;
}

function readNamedStep(ctx: ProgramContext, name: string, object: JsonObject, path: string): Step | undefined {
  const at = childPath(path, name);
  const value = own(object, name)!;
  switch (name) {
    case 'run': {
      const forNs = value === 'forever' ? value : readDuration(ctx, value, at);
      const reads = optional(object, path, 'clockReads', false, (v, p) => readBoolean(ctx, v, p));
      return forNs === undefined
        ? undefined
        : { op: name, forNs, ...(reads === true ? { clockReads: true } : {}), path };
    }
    case 'sleep':
    case 'io': {
      const forNs = readDuration(ctx, value, at);
      return forNs === undefined ? undefined : { op: name, forNs, path };
    }
    case 'runUntil':
    case 'sleepUntil': {
      const atNs = readTime(ctx, value, at);
      return atNs === undefined ? undefined : { op: name, atNs, path };
    }
    case 'period': {
      const everyNs = readFixed(ctx, value, at);
      return everyNs === undefined ? undefined : { op: name, everyNs, path };
    }
    case 'lock':
      return readLockStep(ctx, object, value, path);
    case 'tryLock': {
      const lock = readLockName(ctx, value, at, MUTEX_KINDS);
      const then = optional(object, path, 'then', [], (v, p) => readProgram(ctx, v, p));
      const otherwise = optional(object, path, 'else', [], (v, p) => readProgram(ctx, v, p));
      return lock === undefined ? undefined : { op: name, lock, then, else: otherwise, path };
    }
    case 'repeat':
      return readRepeat(ctx, object, value, path);
    case 'set': {
      const set = readSet(ctx, value, at);
      return set === undefined ? undefined : { op: name, set, path };
    }
    case 'fork':
      return readFork(ctx, value, path);
    case 'mark': {
      const text = readText(ctx, value, at, 200);
      return text === undefined ? undefined : { op: name, text, path };
    }
    case 'deadlineAt':
      return readDeadlineAt(ctx, object, value, path);
    default:
      return readSyncStep(ctx, name, object, path);
  }
}

/** A time above 0 that is the same in each round. */
function readFixed(ctx: ProgramContext, value: Json, path: string): number | undefined {
  if (!isObject(value)) return readTime(ctx, value, path, 1);
  addProblem(
    ctx.problems,
    'random-time',
    path,
    `${fieldName(path)} is a random time; it must be a fixed one.`,
    'Write a time such as "10ms", and draw the "run" or "sleep" at random.',
  );
  return undefined;
}

/** A time above 0, or a random one, which may be 0: then the wait ends as it begins. */
function readTimeout(ctx: ProgramContext, value: Json, path: string): Duration | undefined {
  return isObject(value) ? readDuration(ctx, value, path) : readTime(ctx, value, path, 1);
}

function readLockStep(ctx: ProgramContext, object: JsonObject, value: Json, path: string): Step | undefined {
  const lock = readLockName(ctx, value, childPath(path, 'lock'), MUTEX_KINDS);
  const timeout = own(object, 'timeout');
  const timeoutNs = timeout === undefined ? undefined : readTimeout(ctx, timeout, childPath(path, 'timeout'));
  const otherwise = optional(object, path, 'else', undefined, (v, p) => readProgram(ctx, v, p));
  if (lock === undefined) return undefined;
  return {
    op: 'lock',
    lock,
    ...(timeoutNs !== undefined ? { timeoutNs } : {}),
    ...(otherwise !== undefined ? { else: otherwise } : {}),
    path,
  };
}

function readRepeat(ctx: ProgramContext, object: JsonObject, value: Json, path: string): Step | undefined {
  const times = readTimes(ctx, value, childPath(path, 'repeat'));
  const steps = readDo(ctx, object, path, 'repeat');
  return times === undefined || steps === undefined ? undefined : { op: 'repeat', times, do: steps, path };
}

function readDeadlineAt(ctx: ProgramContext, object: JsonObject, value: Json, path: string): Step | undefined {
  const withinNs = readFixed(ctx, value, childPath(path, 'deadlineAt'));
  const steps = readDo(ctx, object, path, 'deadlineAt');
  return withinNs === undefined || steps === undefined ? undefined : { op: 'deadlineAt', withinNs, do: steps, path };
}

function readDo(ctx: ProgramContext, object: JsonObject, path: string, step: string): readonly Step[] | undefined {
  const body = own(object, 'do');
  if (body !== undefined) return readProgram(ctx, body, childPath(path, 'do'));
  missingKey(ctx, path, 'do', `The step "${step}"`, '"do": [{ "run": "1ms" }].');
  return undefined;
}

function readTimes(
  ctx: ProgramContext,
  value: Json,
  path: string,
): number | 'forever' | { readonly untilNs: number } | undefined {
  if (value === 'forever') return value;
  if (isObject(value)) {
    checkKeys(ctx, value, path, ['until'], 'repeat');
    const untilNs = readTime(ctx, own(value, 'until'), childPath(path, 'until'));
    return untilNs === undefined ? undefined : { untilNs };
  }
  return readInteger(ctx, value, path, {
    min: 0,
    max: 1_000_000_000,
    hint: 'Write a number of rounds, "forever", or { "until": "2s" }.',
  });
}

function readSet(ctx: ProgramContext, value: Json, path: string): AttrChange | undefined {
  const object = readObject(ctx, value, path, '{ "policy": "fifo", "priority": 50 }.');
  if (object === undefined) return undefined;
  checkKeys(ctx, object, path, ATTRIBUTE_KEYS, 'The step "set"');
  return readAttributes(ctx, object, path, ctx.thread, false);
}

function readFork(ctx: ProgramContext, value: Json, path: string): Step | undefined {
  const at = childPath(path, 'fork');
  const name = readText(ctx, value, at, 64);
  if (name === undefined) return undefined;
  const thread = ctx.forkable.get(name);
  if (thread !== undefined) return { op: 'fork', thread, path };
  const near = nearestName(name, ctx.forkable.keys());
  addProblem(
    ctx.problems,
    'unknown-thread',
    at,
    `No thread ${quoted(name)} starts with "fork".`,
    near !== undefined ? `Did you mean "${near}"?` : `List it under "threads" with "start": "fork".`,
  );
  return undefined;
}
