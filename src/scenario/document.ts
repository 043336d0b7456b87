// The scenario document as people write it (JSON). A contract: names never change, only additions.
// validate.ts turns an unknown value into this; resolve.ts turns this and the chosen toggles into a `Scenario`.

/** Text of a time: decimal number and ns, us, µs, ms, s or h. "$name" stands for a param. */
export type TimeText = string;
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A document that passed validation with its default toggles. Kept as JSON: toggles patch it before it is read. */
export interface ScenarioDocument {
  readonly version: 1;
  readonly title?: string;
  readonly summary?: string;
  readonly source?: string;
  readonly duration: TimeText;
  readonly [key: string]: Json | undefined;
}

/** What is wrong with a document, an argument or a link. All problems are reported together. */
export interface Problem {
  /** Stable, e.g. 'unknown-key', 'time-unit', 'prio-range', 'admission'. */
  readonly code: string;
  /** JSON path, e.g. 'threads[2].priority'; '' for the whole. */
  readonly path: string;
  readonly message: string;
  /** What to do about it; a sentence. */
  readonly hint: string;
}
