// Checks `groups`. The simulation has none yet: a document that uses them gets one clear "not yet".

import type { Json } from './document.ts';
import { childPath } from './json_path.ts';
import { own } from './json_value.ts';
import { addNotYet, addProblem, quoted } from './problems.ts';
import type { ReadContext } from './read_context.ts';
import { checkKeys, optional, readBoolean, readInteger, readObject, readText, readTime } from './read_value.ts';

/** Names of the groups. */
export function readGroups(ctx: ReadContext, value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  const object = readObject(ctx, value, 'groups', '{ "g": { "weight": 100 } }.') ?? {};
  const names = Object.keys(object);
  if (names.length > 0) addNotYet(ctx.problems, 'groups', 'groups', 'Leave "group" and "groups" out.');
  for (const name of names.slice(0, 1000)) {
    const path = childPath('groups', name);
    const group = readObject(ctx, own(object, name), path, '{ "weight": 100 }.');
    if (group === undefined) continue;
    checkKeys(ctx, group, path, ['weight', 'quota', 'period', 'burst', 'periodPhase', 'idle', 'parent'], 'A group');
    optional(group, path, 'weight', 100, (v, at) => readInteger(ctx, v, at, { min: 1, max: 10_000 }));
    for (const key of ['quota', 'period', 'burst', 'periodPhase'])
      optional(group, path, key, 0, (v, at) => readTime(ctx, v, at));
    optional(group, path, 'idle', false, (v, at) => readBoolean(ctx, v, at));
    const parent = own(group, 'parent');
    const parentName =
      parent === undefined || parent === null ? undefined : readText(ctx, parent, childPath(path, 'parent'), 64);
    if (parentName !== undefined && !names.includes(parentName)) {
      addProblem(
        ctx.problems,
        'unknown-group',
        childPath(path, 'parent'),
        `Nobody defines the group ${quoted(parentName)}.`,
        'Define it under "groups".',
      );
    }
  }
  return names;
}
