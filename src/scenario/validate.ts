// Unknown JSON -> a document that runs, or everything that is wrong with it, every value of every toggle included.

import { err, ok, type Result } from '../base/result.ts';
import { canonicalJson } from './canonical_json.ts';
import type { Json, JsonObject, Problem, ScenarioDocument } from './document.ts';
import { checkJsonBounds } from './json_bounds.ts';
import { isObject, own } from './json_value.ts';
import { parseJsonText } from './parse_document.ts';
import { MAX_PROBLEMS } from './problems.ts';
import { resolve } from './resolve.ts';

/** Most bytes of JSON that are read over and over to try the values of toggles; a document of 8 KB has a thousand tries. */
const TRY_BYTES = 8_000_000;
const MAX_TRIES = 256;

/** The document that a JSON text holds. See `validateDocument`. */
export function readDocument(text: string): Result<ScenarioDocument, readonly Problem[]> {
  const json = parseJsonText(text);
  return json.ok ? validateDocument(json.value) : json;
}

/**
 * Checks a value from outside, with its toggles at their defaults and with each other value of each toggle in turn. Never throws.
 */
export function validateDocument(value: unknown): Result<ScenarioDocument, readonly Problem[]> {
  const bounds = checkJsonBounds(value);
  if (bounds !== undefined) return err([bounds]);
  if (!isObject(value as Json))
    return err([
      { code: 'type', path: '', message: 'The document is no object.', hint: 'A document begins with "{".' },
    ]);
  const document = value as JsonObject;
  const byDefault = resolve(document);
  const problems = byDefault.ok ? [] : [...byDefault.error];
  // A version that can't be read says nothing about the rest.
  if (!problems.some((problem) => problem.code.startsWith('version')))
    problems.push(...problemsOfOtherValues(document, problems));
  return problems.length === 0 ? ok(document as ScenarioDocument) : err(problems);
}

function problemsOfOtherValues(document: JsonObject, known: readonly Problem[]): readonly Problem[] {
  const seen = new Set(known.map(keyOf));
  const found: Problem[] = [];
  let tries = Math.min(MAX_TRIES, Math.max(8, Math.floor(TRY_BYTES / canonicalJson(document).length)));
  for (const [id, value] of otherValues(document)) {
    if (tries-- <= 0 || known.length + found.length >= MAX_PROBLEMS) break;
    const result = resolve(document, { [id]: value });
    for (const problem of result.ok ? [] : result.error) {
      if (seen.has(keyOf(problem))) continue;
      seen.add(keyOf(problem));
      found.push(problem);
    }
  }
  return found;
}

function keyOf(problem: Problem): string {
  return `${problem.code}\n${problem.path}`;
}

/** Each value of each toggle that is not its default. */
function otherValues(document: JsonObject): readonly (readonly [string, string])[] {
  const toggles = own(document, 'toggles');
  if (!isObject(toggles)) return [];
  return Object.entries(toggles).flatMap(([id, toggle]) => {
    const values = isObject(toggle) ? own(toggle, 'values') : undefined;
    if (!isObject(values) || !isObject(toggle)) return [];
    return Object.keys(values).flatMap((name) => (name === own(toggle, 'default') ? [] : [[id, name] as const]));
  });
}
