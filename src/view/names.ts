// Names of threads and locks as labels: full, short, code (`multiqueue0:src`, `multiq0`, `m0`). Names come from
// links and files: they are text, may be empty, huge, right-to-left or full of control characters.

import type { TaskInfo } from '../trace/meta.ts';

/** From the longest to the shortest; never empty. */
export type NameForms = readonly string[];

const SHORT_LENGTH = 7;

// Control characters, bidi overrides and isolates, line separators: they would reorder or break what stands beside them.
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const ASCII = /^[ -~]*$/;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The name as it may be drawn: without control characters; a right-to-left name is isolated from the text around it. */
export function displayName(name: string): string {
  const clean = name.replace(UNPRINTABLE, '\u00b7').trim();
  if (clean === '') return '(no name)';
  return RIGHT_TO_LEFT.test(clean) ? `\u2068${clean}\u2069` : clean;
}

/** Forms of all tasks' names. A short form that two tasks would share is left out: a label must tell them apart. */
export function nameForms(tasks: readonly Pick<TaskInfo, 'name'>[]): readonly NameForms[] {
  const shorts = tasks.map((task) => shortName(task.name));
  const codes = tasks.map((task) => codeName(task.name, 1));
  const longCodes = tasks.map((task) => codeName(task.name, 2));
  const isOnly = (forms: readonly string[], i: number): boolean =>
    forms.every((form, j) => j === i || form !== forms[i] || tasks[i]?.name === tasks[j]?.name);
  return tasks.map((task, i) => {
    const full = displayName(task.name);
    const forms = [full];
    if (isOnly(shorts, i)) forms.push(shorts[i] as string);
    if (isOnly(codes, i)) forms.push(codes[i] as string);
    else if (isOnly(longCodes, i)) forms.push(longCodes[i] as string);
    return forms.filter((form, at) => form !== '' && form.length <= full.length && forms.indexOf(form) === at);
  });
}

/** `multiqueue0:src` is `multiq0`, `WebProcess` is `WebProc`: what stands before the first colon, seven characters with the number. */
export function shortName(name: string): string {
  const [, stem = '', digits = ''] = /^(.*?)(\d*)$/u.exec(displayName(beforeColon(name))) ?? [];
  return firstCharacters(stem, Math.max(1, SHORT_LENGTH - digits.length)) + digits;
}

/** `multiqueue0:src` is `m0`. */
function codeName(name: string, letters: number): string {
  const [, stem = '', digits = ''] = /^(.*?)(\d*)$/u.exec(displayName(beforeColon(name))) ?? [];
  return firstCharacters(stem, letters) + digits;
}

function beforeColon(name: string): string {
  const head = name.split(/[:/]/u, 1)[0] ?? '';
  return head === '' ? name : head;
}

/** Whole characters as people count them: an emoji or an accented letter is never cut in two. */
function firstCharacters(text: string, count: number): string {
  // Loading the segmenter takes some 20 ms, in the first frame of all; most names need none.
  if (ASCII.test(text)) return text.slice(0, count);
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let taken = '';
  let left = count;
  for (const { segment } of characters.segment(text)) {
    if (left-- <= 0) break;
    taken += segment;
  }
  return taken;
}

let characters: Intl.Segmenter | undefined;
