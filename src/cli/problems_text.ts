// Problems of a document or of arguments as lines for standard error: place, what, hint.

import { plain } from '../explain/parts.ts';
import type { Problem } from '../scenario/document.ts';

// C0 and C1 controls, DEL, line separators and the marks that turn the direction of writing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const STEERING = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A line a problem: `box.json: threads[2].priority: priority is 120; it must be 1..99. For a normal thread use nice.` */
export function problemLines(label: string, problems: readonly Problem[]): string {
  return problems.map((problem) => `${line([label, problem.path, `${problem.message} ${problem.hint}`])}\n`).join('');
}

/** Control characters of a hostile document must not reach the terminal. */
export function harmless(text: string): string {
  return text.replace(STEERING, '\ufffd');
}

/** The same characters in JSON text, as escapes: what is read back is what was written. */
export function harmlessJson(json: string): string {
  return json.replace(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function line(parts: readonly string[]): string {
  return harmless(plain(parts.filter((part) => part !== '').join(': ')));
}
