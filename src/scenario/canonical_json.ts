// One text for one value: keys in code-unit order, no spaces. For links, hashes and comparing.

import type { Json } from './document.ts';

/**
 * JSON text that depends on the value alone, not on the order in which keys were written.
 *
 * @param value nested at most 32 deep (checked by `checkJsonBounds`)
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value as { readonly [key: string]: Json });
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
