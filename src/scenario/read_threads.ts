// Reads threads: names after `count`, attributes, programs.

import { checkAdmission } from './check_admission.ts';
import { checkProgram } from './check_program.ts';
import type { Json, JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { kindOf, own } from './json_value.ts';
import { nearestName } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import { ATTRIBUTE_KEYS, type AttributeContext, type Attributes, readAttributes } from './read_attributes.ts';
import { addNote } from './read_context.ts';
import { isSession, type ReadGroups } from './read_groups.ts';
import type { ReadLocks } from './read_locks.ts';
import { readProgram } from './read_program.ts';
import {
  checkKeys,
  isPrintableName,
  missingKey,
  optional,
  readChoice,
  readInteger,
  readObject,
  readText,
  readTime,
  utf8Bytes,
} from './read_value.ts';
import type { DlSpec, ForkKey, ThreadSpec } from './scenario.ts';

export const MAX_THREADS = 1024;
/** The kernel's comm without its final zero. */
export const MAX_NAME_BYTES = 15;

const THREAD_KEYS = [
  ...ATTRIBUTE_KEYS,
  'name',
  'count',
  'startCpu',
  'start',
  'birth',
  'group',
  'session',
  'rttimeLimit',
  'program',
];

/** A thread of the patched document and where it stands. */
export interface ThreadEntry {
  readonly path: string;
  readonly json: Json;
}

export interface ThreadsContext extends AttributeContext {
  readonly locks: ReadLocks;
  readonly groups: ReadGroups;
}

/** First look at an entry: what it is called and how it starts. */
interface Header {
  readonly path: string;
  readonly object: JsonObject;
  readonly baseName: string;
  readonly names: readonly string[];
  readonly start: number | 'fork';
}

/** The threads after `count`, in document order. */
export function readThreads(ctx: ThreadsContext, entries: readonly ThreadEntry[]): readonly ThreadSpec[] {
  const headers = readHeaders(ctx, entries);
  const forkable = new Map<string, number>();
  let index = 0;
  for (const header of headers) {
    if (header.start === 'fork' && header.names.length > 0) forkable.set(header.baseName, index);
    for (const name of header.names) {
      if (header.start === 'fork') forkable.set(name, index);
      index++;
    }
  }
  const steps = { count: 0 };
  const specs = headers.map((header) => readThread(ctx, header, forkable, steps));
  const paths = headers.flatMap((header) => header.names.map(() => header.path));
  checkAdmission(ctx.problems, ctx.machine, specs.flat(), paths);
  return specs.flat();
}

/** Names of all threads after `count`; what is wrong is reported. */
function readHeaders(ctx: ThreadsContext, entries: readonly ThreadEntry[]): readonly Header[] {
  const headers: Header[] = [];
  const taken = new Set<string>();
  let total = 0;
  for (const { path, json } of entries) {
    const object = readObject(ctx, json, path, '{ "name": "worker", "program": [{ "run": "2ms" }] }.');
    if (object === undefined) continue;
    checkKeys(ctx, object, path, THREAD_KEYS, 'A thread');
    const count = optional(object, path, 'count', 1, (v, at) =>
      readInteger(ctx, v, at, { min: 0, max: MAX_THREADS, code: 'bound-threads' }),
    );
    const baseName = readName(ctx, object, path, count);
    if (total + count > MAX_THREADS) {
      addProblem(
        ctx.problems,
        'bound-threads',
        'threads',
        `There are more than ${MAX_THREADS} threads, "count" included.`,
        `A document has at most ${MAX_THREADS}.`,
      );
      break;
    }
    total += count;
    const names = count === 1 ? [baseName] : Array.from({ length: count }, (_, i) => `${baseName}/${i}`);
    for (const name of names) {
      if (baseName !== '' && taken.has(name))
        addProblem(
          ctx.problems,
          'duplicate-name',
          childPath(path, 'name'),
          `Two threads are named ${quoted(name)}.`,
          'Names are unique; give one of them another.',
        );
      taken.add(name);
    }
    headers.push({ path, object, baseName, names, start: readStart(ctx, object, path) });
  }
  return headers;
}

function readName(ctx: ThreadsContext, object: JsonObject, path: string, count: number): string {
  const at = childPath(path, 'name');
  if (own(object, 'name') === undefined) {
    missingKey(ctx, path, 'name', 'A thread', '"worker".');
    return '';
  }
  const name = readText(ctx, own(object, 'name'), at, 200);
  if (name === undefined) return '';
  if (!isPrintableName(name))
    addProblem(
      ctx.problems,
      'bad-name',
      at,
      'The name is empty or holds a control character.',
      'Write printable characters.',
    );
  const suffix = count > 1 ? `/${count - 1}` : '';
  const bytes = utf8Bytes(name + suffix);
  if (bytes > MAX_NAME_BYTES) {
    addProblem(
      ctx.problems,
      'name-length',
      at,
      `The name ${quoted(name + suffix)} has ${bytes} bytes.`,
      `The kernel keeps ${MAX_NAME_BYTES} bytes of a name${count > 1 ? ', suffix included' : ''}; write a shorter one.`,
    );
  }
  return name;
}

function readStart(ctx: ThreadsContext, object: JsonObject, path: string): number | 'fork' {
  return optional(object, path, 'start', 0, (v, at) => (v === 'fork' ? v : readTime(ctx, v, at)));
}

function readThread(
  ctx: ThreadsContext,
  header: Header,
  forkable: ReadonlyMap<string, number>,
  steps: { count: number },
): readonly ThreadSpec[] {
  const { object, path, baseName, start } = header;
  const attributes = readAttributes(ctx, object, path, baseName, start !== 'fork');
  const allowedCpus = attributes.cpus ?? allCpus(ctx.machine.cpus);
  const startCpu = readStartCpu(ctx, object, path, baseName, allowedCpus);
  const birth = optional(object, path, 'birth', start === 0 ? ('settled' as const) : ('new' as const), (v, at) =>
    readChoice(ctx, v, at, ['settled', 'new', 'woken'] as const),
  );
  const group = readGroup(ctx, object, path);
  const session = readSession(ctx, object, path);
  const rttimeLimitNs = optional(object, path, 'rttimeLimit', undefined, (v, at) => readTime(ctx, v, at, 1));
  const dl = readDl(ctx, object, path, attributes);
  if (own(object, 'program') === undefined) missingKey(ctx, path, 'program', 'A thread', '[{ "run": "2ms" }].');
  const program =
    own(object, 'program') === undefined
      ? []
      : readProgram(
          { ...ctx, locks: ctx.locks.byName, forkable, thread: baseName, steps },
          own(object, 'program'),
          childPath(path, 'program'),
        );
  checkProgram(ctx.problems, program, ctx.locks.specs);
  const inherits = start === 'fork' ? FORK_KEYS.filter((key) => own(object, key) === undefined) : undefined;
  return header.names.map((name) => ({
    name,
    baseName,
    policy: attributes.policy ?? 'other',
    rtPrio: attributes.rtPrio ?? 0,
    nice: attributes.nice ?? 0,
    ...(attributes.sliceNs !== undefined ? { sliceNs: attributes.sliceNs } : {}),
    ...(dl !== undefined ? { dl } : {}),
    ...(group !== undefined ? { group } : {}),
    ...(session !== undefined ? { session } : {}),
    ...(rttimeLimitNs !== undefined ? { rttimeLimitNs } : {}),
    allowedCpus,
    ...(startCpu !== undefined ? { startCpu } : {}),
    start,
    birth,
    ...(attributes.timerSlackNs !== undefined ? { timerSlackNs: attributes.timerSlackNs } : {}),
    ...(inherits !== undefined ? { inherits } : {}),
    program,
  }));
}

/** What a forked thread takes over from its parent where the document is silent. */
const FORK_KEYS: readonly ForkKey[] = [
  'policy',
  'priority',
  'nice',
  'slice',
  'cpus',
  'timerSlack',
  'group',
  'session',
  'rttimeLimit',
];

const allCpusBySize = new Map<number, readonly number[]>();

/** [0, 1, … cpus - 1], one shared list per size. */
function allCpus(cpus: number): readonly number[] {
  let list = allCpusBySize.get(cpus);
  if (list === undefined) {
    list = Array.from({ length: cpus }, (_, cpu) => cpu);
    allCpusBySize.set(cpus, list);
  }
  return list;
}

function readStartCpu(
  ctx: ThreadsContext,
  object: JsonObject,
  path: string,
  name: string,
  allowed: readonly number[],
): number | undefined {
  const startCpu = optional(object, path, 'startCpu', undefined, (v, at) =>
    readInteger(ctx, v, at, { min: 0, max: 1_000_000 }),
  );
  if (startCpu === undefined || allowed.includes(startCpu)) return startCpu;
  if (startCpu >= ctx.machine.cpus) {
    addNote(
      ctx.notes,
      'start-cpu',
      name,
      (first, n) =>
        `The startCpu of ${n === 1 ? `"${first}"` : `${n} threads`} is a CPU that the machine lacks; it is left out.`,
    );
  } else {
    addProblem(
      ctx.problems,
      'start-cpu',
      childPath(path, 'startCpu'),
      `startCpu is ${startCpu}, which is none of the thread's CPUs.`,
      `Its CPUs are ${allowed.slice(0, 16).join(', ')}${allowed.length > 16 ? ' …' : ''}.`,
    );
  }
  return undefined;
}

/** Index of the thread's group; with autogroup that of its session where it is in no group. */
function readGroup(ctx: ThreadsContext, object: JsonObject, path: string): number | undefined {
  const value = own(object, 'group');
  if (value === undefined || value === null) {
    const session = own(object, 'session');
    return session === undefined ? undefined : ctx.groups.bySession.get(String(session));
  }
  const at = childPath(path, 'group');
  const name = readText(ctx, value, at, 64);
  if (name === undefined) return undefined;
  const group = ctx.groups.byName.get(name);
  if (group !== undefined || ctx.groups.broken.has(name)) return group;
  const near = nearestName(name, ctx.groups.byName.keys());
  addProblem(
    ctx.problems,
    'unknown-group',
    at,
    `Nobody defines the group ${quoted(name)}.`,
    near !== undefined ? `Did you mean "${near}"?` : 'Define it under "groups".',
  );
  return undefined;
}

function readSession(ctx: ThreadsContext, object: JsonObject, path: string): string | undefined {
  const session = own(object, 'session');
  if (session === undefined) return undefined;
  if (isSession(session)) return String(session);
  addProblem(
    ctx.problems,
    'type',
    childPath(path, 'session'),
    `session is ${kindOf(session)}; it must be a short text or a number.`,
    'Threads with the same value share a session.',
  );
  return undefined;
}

function readDl(ctx: ThreadsContext, object: JsonObject, path: string, attributes: Attributes): DlSpec | undefined {
  const { runtimeNs, deadlineNs, periodNs } = attributes;
  if (attributes.policy === 'deadline')
    return runtimeNs !== undefined && deadlineNs !== undefined && periodNs !== undefined
      ? { runtimeNs, deadlineNs, periodNs }
      : undefined;
  // A forked thread without a policy of its own: a child can't take over its parent's (EAGAIN).
  if (own(object, 'policy') === undefined && (runtimeNs ?? deadlineNs ?? periodNs) !== undefined)
    addProblem(
      ctx.problems,
      'deadline-key',
      childPath(path, 'policy'),
      'The thread has parameters of the policy "deadline", but not the policy.',
      'Write "policy": "deadline"; a child does not take it over.',
    );
  return undefined;
}
