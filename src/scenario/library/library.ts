// The scenarios that come with Spinlane. Imported, not fetched, so that page, worker and command line have the same ones.

import type { JsonObject } from '../document.ts';
import bmallocHang from './bmalloc-hang.json' with { type: 'json' };
import bmallocSlowPath from './bmalloc-slow-path.json' with { type: 'json' };
import piReweight from './pi-reweight.json' with { type: 'json' };

export interface LibraryEntry {
  /** Promised name: stands in links and on command lines. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly document: JsonObject;
}

function entry(name: string, json: { readonly title: string; readonly summary: string }): LibraryEntry {
  return { name, title: json.title, summary: json.summary, document: json as unknown as JsonObject };
}

/** In the order in which the page offers them; the first is what a visitor sees. */
export const LIBRARY: readonly LibraryEntry[] = [
  entry('bmalloc-hang', bmallocHang),
  entry('bmalloc-slow-path', bmallocSlowPath),
  entry('pi-reweight', piReweight),
];

/** The library's document of that name; undefined when there is none. */
export function libraryDocument(name: string): JsonObject | undefined {
  return LIBRARY.find((known) => known.name === name)?.document;
}
