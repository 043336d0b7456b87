// Collects what is wrong with a document, so that all of it is reported together and none of it twice.

import type { Problem } from './document.ts';

/** Most problems that one answer lists; a last entry counts the rest. */
export const MAX_PROBLEMS = 100;

/** A growing list. Plain data; the functions below are its only writers. */
export interface ProblemList {
  readonly found: Problem[];
  readonly seen: Set<string>;
  leftOut: number;
}

export function createProblemList(): ProblemList {
  return { found: [], seen: new Set(), leftOut: 0 };
}

/** Adds a problem; one of the same code at the same place counts once. */
export function addProblem(list: ProblemList, code: string, path: string, message: string, hint: string): void {
  const key = `${code}\n${path}`;
  if (list.seen.has(key)) return;
  if (list.found.length >= MAX_PROBLEMS) {
    list.leftOut++;
    return;
  }
  list.seen.add(key);
  list.found.push({ code, path, message, hint });
}

/** The problems in the order they were found, with a last entry for those that did not fit. */
export function allProblems(list: ProblemList): readonly Problem[] {
  if (list.leftOut === 0) return list.found;
  const more = {
    code: 'more-problems',
    path: '',
    message: `There are ${list.leftOut} more problems.`,
    hint: 'Mend the ones above first.',
  };
  return [...list.found, more];
}

/** Marks that turn the direction of what follows, and others that cannot be seen: they would garble the message. */
const UNSEEN = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text from a document inside a message: quoted, cut, and with what cannot be seen written out. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value).replace(UNSEEN, escaped) : String(value);
  return text.length > 60 ? `${text.slice(0, 58)}…${typeof value === 'string' ? '"' : ''}` : text;
}
