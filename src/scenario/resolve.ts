// Turns a document, the chosen settings and interventions into a scenario. The one path for the command line, the
// page's worker and tests. Total: whatever is wrong with any of them comes back as a list of problems.

import { err, ok, type Result } from '../base/result.ts';
import type { Json, JsonObject, Problem } from './document.ts';
import { valueLabel } from './fixed_meanings.ts';
import { checkJsonBounds } from './json_bounds.ts';
import { isObject, own } from './json_value.ts';
import type { MeasureNames } from './measure.ts';
import { migrate } from './migrate.ts';
import { type PatchedDocument, sourcePath, unpatched } from './patched_document.ts';
import { allProblems, createProblemList } from './problems.ts';
import { readClaims } from './read_claims.ts';
import { noteTexts, type ReadContext } from './read_context.ts';
import { type InterventionRequest, readInterventions } from './read_interventions.ts';
import { paramText, readParams } from './read_params.ts';
import { type ReadScene, readScene } from './read_scene.ts';
import {
  type AppliedSettings,
  applySettings,
  noteIdleSettings,
  readSetting,
  type Settings,
  type SettingsBase,
} from './read_settings.ts';
import { readToggles, type Toggle } from './read_toggles.ts';
import { checkKeys, missingKey, optional, readInteger, readText, readTime } from './read_value.ts';
import { readView } from './read_view.ts';
import type { Scenario, ThreadSpec, ToggleInfo } from './scenario.ts';
import { FROZEN_SETTINGS } from './setting_names.ts';
import { formatTime } from './time_text.ts';

export type { InterventionRequest } from './read_interventions.ts';

const DOCUMENT_KEYS = [
  'version',
  'title',
  'summary',
  'source',
  'duration',
  'seed',
  'params',
  'machine',
  'groups',
  'locks',
  'threads',
  'toggles',
  'interventions',
  'expect',
  'view',
];

/**
 * The scenario that `document` describes with `settings` in force, or everything that is wrong.
 *
 * @param settings toggles, params and machine settings by id, as --set or a link gives them; later ones act later
 * @param interventions flips while it runs, besides those of the document
 * O(document) for each intervention; a thousand threads take a few ms.
 */
export function resolve(
  document: JsonObject,
  settings: Readonly<Record<string, string | number | boolean>> = {},
  interventions: readonly InterventionRequest[] = [],
): Result<Scenario, readonly Problem[]> {
  const bounds = checkJsonBounds(document);
  if (bounds !== undefined) return err([bounds]);
  if (!isObject(document))
    return err([
      { code: 'type', path: '', message: 'The document is no object.', hint: 'A document begins with "{".' },
    ]);
  const migrated = migrate(document);
  if (!migrated.ok) return err([migrated.error]);
  const given: Settings = new Map(Object.entries(settings).map(([id, text]) => [id, { text, path: `settings.${id}` }]));
  return read(migrated.value, given, interventions);
}

function read(
  document: JsonObject,
  settings: Settings,
  requests: readonly InterventionRequest[],
): Result<Scenario, readonly Problem[]> {
  const problems = createProblemList();
  const outer: ReadContext = { problems, notes: new Map(), params: new Map() };
  const params = readParams(outer, own(document, 'params'));
  const toggles = readToggles(outer, document);
  const base: SettingsBase = { document: unpatched(outer, document), toggles, params };
  const applied = applySettings(outer, base, settings);
  const ctx: ReadContext = { ...outer, params: applied.params };
  const { body } = applied.document;
  checkKeys(ctx, body, '', DOCUMENT_KEYS, 'The document');

  const read = readScene(ctx, applied, document);
  const { scene } = read;
  noteIdleSettings(ctx, settings, scene.machine.kernel);
  const durationNs = readDurationOfRun(ctx, body);
  const seed = optional(body, '', 'seed', 1, (v, at) => readInteger(ctx, v, at, { min: 0, max: 0xffff_ffff }));
  const text = (key: string, fallback: string, max: number): string =>
    optional(body, '', key, fallback, (v, at) => readText(ctx, v, at, max));
  const known = knownNames(base, scene.threads, scene.locks);
  const scenario: Scenario = {
    ...scene,
    title: text('title', 'Untitled scenario', 200),
    summary: text('summary', '', 4000),
    source: text('source', '', 2000),
    durationNs,
    seed,
    interventions: readInterventions(
      ctx,
      { ...base, settings, scene, durationNs, written: document },
      own(body, 'interventions'),
      requests,
    ),
    claims: readClaims(
      { ...ctx, names: known, checkSetting: (id, value, path) => void readSetting(ctx, base, id, value, path) },
      own(body, 'expect'),
    ),
    toggles: [...toggles.values()].map((toggle) =>
      toggleInfo(toggle, applied.toggles.get(toggle.id) ?? toggle.default, base.document),
    ),
    params: [...applied.params.values()],
    settings: settingsInForce(applied, read, seed),
    view: readView(
      ctx,
      own(body, 'view'),
      new Map(scene.threads.map((thread, id) => [thread.name, id])),
      known.threads,
    ),
    notes: noteTexts(ctx.notes),
  };
  if (problems.found.length === 0) return ok(scenario);
  return err(
    allProblems(problems).map((problem) => ({ ...problem, path: sourcePath(applied.document, problem.path) })),
  );
}

function readDurationOfRun(ctx: ReadContext, body: JsonObject): number {
  if (own(body, 'duration') === undefined) missingKey(ctx, '', 'duration', 'The document', '"2s".');
  return optional(body, '', 'duration', 0, (v, at) => readTime(ctx, v, at, 1));
}

/** Every name that a claim or a note may use: with these toggles, or with others. */
function knownNames(
  base: SettingsBase,
  threads: readonly ThreadSpec[],
  locks: readonly { readonly name: string }[],
): MeasureNames {
  const threadNames = new Set(threads.flatMap((thread) => [thread.name, thread.baseName]));
  const lockNames = new Set(locks.map((lock) => lock.name));
  for (const { json } of base.document.threads.values()) {
    const name = isObject(json) ? own(json, 'name') : undefined;
    if (typeof name === 'string') threadNames.add(name).add(`${name}/0`);
  }
  for (const toggle of base.toggles.values()) {
    for (const patch of toggle.values.values()) {
      addKeys(threadNames, patch, 'threads');
      addKeys(lockNames, patch, 'locks');
    }
  }
  return { threads: threadNames, locks: lockNames };
}

function addKeys(names: Set<string>, patch: JsonObject, key: string): void {
  const part = own(patch, key);
  for (const name of isObject(part) ? Object.keys(part) : []) names.add(name);
}

function toggleInfo(toggle: Toggle, value: string, document: PatchedDocument): ToggleInfo {
  const values = [...toggle.values.keys()];
  const labels = values.flatMap((name) => {
    const label = valueLabel(toggle.id, name);
    return label === undefined ? [] : [[name, label] as const];
  });
  return {
    id: toggle.id,
    label: toggle.label,
    help: toggle.help,
    values,
    ...(labels.length > 0 ? { valueLabels: Object.fromEntries(labels) } : {}),
    default: toggle.default,
    value,
    ...([...toggle.values.values()].some((patch) => changesShape(patch, document)) ? { startOnly: true } : {}),
  };
}

/** Whether a patch adds or removes threads or locks, or changes what a machine is built of. */
function changesShape(patch: JsonObject, { body, threads }: PatchedDocument): boolean {
  const locks = own(body, 'locks');
  const machine = own(patch, 'machine');
  return (
    addsOrRemoves(own(patch, 'threads'), (name) => threads.has(name)) ||
    addsOrRemoves(own(patch, 'locks'), (name) => isObject(locks) && own(locks, name) !== undefined) ||
    FROZEN_SETTINGS.some((key) => isObject(machine) && own(machine, key) !== undefined)
  );
}

/** Nothing is removed that is not there, and a `count` is a number of threads. */
function addsOrRemoves(part: Json | undefined, isThere: (name: string) => boolean): boolean {
  return (
    isObject(part) &&
    Object.entries(part).some(
      ([name, value]) =>
        (value === null) === isThere(name) ||
        (isObject(value as Json) && own(value as JsonObject, 'count') !== undefined),
    )
  );
}

/** What the result shows under "settings": toggles, params, then the machine's. */
function settingsInForce(
  applied: AppliedSettings,
  { scene, costsName }: ReadScene,
  seed: number,
): Readonly<Record<string, string>> {
  const { machine } = scene;
  const { rtThrottling } = machine;
  const throttling =
    rtThrottling === false ? 'off' : rtThrottling.phaseNs !== undefined ? formatTime(rtThrottling.phaseNs) : 'on';
  return Object.fromEntries([
    ...applied.toggles,
    ...[...applied.params.values()].map((param) => [param.id, paramText(param)] as const),
    ['kernel', machine.kernel],
    ['cpus', String(machine.cpus)],
    ['hz', String(machine.hz)],
    ['throttling', throttling],
    ['fairserver', machine.fairServer === false ? 'off' : 'on'],
    ['costs', costsName],
    ['seed', String(seed)],
  ]);
}
