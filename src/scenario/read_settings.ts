// Reads settings, the id=value pairs of the command line, the link and interventions, and applies them to a document.

import { COST_NAMES } from './costs.ts';
import type { Json, JsonObject } from './document.ts';
import { actsByFixedMeaning, fixedValues, hasFixedMeaning, setBackoff, setReweight } from './fixed_meanings.ts';
import { childPath } from './json_path.ts';
import { isObject, own } from './json_value.ts';
import { hasFairServer, hasRtThrottling, KERNELS } from './kernel_names.ts';
import { listNames, nearestName } from './nearest_name.ts';
import { applyPatch, type PatchedDocument } from './patched_document.ts';
import { addProblem, quoted } from './problems.ts';
import { addNote, type ReadContext } from './read_context.ts';
import { HZ_VALUES, MAX_CPUS } from './read_machine.ts';
import { setParam } from './read_params.ts';
import { settingText, type Toggle } from './read_toggles.ts';
import type { KernelId, ParamInfo } from './scenario.ts';
import { FIXED_TOGGLES, isMachineSetting, MACHINE_SETTINGS, type MachineSetting } from './setting_names.ts';
import { parseTime } from './time_text.ts';

/** A setting and the place to name when it is wrong. */
export interface SettingText {
  readonly text: string | number | boolean;
  readonly path: string;
}

/** By id, in the order in which they act. */
export type Settings = ReadonlyMap<string, SettingText>;

/** What settings are read against: the document before any of them. */
export interface SettingsBase {
  readonly document: PatchedDocument;
  readonly toggles: ReadonlyMap<string, Toggle>;
  readonly params: ReadonlyMap<string, ParamInfo>;
}

/** The document with every switch in force. */
export interface AppliedSettings {
  readonly document: PatchedDocument;
  readonly params: ReadonlyMap<string, ParamInfo>;
  /** Value in force of each toggle that is declared or set. */
  readonly toggles: ReadonlyMap<string, string>;
  /** `rt` is off by its fixed meaning. */
  readonly rtOff: boolean;
}

type Setting =
  | { readonly is: 'toggle'; readonly id: string; readonly value: string }
  | { readonly is: 'param'; readonly param: ParamInfo }
  | { readonly is: 'machine'; readonly id: MachineSetting; readonly value: string };

/**
 * Applies the default of every toggle that is not set, in document order, then the settings in theirs, then what rt,
 * reweight and backoff mean by themselves, which holds for whatever the patches made of the document.
 */
export function applySettings(ctx: ReadContext, base: SettingsBase, settings: Settings): AppliedSettings {
  let document = base.document;
  const params = new Map(base.params);
  const toggles = new Map<string, string>();
  const fixed = new Map<string, { readonly value: string; readonly path: string }>();
  const setToggle = (id: string, value: string, path: string): void => {
    const toggle = base.toggles.get(id);
    toggles.set(id, value);
    if (actsByFixedMeaning(id, value, toggle)) fixed.set(id, { value, path });
    else
      document = applyPatch(document, {
        path: childPath(`${childPath('toggles', id)}.values`, value),
        patch: toggle?.values.get(value) ?? {},
      });
  };
  for (const toggle of base.toggles.values())
    if (!settings.has(toggle.id)) setToggle(toggle.id, toggle.default, childPath('toggles', toggle.id));
  for (const [id, { text, path }] of settings) {
    const setting = readSetting(ctx, base, id, text, path);
    if (setting === undefined) continue;
    if (setting.is === 'toggle') setToggle(setting.id, setting.value, path);
    else if (setting.is === 'param') params.set(id, setting.param);
    else document = applyMachineSetting(document, setting.id, setting.value);
  }
  const reweight = fixed.get('reweight');
  if (reweight !== undefined) document = setReweight(document, reweight.value === 'on');
  const backoff = fixed.get('backoff');
  if (backoff !== undefined) document = setBackoff(ctx, document, backoff.value, backoff.path);
  return { document, params, toggles, rtOff: fixed.get('rt')?.value === 'off' };
}

/** What a setting means, or undefined with its problem reported at `path`. */
export function readSetting(
  ctx: ReadContext,
  base: SettingsBase,
  id: string,
  given: string | number | boolean,
  path: string,
): Setting | undefined {
  const toggle = base.toggles.get(id);
  if (toggle !== undefined || (FIXED_TOGGLES as readonly string[]).includes(id)) {
    const values = toggle === undefined ? [] : [...toggle.values.keys()];
    const value = settingText(given, values);
    if (values.includes(value) || hasFixedMeaning(id, value)) return { is: 'toggle', id, value };
    const known = values.length > 0 ? values : fixedValues(id);
    wrongValue(ctx, id, value, path, known);
    return undefined;
  }
  const text = settingText(given, []);
  const param = base.params.get(id);
  if (param !== undefined) {
    const set = setParam(param, text);
    if (set.ok) return { is: 'param', param: set.value };
    addProblem(ctx.problems, set.error.code, path, set.error.message, set.error.hint);
    return undefined;
  }
  if (isMachineSetting(id)) return isMachineValue(ctx, id, text, path) ? { is: 'machine', id, value: text } : undefined;
  const known = [...base.toggles.keys(), ...base.params.keys(), ...MACHINE_SETTINGS, ...FIXED_TOGGLES];
  const near = nearestName(id, known);
  addProblem(
    ctx.problems,
    'unknown-setting',
    path,
    `There is no setting ${quoted(id)}.`,
    near !== undefined ? `Did you mean "${near}"?` : `Settings: ${listNames([...new Set(known)], 20)}.`,
  );
  return undefined;
}

function wrongValue(ctx: ReadContext, id: string, value: string, path: string, known: readonly string[]): void {
  const near = nearestName(value, known);
  addProblem(
    ctx.problems,
    'setting-value',
    path,
    `The setting ${id} is ${quoted(value)}.`,
    near !== undefined ? `Did you mean "${near}"?` : `Values: ${listNames(known, 16)}.`,
  );
}

function isMachineValue(ctx: ReadContext, id: MachineSetting, value: string, path: string): boolean {
  const check = (good: boolean, known: readonly string[]): boolean => {
    if (!good) wrongValue(ctx, id, value, path, known);
    return good;
  };
  switch (id) {
    case 'kernel':
      return check((KERNELS as readonly string[]).includes(value), KERNELS);
    case 'cpus':
      return check(/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_CPUS, [`1 to ${MAX_CPUS}`]);
    case 'hz':
      return check(HZ_VALUES.map(String).includes(value), HZ_VALUES.map(String));
    case 'throttling':
      return check(value === 'on' || value === 'off' || parseTime(value).ok, [
        'on',
        'off',
        'a time: when the period timer first expires',
      ]);
    case 'fairserver':
      return check(value === 'on' || value === 'off', ['on', 'off']);
    case 'costs':
      return check(COST_NAMES.includes(value), COST_NAMES);
    case 'seed':
      return check(/^\d{1,10}$/.test(value) && Number(value) <= 0xffff_ffff, ['0 to 4294967295']);
  }
}

function applyMachineSetting(document: PatchedDocument, id: MachineSetting, value: string): PatchedDocument {
  const patch = (change: JsonObject): PatchedDocument =>
    applyPatch(document, { path: `settings.${id}`, patch: change });
  const machine = own(document.body, 'machine');
  const current = (key: string): Json | undefined => (isObject(machine) ? own(machine, key) : undefined);
  switch (id) {
    case 'kernel':
      return patch({ machine: { kernel: value } });
    case 'cpus':
    case 'hz':
      return patch({ machine: { [id]: Number(value) } });
    case 'costs':
      return patch({ machine: { costs: value } });
    case 'seed':
      return patch({ seed: Number(value) });
    case 'throttling':
      if (value === 'off') return patch({ machine: { rtThrottling: false } });
      if (value !== 'on') return patch({ machine: { rtThrottling: { phase: value } } });
      // On: what the document says of it, else the kernel's own.
      return isObject(current('rtThrottling')) ? document : patch({ machine: { rtThrottling: null } });
    case 'fairserver':
      if (value === 'off') return patch({ machine: { fairServer: false } });
      return isObject(current('fairServer')) ? document : patch({ machine: { fairServer: null } });
  }
}

/** Notes the settings that mean nothing on the kernel that runs. */
export function noteIdleSettings(ctx: ReadContext, settings: Settings, kernel: KernelId): void {
  if (settings.has('throttling') && !hasRtThrottling(kernel)) {
    addNote(
      ctx.notes,
      'throttling-kernel',
      kernel,
      () => `rtThrottling is only the cap of deadline admission on ${kernel}; it throttles no real-time thread there.`,
    );
  }
  if (settings.has('fairserver') && !hasFairServer(kernel)) {
    addNote(
      ctx.notes,
      'server-kernel',
      kernel,
      () => `Kernel ${kernel} has no fair server; fairServer means nothing there.`,
    );
  }
}
