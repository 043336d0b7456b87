// Problems of a document or of arguments as lines for standard error: place, what, hint.

import { plain } from '../explain/parts.ts';
import type { Problem } from '../scenario/document.ts';

/** A line a problem: `box.json: threads[2].priority: priority is 120; it must be 1..99. For a normal thread use nice.` */
export function problemLines(label: string, problems: readonly Problem[]): string {
  return problems.map((problem) => `${line([label, problem.path, `${problem.message} ${problem.hint}`])}\n`).join('');
}

/** Control characters of a hostile document must not reach the terminal. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

function line(parts: readonly string[]): string {
  return harmless(plain(parts.filter((part) => part !== '').join(': ')));
}
