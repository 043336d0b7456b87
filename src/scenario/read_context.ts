// What every reader of a part of the document shares: where problems and notes go, and what "$name" stands for.

import type { ProblemList } from './problems.ts';
import type { ParamInfo } from './scenario.ts';

/** Things that were accepted but do less than they say; one line each, however many places share it. */
export type NoteList = Map<
  string,
  { readonly first: string; readonly text: (first: string, count: number) => string; count: number }
>;

export interface ReadContext {
  readonly problems: ProblemList;
  readonly notes: NoteList;
  readonly params: ReadonlyMap<string, ParamInfo>;
}

/**
 * Adds a note. Notes with the same `key` become one; `text` gets the first subject and how many there are.
 */
export function addNote(
  notes: NoteList,
  key: string,
  subject: string,
  text: (first: string, count: number) => string,
): void {
  const known = notes.get(key);
  if (known === undefined) notes.set(key, { first: subject, text, count: 1 });
  else known.count++;
}

export function noteTexts(notes: NoteList): string[] {
  return [...notes.values()].map((note) => note.text(note.first, note.count));
}
