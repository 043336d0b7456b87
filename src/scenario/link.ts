// Links: "#/NAME?key=value&…" for library scenarios, "#/z=…" for a document of one's own.
// A link is untrusted: decoding never throws, reads no more than the bounds, and says what is wrong.

import { err, ok, type Result } from '../base/result.ts';
import { fromBase64url, toBase64url } from './base64url.ts';
import { canonicalJson } from './canonical_json.ts';
import type { DeflatePort } from './deflate_port.ts';
import type { JsonObject, Problem } from './document.ts';
import { checkJsonBounds, MAX_JSON_BYTES } from './json_bounds.ts';
import { isObject } from './json_value.ts';
import { LIBRARY } from './library/library.ts';
import { decodeQuery, encodeQuery } from './link_query.ts';
import type { LinkScenario, LinkState } from './link_state.ts';
import { migrate } from './migrate.ts';
import { listNames, nearestName } from './nearest_name.ts';
import { parseJsonText } from './parse_document.ts';
import { allProblems, createProblemList, quoted } from './problems.ts';

export { type LinkIntervention, type LinkScenario, type LinkState, plainLink } from './link_state.ts';

/** Longest link that is read: a document of 256 KB that does not compress, and room for the rest. */
export const MAX_LINK_CHARS = 500_000;

/** The link of a library scenario: "#/bmalloc-hang?backoff=usleep150&t=4ms-14ms". */
export function encodeLibraryLink(name: string, state: Omit<LinkState, 'scenario'>): string {
  const query = encodeQuery(state);
  return query === '' ? `#/${name}` : `#/${name}?${query}`;
}

/** The link that `decodeLink` reads back as `state`. A document travels whole, so a link outlives every change of the library. */
export async function encodeLink(state: LinkState, port: DeflatePort): Promise<string> {
  if (state.scenario.from === 'library') return encodeLibraryLink(state.scenario.name, state);
  const json = new TextEncoder().encode(canonicalJson(state.scenario.document));
  const payload = toBase64url(await port.deflate(json));
  const query = encodeQuery(state);
  return query === '' ? `#/z=${payload}` : `#/z=${payload}&${query}`;
}

/**
 * What a link says, or everything that is wrong with it.
 *
 * @param hash the address from "#" on; '' and '#/' mean the first library scenario
 */
export async function decodeLink(hash: string, port: DeflatePort): Promise<Result<LinkState, readonly Problem[]>> {
  if (hash.length > MAX_LINK_CHARS)
    return err([
      problem('link-size', `The link has ${hash.length} characters.`, `A link has at most ${MAX_LINK_CHARS}.`),
    ]);
  // Some programs encode the first "?" when they make an address clickable.
  const body = hash.replace(/^#?\/?/, '').replace(/^([^?&%]*)%3F/i, '$1?');
  const problems = createProblemList();
  const [head, queryText] = splitHead(body);
  const scenario = await decodeScenario(head, port);
  const query = decodeQuery(problems, queryText);
  if (scenario.ok && problems.found.length === 0) return ok({ ...query, scenario: scenario.value });
  return err([...(scenario.ok ? [] : [scenario.error]), ...allProblems(problems)]);
}

/** The scenario's part and the rest: NAME?rest, NAME&rest, z=PAYLOAD&rest, z=PAYLOAD?rest. */
function splitHead(body: string): readonly [string, string] {
  const end = body.search(/[?&]/);
  return end < 0 ? [body, ''] : [body.slice(0, end), body.slice(end + 1)];
}

async function decodeScenario(head: string, port: DeflatePort): Promise<Result<LinkScenario, Problem>> {
  if (head.startsWith('z=')) return decodeInline(head.slice(2), port);
  if (head === '') return ok({ from: 'library', name: LIBRARY[0]!.name });
  const names = LIBRARY.map((entry) => entry.name);
  if (names.includes(head)) return ok({ from: 'library', name: head });
  const near = nearestName(head, names);
  return err(
    problem(
      'link-scenario',
      `The link names the scenario ${quoted(head)}, which does not exist here.`,
      near !== undefined ? `Did you mean "${near}"?` : `Scenarios: ${listNames(names)}.`,
    ),
  );
}

async function decodeInline(payload: string, port: DeflatePort): Promise<Result<LinkScenario, Problem>> {
  const packed = fromBase64url(payload);
  if (packed === undefined || packed.length === 0) return err(damaged());
  const bytes = await port.inflate(packed, MAX_JSON_BYTES);
  if (bytes === 'too-big')
    return err(
      problem('link-size', 'The document in the link is larger than 256 KB.', 'A document has at most 256 KB of JSON.'),
    );
  if (bytes === 'broken') return err(damaged());
  const text = decodeUtf8(bytes);
  if (text === undefined) return err(damaged());
  // Documents are objects; anything else is a form that this page does not know yet, or damage.
  if (!text.startsWith('{'))
    return err(
      problem(
        'link-newer',
        'The link holds a document in a form that this page does not know.',
        'It may have been made with a newer page, or be damaged.',
      ),
    );
  const json = parseJsonText(text);
  if (!json.ok)
    return err(json.error.find(({ code }) => code.startsWith('bound-') || code === 'duplicate-key') ?? damaged());
  const bounds = checkJsonBounds(json.value);
  if (bounds !== undefined) return err(bounds);
  if (!isObject(json.value)) return err(damaged());
  const migrated = migrate(json.value as JsonObject);
  return migrated.ok ? ok({ from: 'inline', document: migrated.value }) : migrated;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Bytes that are no UTF-8.
    return undefined;
  }
}

function damaged(): Problem {
  return problem(
    'link-damaged',
    "The link is cut off or damaged; its document can't be read.",
    'Copy it again, all of it. Programs that break long lines cut links short.',
  );
}

function problem(code: string, message: string, hint: string): Problem {
  return { code, path: '', message, hint };
}
