// JSON merge patch (RFC 7396), with own keys only.

import type { Json, JsonObject } from './document.ts';
import { isObject, own } from './json_value.ts';

/**
 * `target` with `patch` applied: null removes a key, objects merge, everything else replaces. Neither is changed.
 *
 * Keys of `target` keep their order; new ones follow in the order of `patch`.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), change));
  }
  return Object.fromEntries(merged);
}

/** `mergePatch` for two objects. */
export function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  return mergePatch(target, patch) as JsonObject;
}

/** True when `patch` speaks of the place `tokens`: it holds that key, or replaces or removes something above it. */
export function patchTouches(patch: Json, tokens: readonly (string | number)[]): boolean {
  let at: Json = patch;
  for (const token of tokens) {
    if (!isObject(at)) return true;
    const next = own(at, String(token));
    if (next === undefined) return false;
    at = next;
  }
  return !isObject(at);
}
