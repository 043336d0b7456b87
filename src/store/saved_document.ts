// "Save…": the document with everything that was set over it written in, so that the file runs as the page did.

import type { Json, JsonObject } from '../scenario/document.ts';
import { formatTime } from '../scenario/time_text.ts';
import type { InterventionSpec, SettingValues } from './ports.ts';

/** A document that, opened with nothing set, is the run that `settings` and `interventions` make of `document`. */
export function savedDocument(
  document: JsonObject,
  settings: SettingValues,
  interventions: readonly InterventionSpec[],
): JsonObject {
  const withSettings = Object.entries(settings).reduce((whole, [id, value]) => withSetting(whole, id, value), document);
  if (interventions.length === 0) return withSettings;
  const flips = interventions.map(({ atNs, set }) => ({ at: formatTime(atNs), set }));
  return { ...withSettings, interventions: [...listAt(withSettings, 'interventions'), ...flips] };
}

function withSetting(document: JsonObject, id: string, value: string): JsonObject {
  if (Object.hasOwn(objectAt(document, 'params'), id)) return withParam(document, id, value);
  switch (id) {
    case 'seed':
      return { ...document, seed: Number(value) };
    case 'cpus':
    case 'hz':
      return withMachine(document, id, Number(value));
    case 'kernel':
    case 'costs':
      return withMachine(document, id, value);
    case 'throttling':
      return withProtection(document, 'rtThrottling', value);
    case 'fairserver':
      return withProtection(document, 'fairServer', value);
    default:
      return withToggle(document, id, value);
  }
}

/** A param's default is of the kind that it was: a whole number or a time. */
function withParam(document: JsonObject, id: string, value: string): JsonObject {
  const params = objectAt(document, 'params');
  const param = objectAt(params, id);
  const next = typeof param.default === 'number' ? Number(value) : value;
  return { ...document, params: { ...params, [id]: { ...param, default: next } } };
}

/** A value that the toggle does not list has its fixed meaning, such as `usleep37`; it is listed then. */
function withToggle(document: JsonObject, id: string, value: string): JsonObject {
  const toggles = objectAt(document, 'toggles');
  const toggle = { label: id, ...objectAt(toggles, id) };
  const listed = objectAt(toggle, 'values');
  const values = Object.hasOwn(listed, value) ? listed : { ...listed, [value]: {} };
  return {
    ...document,
    toggles: { ...toggles, [id]: { ...toggle, values, default: value } },
  };
}

function withMachine(document: JsonObject, key: string, value: Json): JsonObject {
  return { ...document, machine: { ...objectAt(document, 'machine'), [key]: value } };
}

/** On is what the document says of it, else the kernel's own; a time is the phase. */
function withProtection(document: JsonObject, key: 'rtThrottling' | 'fairServer', value: string): JsonObject {
  const { [key]: current, ...machine } = objectAt(document, 'machine');
  if (value === 'off') return { ...document, machine: { ...machine, [key]: false } };
  const kept = typeof current === 'object' && current !== null ? { [key]: current } : {};
  if (value === 'on') return { ...document, machine: { ...machine, ...kept } };
  return { ...document, machine: { ...machine, [key]: { ...objectAt(kept, key), phase: value } } };
}

function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listAt(parent: JsonObject, key: string): readonly Json[] {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return Array.isArray(value) ? value : [];
}
