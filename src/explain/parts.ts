// Sentences in pieces, so that the page can set names in bold and make times into links, and the command line
// and screen readers get plain text from the same source.

import { formatMs, formatShort, MINUS, NARROW_SPACE, NO_NUMBER } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import type { CpuId, LockId, TaskId } from '../trace/ids.ts';

/** A piece of a sentence. `text` is always what a reader sees; names are text, never markup. */
export type Part =
  | { readonly part: 'text'; readonly text: string }
  | { readonly part: 'thread'; readonly task: TaskId; readonly text: string }
  | { readonly part: 'lock'; readonly lock: LockId; readonly text: string }
  | { readonly part: 'cpu'; readonly cpu: CpuId; readonly text: string }
  /** An instant: a link that moves the playhead there. */
  | { readonly part: 'time'; readonly atNs: Ns; readonly text: string }
  /** Length of time. */
  | { readonly part: 'span'; readonly ns: Ns; readonly text: string };

export type Sentence = readonly Part[];

/** An instant as tables show it: `412.310 ms`. */
export function timePart(atNs: Ns): Part {
  return { part: 'time', atNs, text: formatMs(atNs) };
}

/** A length of time in a few digits: `0.54 s`. */
export function spanPart(ns: Ns): Part {
  return { part: 'span', ns, text: formatShort(ns) };
}

/** `CPU 2`. */
export function cpuPart(cpu: CpuId): Part {
  return { part: 'cpu', cpu, text: `CPU ${cpu}` };
}

/**
 * Builds a sentence: say`${names.task(3)} holds ${names.lock(0)}.`
 * Strings and numbers become text; neighbouring texts are joined, empty ones left out.
 */
export function say(texts: TemplateStringsArray, ...values: readonly (Part | Sentence | string | number)[]): Sentence {
  const parts: Part[] = [];
  texts.forEach((text, i) => {
    addText(parts, text);
    const value = values[i];
    if (value === undefined) return;
    if (typeof value === 'string' || typeof value === 'number') addText(parts, String(value));
    else if ('part' in value) addPart(parts, value);
    else for (const part of value) addPart(parts, part);
  });
  return parts;
}

/** Parts in a row as people list them: `a`, `a and b`, `a, b and c`. */
export function listOf(items: readonly (Part | Sentence)[]): Sentence {
  const parts: Part[] = [];
  items.forEach((item, i) => {
    if (i > 0) addText(parts, i === items.length - 1 ? ' and ' : ', ');
    if ('part' in item) addPart(parts, item);
    else for (const part of item) addPart(parts, part);
  });
  return parts;
}

/** What a reader sees, with the typographic spaces and signs of the page. */
export function toText(sentence: Sentence): string {
  return sentence.map((part) => part.text).join('');
}

/** The same for terminals and JSON: plain spaces and hyphens that a search finds. */
export function toPlainText(sentence: Sentence): string {
  return plain(toText(sentence));
}

/** Replaces narrow spaces, minus signs and en dashes by their ASCII kin. */
export function plain(text: string): string {
  return text.replaceAll(NARROW_SPACE, ' ').replaceAll(MINUS, '-').replaceAll(NO_NUMBER, '-');
}

/** First letter large, for a clause that opens a sentence. A name keeps its spelling. */
export function capitalised(sentence: Sentence): Sentence {
  const first = sentence[0];
  if (first === undefined || first.part !== 'text') return sentence;
  return [{ part: 'text', text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...sentence.slice(1)];
}

function addText(parts: Part[], text: string): void {
  addPart(parts, { part: 'text', text });
}

function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (part.part !== 'text') parts.push(part);
  else if (part.text === '') return;
  else if (last?.part === 'text') parts[parts.length - 1] = { part: 'text', text: last.text + part.text };
  else parts.push(part);
}
