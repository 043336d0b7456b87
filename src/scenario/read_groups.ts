// Reads `groups`, and makes the sessions of autogroup groups. Section 11 of the facts.

import type { Json, JsonObject } from './document.ts';
import { childPath } from './json_path.ts';
import { isObject, own } from './json_value.ts';
import { nearestName } from './nearest_name.ts';
import { addProblem, quoted } from './problems.ts';
import { addNote, type ReadContext } from './read_context.ts';
import {
  checkKeys,
  isPrintableName,
  optional,
  readBoolean,
  readInteger,
  readObject,
  readText,
  readTime,
} from './read_value.ts';
import type { GroupSpec } from './scenario.ts';
import { formatTime } from './time_text.ts';

export const MAX_GROUPS = 1024;
/** Levels of groups inside groups. */
export const MAX_GROUP_DEPTH = 32;
const GROUP_KEYS = ['weight', 'quota', 'period', 'burst', 'periodPhase', 'idle', 'parent'];

/** cpu.max's default and the kernel's bounds. Source: core.c tg_set_cfs_bandwidth (fact 11.3). */
const DEFAULT_PERIOD_NS = 100_000_000;
const MIN_BANDWIDTH_NS = 1_000_000;
const MAX_PERIOD_NS = 1_000_000_000;

export interface ReadGroups {
  /** Parents before children. */
  readonly specs: readonly GroupSpec[];
  readonly byName: ReadonlyMap<string, number>;
  /** Index of the group that autogroup makes of a session. */
  readonly bySession: ReadonlyMap<string, number>;
  /** Names of groups in a cycle or below one: they have no spec, and a problem stands in the list. */
  readonly broken: ReadonlySet<string>;
}

interface Draft {
  readonly name: string;
  readonly path: string;
  readonly spec: Omit<GroupSpec, 'parent'>;
  readonly parent: string | undefined;
}

/** True for what may name a session. */
export function isSession(value: Json): value is string | number {
  return (typeof value === 'string' && value.length <= 64) || typeof value === 'number';
}

/**
 * The groups in document order, parents moved before their children, then a group for each session.
 *
 * @param threads the threads whose sessions become groups; none without autogroup
 */
export function readGroups(ctx: ReadContext, value: Json | undefined, threads: readonly Json[]): ReadGroups {
  const object = value === undefined ? {} : (readObject(ctx, value, 'groups', '{ "g": { "weight": 100 } }.') ?? {});
  const drafts = readDrafts(ctx, object);
  const specs: GroupSpec[] = [];
  const byName = new Map<string, number>();
  const broken = new Set<string>();
  for (const draft of drafts.values()) place(ctx, { drafts, specs, byName, broken }, draft);
  return { specs, byName, bySession: addSessions(ctx, specs, byName, threads), broken };
}

function readDrafts(ctx: ReadContext, object: JsonObject): ReadonlyMap<string, Draft> {
  const entries = Object.entries(object);
  if (entries.length > MAX_GROUPS) {
    addProblem(
      ctx.problems,
      'bound-groups',
      'groups',
      `There are ${entries.length} groups.`,
      `A document has at most ${MAX_GROUPS}.`,
    );
    entries.length = MAX_GROUPS;
  }
  const drafts = new Map<string, Draft>();
  for (const [name, json] of entries) {
    const path = childPath('groups', name);
    if (!isPrintableName(name) || name.length > 64)
      addProblem(
        ctx.problems,
        'bad-name',
        path,
        `The group name ${quoted(name)} is empty, too long or holds a control character.`,
        'Write 1 to 64 printable characters.',
      );
    const group = readObject(ctx, json, path, '{ "weight": 100 }.') ?? {};
    checkKeys(ctx, group, path, GROUP_KEYS, 'A group');
    drafts.set(name, { name, path, spec: readGroup(ctx, group, name, path), parent: readParent(ctx, group, path) });
  }
  for (const { parent, path } of drafts.values()) {
    if (parent === undefined || drafts.has(parent)) continue;
    const near = nearestName(parent, drafts.keys());
    addProblem(
      ctx.problems,
      'unknown-group',
      childPath(path, 'parent'),
      `Nobody defines the group ${quoted(parent)}.`,
      near !== undefined ? `Did you mean "${near}"?` : 'Define it under "groups".',
    );
  }
  return drafts;
}

function readParent(ctx: ReadContext, group: JsonObject, path: string): string | undefined {
  const parent = own(group, 'parent');
  return parent === undefined || parent === null ? undefined : readText(ctx, parent, childPath(path, 'parent'), 64);
}

function readGroup(ctx: ReadContext, group: JsonObject, name: string, path: string): Omit<GroupSpec, 'parent'> {
  const time = (key: string, fallback: number | undefined): number | undefined =>
    optional(group, path, key, fallback, (v, at) => readTime(ctx, v, at));
  const bandwidth = (key: string, message: string, hint: string): void =>
    addProblem(ctx.problems, 'group-bandwidth', childPath(path, key), message, hint);
  const weight = optional(group, path, 'weight', 100, (v, at) =>
    readInteger(ctx, v, at, { min: 1, max: 10_000, hint: 'cpu.weight goes from 1 to 10000; 100 is the default.' }),
  );
  const idle = optional(group, path, 'idle', false, (v, at) => readBoolean(ctx, v, at));
  const quotaNs = own(group, 'quota') === null ? undefined : time('quota', undefined);
  const periodNs = time('period', DEFAULT_PERIOD_NS)!;
  const burstNs = time('burst', 0)!;
  const periodPhaseNs = time('periodPhase', 0)!;
  if (quotaNs !== undefined && quotaNs < MIN_BANDWIDTH_NS)
    bandwidth('quota', `The quota is ${formatTime(quotaNs)}.`, 'The kernel takes 1ms or more (EINVAL).');
  if (periodNs < MIN_BANDWIDTH_NS || periodNs > MAX_PERIOD_NS)
    bandwidth('period', `The period is ${formatTime(periodNs)}.`, 'The kernel takes 1ms to 1s (EINVAL).');
  if (quotaNs !== undefined && burstNs > quotaNs)
    bandwidth('burst', 'The burst is longer than the quota.', 'The kernel takes a burst up to the quota (EINVAL).');
  if (quotaNs === undefined && own(group, 'quota') === undefined) {
    if (['period', 'burst', 'periodPhase'].some((key) => own(group, key) !== undefined))
      note(ctx, 'group-no-quota', name, (who) => `${who} no quota; period, burst and periodPhase mean nothing there.`);
  }
  if (idle && own(group, 'weight') !== undefined)
    note(ctx, 'group-idle', name, (who) => `${who} a weight, and is idle: it weighs 3.`);
  return { name, weight, ...(quotaNs !== undefined ? { quotaNs } : {}), periodNs, burstNs, periodPhaseNs, idle };
}

function note(ctx: ReadContext, key: string, name: string, text: (who: string) => string): void {
  addNote(ctx.notes, key, name, (first, n) => text(n === 1 ? `The group "${first}" has` : `Each of ${n} groups has`));
}

interface Placing {
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly specs: GroupSpec[];
  readonly byName: Map<string, number>;
  readonly broken: Set<string>;
}

/** Adds a group after all that it is inside of. A chain that comes back to itself is a problem at its first group. */
function place(ctx: ReadContext, placing: Placing, draft: Draft): void {
  const { drafts, specs, byName, broken } = placing;
  const chain: Draft[] = [];
  let at: Draft | undefined = draft;
  while (at !== undefined && !byName.has(at.name) && !broken.has(at.name)) {
    if (chain.includes(at)) {
      const circle = chain.slice(chain.indexOf(at)).map(({ name }) => quoted(name));
      addProblem(
        ctx.problems,
        'group-cycle',
        childPath(at.path, 'parent'),
        circle.length === 1
          ? `The group ${circle[0]} is inside itself.`
          : `The groups ${circle.slice(0, 8).join(', ')} are inside each other.`,
        'Give one of them another parent, or none.',
      );
      for (const { name } of chain) broken.add(name);
      return;
    }
    chain.push(at);
    at = at.parent === undefined ? undefined : drafts.get(at.parent);
  }
  if (at !== undefined && broken.has(at.name)) {
    for (const { name } of chain) broken.add(name);
    return;
  }
  for (const { name, spec, parent } of chain.reverse()) {
    byName.set(name, specs.length);
    specs.push({ ...spec, parent: parent === undefined ? -1 : (byName.get(parent) ?? -1) });
  }
  if (depthOf(specs, byName.get(draft.name)!) > MAX_GROUP_DEPTH)
    addProblem(
      ctx.problems,
      'bound-group-depth',
      childPath(draft.path, 'parent'),
      `The group ${quoted(draft.name)} is more than ${MAX_GROUP_DEPTH} levels deep.`,
      `Groups nest at most ${MAX_GROUP_DEPTH} deep.`,
    );
}

function depthOf(specs: readonly GroupSpec[], group: number): number {
  let depth = 0;
  for (let at = group; at >= 0; at = specs[at]!.parent) depth++;
  return depth;
}

/** One group of weight 100 for each session of a thread that is in no group: autogroup leaves those of a cgroup alone. */
function addSessions(
  ctx: ReadContext,
  specs: GroupSpec[],
  byName: ReadonlyMap<string, number>,
  threads: readonly Json[],
): ReadonlyMap<string, number> {
  const bySession = new Map<string, number>();
  for (const thread of threads) {
    if (!isObject(thread) || (own(thread, 'group') ?? null) !== null) continue;
    const session = own(thread, 'session');
    if (session === undefined || !isSession(session) || bySession.has(String(session))) continue;
    const name = `session ${session}`;
    if (byName.has(name))
      addProblem(
        ctx.problems,
        'duplicate-name',
        childPath('groups', name),
        `autogroup makes a group ${quoted(name)} of the session.`,
        'Give your group another name.',
      );
    bySession.set(String(session), specs.length);
    specs.push({
      name,
      weight: 100,
      periodNs: DEFAULT_PERIOD_NS,
      burstNs: 0,
      periodPhaseNs: 0,
      idle: false,
      parent: -1,
    });
  }
  return bySession;
}
