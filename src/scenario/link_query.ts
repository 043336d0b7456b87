// The key=value part of a link, both ways. Decoding is total: whatever stands there gives values or problems.

import type { Ns } from '../base/units.ts';
import type { LinkIntervention, LinkState } from './link_state.ts';
import { addProblem, type ProblemList, quoted } from './problems.ts';
import { MAX_INTERVENTIONS } from './read_interventions.ts';
import { isId } from './setting_names.ts';
import { formatTime, parseTime } from './time_text.ts';

/** Everything of a link but its scenario. */
export type LinkQuery = Omit<LinkState, 'scenario'>;

const MAX_PAIRS = 1000;
const MAX_VALUE_CHARS = 20_000;

const TIMES = { at: 'playheadNs', a: 'markerANs', b: 'markerBNs' } as const;
const TEXTS = {
  sel: 'selection',
  vs: 'versus',
  notes: 'notes',
  prediction: 'prediction',
  step: 'step',
  e: 'engine',
} as const;
const FLAGS = ['play', 'present', 'embed', 'reveal'] as const;

/** Values in the order of the page contract; what is not set is left out. */
export function encodeQuery(query: LinkQuery): string {
  const pairs: string[] = Object.entries(query.settings).map(([id, value]) => `${encodePart(id)}=${encodePart(value)}`);
  const flips = query.interventions.flatMap(({ at, set }) =>
    Object.entries(set).map(([id, value]) => `${encodePart(at)}:${encodePart(id)}=${encodePart(value)}`),
  );
  if (flips.length > 0) pairs.push(`do=${flips.join(';')}`);
  if (query.playheadNs !== undefined) pairs.push(`at=${formatTime(query.playheadNs)}`);
  if (query.rangeNs !== undefined) pairs.push(`t=${query.rangeNs.map(formatTime).join('-')}`);
  if (query.markerANs !== undefined) pairs.push(`a=${formatTime(query.markerANs)}`);
  if (query.markerBNs !== undefined) pairs.push(`b=${formatTime(query.markerBNs)}`);
  for (const [key, field] of Object.entries(TEXTS) as [keyof typeof TEXTS, (typeof TEXTS)[keyof typeof TEXTS]][]) {
    const text = query[field];
    if (text !== undefined) pairs.push(`${key}=${encodePart(text)}`);
  }
  for (const flag of FLAGS) if (query[flag]) pairs.push(`${flag}=1`);
  return pairs.join('&');
}

/** A text that has no meaning to links and addresses; ":", "/" and "," stay readable. */
function encodePart(text: string): string {
  const safe = Array.from(text, (char) =>
    char.length === 1 && char >= '\ud800' && char <= '\udfff' ? '\ufffd' : char,
  ).join('');
  return encodeURIComponent(safe)
    .replace(/%(?:3A|2F|2C)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The values of a query; what is wrong is added to `problems` and left out. */
export function decodeQuery(problems: ProblemList, text: string): LinkQuery {
  const pairs = text === '' ? [] : text.split('&', MAX_PAIRS + 1);
  if (pairs.length > MAX_PAIRS)
    addProblem(
      problems,
      'link-size',
      '',
      'The link has too many parts.',
      `A link has at most ${MAX_PAIRS} key=value pairs.`,
    );
  const settings = new Map<string, string>();
  const query: { -readonly [K in keyof LinkQuery]: LinkQuery[K] } = {
    settings: {},
    interventions: [],
    play: false,
    present: false,
    embed: false,
    reveal: false,
  };
  for (const pair of pairs.slice(0, MAX_PAIRS)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = decodePart(problems, equals < 0 ? pair : pair.slice(0, equals), '');
    const raw = equals < 0 ? '' : pair.slice(equals + 1);
    if (key === undefined) continue;
    if (key === 'do') query.interventions = decodeFlips(problems, raw);
    else decodeValue(problems, query, settings, key, raw);
  }
  query.settings = Object.fromEntries(settings);
  return query;
}

function decodeValue(
  problems: ProblemList,
  query: { -readonly [K in keyof LinkQuery]: LinkQuery[K] },
  settings: Map<string, string>,
  key: string,
  raw: string,
): void {
  const value = decodePart(problems, raw, key);
  if (value === undefined) return;
  if (Object.hasOwn(TIMES, key)) {
    const ns = decodeTime(problems, value, key);
    if (ns !== undefined) query[TIMES[key as keyof typeof TIMES]] = ns;
  } else if (Object.hasOwn(TEXTS, key)) {
    query[TEXTS[key as keyof typeof TEXTS]] = value;
  } else if ((FLAGS as readonly string[]).includes(key)) {
    if (value === '1' || value === '0') query[key as (typeof FLAGS)[number]] = value === '1';
    else addProblem(problems, 'link-value', key, `${key} is ${quoted(value)}.`, 'Write 1, or leave it out.');
  } else if (key === 't') {
    const range = decodeRange(problems, value);
    if (range !== undefined) query.rangeNs = range;
  } else if (isId(key)) {
    // Set again means: acts last.
    settings.delete(key);
    settings.set(key, value);
  } else {
    addProblem(
      problems,
      'link-key',
      '',
      `The link has the key ${quoted(key)}.`,
      'A key begins with a letter and has at most 32 letters, digits, "_" or "-".',
    );
  }
}

function decodePart(problems: ProblemList, raw: string, key: string): string | undefined {
  if (raw.length > MAX_VALUE_CHARS) {
    addProblem(
      problems,
      'link-size',
      key,
      `A value of the link has ${raw.length} characters.`,
      `It has at most ${MAX_VALUE_CHARS}.`,
    );
    return undefined;
  }
  try {
    return decodeURIComponent(raw);
  } catch {
    // The only error it knows: "%" without two digits after it, or bytes that are no text.
    addProblem(
      problems,
      'link-encoding',
      key,
      `A part of the link is badly encoded: ${quoted(raw)}.`,
      'Was the link cut off? A percent sign is written %25.',
    );
    return undefined;
  }
}

function decodeTime(problems: ProblemList, text: string, key: string): Ns | undefined {
  const parsed = parseTime(text);
  if (parsed.ok) return parsed.value;
  addProblem(
    problems,
    parsed.error.code,
    key,
    `${key} is ${quoted(text)}, which ${parsed.error.message}.`,
    parsed.error.hint,
  );
  return undefined;
}

/** "4ms-14ms"; the first time may leave its unit to the second ("4-14ms"). */
function decodeRange(problems: ProblemList, text: string): readonly [Ns, Ns] | undefined {
  const dash = text.indexOf('-');
  if (dash < 0) {
    addProblem(problems, 'link-value', 't', `t is ${quoted(text)}.`, 'Write two times, e.g. t=4ms-14ms.');
    return undefined;
  }
  const [first, last] = [text.slice(0, dash), text.slice(dash + 1)];
  const from = decodeTime(problems, /^[\d.]+$/.test(first) ? first + last.replace(/^[\d.]+/, '') : first, 't');
  const to = decodeTime(problems, last, 't');
  if (from === undefined || to === undefined) return undefined;
  if (from < to) return [from, to];
  addProblem(
    problems,
    'link-value',
    't',
    `t is ${quoted(text)}; its end is not after its start.`,
    'Write the earlier time first.',
  );
  return undefined;
}

/** "100ms:backoff=usleep150;200ms:rt=off"; flips of one instant that follow each other are one intervention. */
function decodeFlips(problems: ProblemList, raw: string): readonly LinkIntervention[] {
  const flips: { at: string; set: Map<string, string> }[] = [];
  // Some mail and chat programs encode ":", "=" and ";" too.
  const whole = raw.includes(':') ? raw : (decodePart(problems, raw, 'do') ?? '');
  const parts = whole === '' ? [] : whole.split(';', MAX_INTERVENTIONS + 2);
  if (parts.length > MAX_INTERVENTIONS)
    addProblem(
      problems,
      'bound-interventions',
      'do',
      'The link has too many interventions.',
      `A run has at most ${MAX_INTERVENTIONS}.`,
    );
  for (const part of parts.slice(0, MAX_INTERVENTIONS)) {
    if (part === '') continue;
    const match = /^([^:]*):([^=]*)=(.*)$/s.exec(part);
    if (match === null) {
      addProblem(problems, 'link-value', 'do', `do has the part ${quoted(part)}.`, 'Write do=100ms:backoff=usleep150.');
      continue;
    }
    const [at, id, value] = match.slice(1).map((piece) => decodePart(problems, piece!, 'do'));
    if (at === undefined || id === undefined || value === undefined || decodeTime(problems, at, 'do') === undefined)
      continue;
    if (!isId(id)) {
      addProblem(problems, 'link-key', 'do', `do sets ${quoted(id)}.`, 'Write do=100ms:backoff=usleep150.');
      continue;
    }
    const last = flips[flips.length - 1];
    if (last !== undefined && last.at === at && !last.set.has(id)) last.set.set(id, value);
    else flips.push({ at, set: new Map([[id, value]]) });
  }
  return flips.map(({ at, set }) => ({ at, set: Object.fromEntries(set) }));
}
