// From a JSON value to a scenario; golden documents are part of the project, so a refused one is a bug.

import type { JsonObject } from '../../scenario/document.ts';
import { resolve } from '../../scenario/resolve.ts';
import type { Scenario } from '../../scenario/scenario.ts';

/** Throws with all problems of the document. */
export function resolveDocument(document: unknown): Scenario {
  const resolved = resolve(document as JsonObject);
  if (resolved.ok) return resolved.value;
  const lines = resolved.error.map((problem) => `${problem.path}: ${problem.message} ${problem.hint}`);
  throw new Error(`a golden document is refused:\n${lines.join('\n')}`);
}
