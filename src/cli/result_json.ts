// The result as JSON text, in pieces: one line for each element of a list, so that it can be read, searched and
// compared line by line, and never one string of the whole.

import type { RunResult } from '../analysis/result.ts';
import { harmlessJson } from './problems_text.ts';

/** Rows of a list per piece. */
const ROWS_A_PIECE = 2_000;

/** Pieces that join to a JSON object, a line break at its end. */
export function* resultJson(result: RunResult): Generator<string> {
  const entries = Object.entries(result).filter(([, value]) => value !== undefined);
  yield '{\n';
  for (const [i, [key, value]] of entries.entries()) {
    const comma = i + 1 < entries.length ? ',\n' : '\n';
    if (Array.isArray(value)) {
      yield `"${key}": `;
      yield* listJson(value);
      yield comma;
    } else {
      yield `"${key}": ${harmlessJson(JSON.stringify(value))}${comma}`;
    }
  }
  yield '}\n';
}

function* listJson(list: readonly unknown[]): Generator<string> {
  if (list.length === 0) {
    yield '[]';
    return;
  }
  yield '[\n';
  for (let from = 0; from < list.length; from += ROWS_A_PIECE) {
    const rows = list.slice(from, from + ROWS_A_PIECE).map((row) => harmlessJson(JSON.stringify(row)));
    yield rows.join(',\n') + (from + ROWS_A_PIECE < list.length ? ',\n' : '\n');
  }
  yield ']';
}
