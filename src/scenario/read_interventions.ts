// Reads interventions: switches that are flipped while the simulation runs.

import type { Json, JsonObject } from './document.ts';
import { childPath, elementPath } from './json_path.ts';
import { kindOf, own } from './json_value.ts';
import { addProblem, quoted } from './problems.ts';
import { addNote, type ReadContext } from './read_context.ts';
import { readScene } from './read_scene.ts';
import { applySettings, type Settings, type SettingsBase, type SettingText } from './read_settings.ts';
import { checkKeys, readList, readObject, readTime } from './read_value.ts';
import type { Intervention, SceneSpec, ThreadSpec } from './scenario.ts';
import { FROZEN_SETTINGS } from './setting_names.ts';

/** Most interventions of a run, those of the document and of the link together. */
export const MAX_INTERVENTIONS = 100;

/** A flip as the command line and the link give it. */
export interface InterventionRequest {
  readonly at: string;
  readonly set: Readonly<Record<string, string | number | boolean>>;
}

interface Flip {
  readonly atNs: number;
  readonly set: ReadonlyMap<string, SettingText>;
}

/** What interventions are read against. */
export interface InterventionBase extends SettingsBase {
  readonly settings: Settings;
  readonly scene: SceneSpec;
  readonly durationNs: number;
  readonly written: JsonObject;
}

/** In order of time; those of one instant in the order in which they stand, the document's first. */
export function readInterventions(
  ctx: ReadContext,
  base: InterventionBase,
  written: Json | undefined,
  requests: readonly InterventionRequest[],
): readonly Intervention[] {
  const flips = [
    ...readFlips(ctx, written),
    ...requests.flatMap(
      (request, i) => readFlip(ctx, request.at, request.set as JsonObject, elementPath('settings.do', i)) ?? [],
    ),
  ];
  if (flips.length > MAX_INTERVENTIONS) {
    addProblem(
      ctx.problems,
      'bound-interventions',
      'interventions',
      `There are ${flips.length} interventions.`,
      `A run has at most ${MAX_INTERVENTIONS}.`,
    );
    return [];
  }
  flips.sort((a, b) => a.atNs - b.atNs);
  const settings = new Map(base.settings);
  const interventions = flips.map((flip) => {
    for (const [id, setting] of flip.set) {
      // Set anew means: acts last.
      settings.delete(id);
      settings.set(id, setting);
    }
    if (flip.atNs >= base.durationNs)
      addNote(
        ctx.notes,
        'intervention-late',
        '',
        (_, n) => `${n === 1 ? 'An intervention comes' : `${n} interventions come`} after the end of the run.`,
      );
    const set = Object.fromEntries([...flip.set].map(([id, { text }]) => [id, text]));
    return { atNs: flip.atNs, set, after: sceneAfter(ctx, base, settings, flip) };
  });
  // What comes after the end rescues nobody in this run: no proof may count on it.
  return interventions.filter(({ atNs }) => atNs < base.durationNs);
}

function readFlips(ctx: ReadContext, value: Json | undefined): Flip[] {
  if (value === undefined) return [];
  const list = readList(ctx, value, 'interventions', '[{ "at": "100ms", "set": { "rt": "off" } }].') ?? [];
  return list.slice(0, MAX_INTERVENTIONS + 1).flatMap((item, i) => {
    const path = elementPath('interventions', i);
    const object = readObject(ctx, item, path, '{ "at": "100ms", "set": { "rt": "off" } }.');
    if (object === undefined) return [];
    checkKeys(ctx, object, path, ['at', 'set'], 'An intervention');
    const set = readObject(ctx, own(object, 'set'), childPath(path, 'set'), '{ "rt": "off" }.');
    return readFlip(ctx, own(object, 'at'), set ?? {}, path) ?? [];
  });
}

function readFlip(ctx: ReadContext, at: Json | undefined, set: JsonObject, path: string): Flip | undefined {
  const atNs = readTime(ctx, at, childPath(path, 'at'));
  const texts = new Map<string, SettingText>();
  for (const [id, value] of Object.entries(set)) {
    const settingPath = childPath(childPath(path, 'set'), id);
    if (FROZEN_SETTINGS.includes(id)) {
      addProblem(
        ctx.problems,
        'frozen-setting',
        settingPath,
        `The setting ${id} can't change while the simulation runs.`,
        `Set ${id} for the whole run.`,
      );
    } else if (typeof value === 'object') {
      addProblem(
        ctx.problems,
        'type',
        settingPath,
        `The setting ${quoted(id)} is ${kindOf(value)}.`,
        'Write a value of the toggle or param.',
      );
    } else {
      texts.set(id, { text: value, path: settingPath });
    }
  }
  return atNs === undefined ? undefined : { atNs, set: texts };
}

function sceneAfter(ctx: ReadContext, base: InterventionBase, settings: Settings, flip: Flip): SceneSpec {
  const applied = applySettings(ctx, base, settings);
  const { scene } = readScene(ctx, applied, base.written);
  const path = [...flip.set.values()][0]?.path ?? 'interventions';
  if (!hasSameShape(base.scene, scene)) {
    addProblem(
      ctx.problems,
      'intervention-shape',
      path,
      'An intervention adds, moves or removes threads, groups, locks or CPUs, or changes the kernel.',
      'It may change attributes of threads, weights and quotas of groups, kinds and back-offs of locks, and rules of the machine.',
    );
    return base.scene;
  }
  return { ...scene, threads: scene.threads.map((thread, i) => keepProgram(ctx, thread, base.scene.threads[i]!)) };
}

function hasSameShape(a: SceneSpec, b: SceneSpec): boolean {
  const sameNames = (x: readonly { readonly name: string }[], y: readonly { readonly name: string }[]): boolean =>
    x.length === y.length && x.every((item, i) => item.name === y[i]!.name);
  const sameMembers =
    a.threads.length === b.threads.length && a.threads.every((thread, i) => thread.group === b.threads[i]!.group);
  const sameMachine =
    a.machine.cpus === b.machine.cpus && a.machine.kernel === b.machine.kernel && a.machine.hz === b.machine.hz;
  const sameGroups = (x: SceneSpec, y: SceneSpec): boolean =>
    sameNames(x.groups, y.groups) && x.groups.every((group, i) => group.parent === y.groups[i]!.parent);
  return (
    sameMachine && sameMembers && sameGroups(a, b) && sameNames(a.threads, b.threads) && sameNames(a.locks, b.locks)
  );
}

/** Programs and starts are not what an intervention changes: a thread is somewhere in the middle of its own. */
function keepProgram(ctx: ReadContext, thread: ThreadSpec, before: ThreadSpec): ThreadSpec {
  if (JSON.stringify(thread.program) !== JSON.stringify(before.program)) {
    addNote(
      ctx.notes,
      'intervention-program',
      thread.name,
      (first, n) =>
        `An intervention changes the program of ${n === 1 ? `"${first}"` : `${n} threads`}; a thread keeps the program that it began with.`,
    );
  }
  return { ...thread, start: before.start, birth: before.birth, program: before.program };
}
