// Small questions about JSON values. Names from documents never reach a prototype: reads ask for own keys,
// new objects are made with Object.fromEntries, which makes own keys even of "__proto__".

import type { Json, JsonObject } from './document.ts';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of an own key; undefined when it is missing. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** What a value is, in words, for messages. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'an object';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return 'a number';
    default:
      return String(value);
  }
}
