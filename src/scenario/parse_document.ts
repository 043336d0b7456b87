// Reads JSON text. Messages are our own: those of JSON.parse differ between engines and rarely say where.
// One pass without recursion checks the grammar and finds doubled keys, which JSON.parse would drop in silence.

import { err, ok, type Result } from '../base/result.ts';
import type { Json, Problem } from './document.ts';
import { MAX_JSON_BYTES, MAX_NESTING, tooDeep, tooLarge } from './json_bounds.ts';
import { childPath, elementPath } from './json_path.ts';
import { quoted } from './problems.ts';
import { utf8Bytes } from './read_value.ts';

/**
 * The value that `text` holds, or what is wrong with it, with line and column.
 *
 * A byte order mark at the start is passed over. At most 256 KB and 32 levels. O(text), never throws.
 */
export function parseJsonText(text: string): Result<Json, readonly Problem[]> {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (body.length > MAX_JSON_BYTES || utf8Bytes(body) > MAX_JSON_BYTES) return err([tooLarge()]);
  const scan: Scan = { text: body, at: 0, open: [], doubled: [] };
  const problem = scanDocument(scan);
  if (problem !== undefined) return err([problem]);
  if (scan.doubled.length > 0) return err(scan.doubled);
  return ok(JSON.parse(body) as Json);
}

/** An object or list that has begun and not ended. */
interface Open {
  readonly path: string;
  readonly startAt: number;
  /** Keys so far, for an object; undefined for a list. */
  readonly keys: Set<string> | undefined;
  /** Elements so far. */
  count: number;
}

interface Scan {
  readonly text: string;
  at: number;
  readonly open: Open[];
  readonly doubled: Problem[];
}

type Expect = 'value' | 'value or ]' | 'key' | 'key or }' | 'comma or end' | 'nothing';

function scanDocument(scan: Scan): Problem | undefined {
  let expect: Expect = 'value';
  let path = '';
  while (true) {
    skipSpace(scan);
    const top = scan.open[scan.open.length - 1];
    const char = scan.text[scan.at];
    if (expect === 'nothing')
      return char === undefined
        ? undefined
        : syntax(scan, `${shown(char)} after the end of the document`, 'Remove what follows the last bracket.');
    if (char === undefined) return ended(scan, top);
    if (expect === 'comma or end') {
      const close: string = top!.keys === undefined ? ']' : '}';
      if (char === ',') {
        scan.at++;
        expect = top!.keys === undefined ? 'value' : 'key';
        if (top!.keys === undefined) path = elementPath(top!.path, top!.count);
        const comma = scan.at;
        skipSpace(scan);
        if (scan.text[scan.at] === close)
          return syntax(scan, `a comma before "${close}"`, 'Remove the last comma.', comma - 1);
        continue;
      }
      if (char !== close)
        return syntax(
          scan,
          `${shown(char)} where "," or "${close}" belongs`,
          char === '"' || char === '{' || char === '[' ? 'Is a comma missing?' : `Write "," or "${close}".`,
        );
      scan.at++;
      scan.open.pop();
      expect = scan.open.length === 0 ? 'nothing' : 'comma or end';
      continue;
    }
    if ((expect === 'key or }' && char === '}') || (expect === 'value or ]' && char === ']')) {
      scan.at++;
      scan.open.pop();
      expect = scan.open.length === 0 ? 'nothing' : 'comma or end';
      continue;
    }
    if (expect === 'key' || expect === 'key or }') {
      const problem = scanKey(scan, top!);
      if (problem !== undefined && typeof problem === 'object') return problem;
      path = problem;
      expect = 'value';
      continue;
    }
    if (char === '{' || char === '[') {
      if (scan.open.length >= MAX_NESTING) return tooDeep(path);
      countElement(top);
      scan.open.push({ path, startAt: scan.at, keys: char === '{' ? new Set() : undefined, count: 0 });
      scan.at++;
      expect = char === '{' ? 'key or }' : 'value or ]';
      if (char === '[') path = elementPath(path, 0);
      continue;
    }
    const problem = scanScalar(scan, char);
    if (problem !== undefined) return problem;
    countElement(top);
    expect = scan.open.length === 0 ? 'nothing' : 'comma or end';
  }
}

function countElement(top: Open | undefined): void {
  if (top !== undefined) top.count++;
}

/** Reads a key and its colon; returns the path of its value, or what is wrong. */
function scanKey(scan: Scan, top: Open): string | Problem {
  const start = scan.at;
  const char = scan.text[start]!;
  if (char !== '"')
    return syntax(
      scan,
      `${shown(char)} where a key belongs`,
      char === "'" ? 'Use double quotes.' : 'Keys are texts in double quotes.',
    );
  const problem = scanString(scan);
  if (problem !== undefined) return problem;
  const key = JSON.parse(scan.text.slice(start, scan.at)) as string;
  const path = childPath(top.path, key);
  if (top.keys!.has(key)) {
    const place = position(scan.text, start);
    if (scan.doubled.length < 100)
      scan.doubled.push({
        code: 'duplicate-key',
        path,
        message: `The key ${quoted(key)} stands twice in one object (${place}).`,
        hint: 'Remove or rename one of them.',
      });
  }
  top.keys!.add(key);
  skipSpace(scan);
  if (scan.text[scan.at] !== ':')
    return scan.at >= scan.text.length
      ? ended(scan, top)
      : syntax(scan, `${shown(scan.text[scan.at]!)} after the key ${quoted(key)}`, 'Write ":" between key and value.');
  scan.at++;
  return path;
}

/** A string, number, true, false or null that begins with `char`. */
function scanScalar(scan: Scan, char: string): Problem | undefined {
  if (char === '"') return scanString(scan);
  const word = /[-+.\w]*/y;
  word.lastIndex = scan.at;
  const text = word.exec(scan.text)![0];
  if (
    text === 'true' ||
    text === 'false' ||
    text === 'null' ||
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)
  ) {
    scan.at += text.length;
    return undefined;
  }
  if (char === "'") return syntax(scan, 'a single quote', 'Use double quotes.');
  if (char === '/') return syntax(scan, 'a comment', 'JSON has no comments; "summary" and notes take texts.');
  if (text === '')
    return syntax(
      scan,
      `${shown(char)} where a value belongs`,
      'Write a text, a number, true, false, null, an object or a list.',
    );
  return syntax(
    scan,
    `${quoted(text)} where a value belongs`,
    /^[-+.\d]/.test(text) ? 'Write the number in plain digits, or a time in quotes.' : 'Texts stand in double quotes.',
  );
}

/** Moves past a string; its opening quote is at `scan.at`. */
function scanString(scan: Scan): Problem | undefined {
  const start = scan.at;
  scan.at++;
  while (true) {
    while (isPlain(scan.text.charCodeAt(scan.at))) scan.at++;
    const char = scan.text[scan.at];
    if (char === '"') {
      scan.at++;
      return undefined;
    }
    if (char === undefined || char === '\n' || char === '\r')
      return syntax(scan, 'a text that does not end', 'Close it with a double quote.', start);
    if (char !== '\\')
      return syntax(scan, 'a control character in a text', 'Write it as an escape such as \\n or \\t.');
    const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
    escaped.lastIndex = scan.at;
    const match = escaped.exec(scan.text);
    if (match === null) return syntax(scan, 'an unknown escape in a text', 'Write "\\\\" for a backslash.');
    scan.at += match[0].length;
  }
}

/** A character that stands for itself in a string: no quote, backslash or control character, not the end (NaN). */
function isPlain(code: number): boolean {
  return code >= 0x20 && code !== 0x22 && code !== 0x5c;
}

function skipSpace(scan: Scan): void {
  const space = /[ \t\n\r]*/y;
  space.lastIndex = scan.at;
  scan.at += space.exec(scan.text)![0].length;
}

function ended(scan: Scan, top: Open | undefined): Problem {
  if (top === undefined) return syntax(scan, 'nothing', 'A document begins with "{".');
  const close = top.keys === undefined ? ']' : '}';
  return syntax(
    scan,
    `the end of the text where "${close}" is missing`,
    `The ${top.keys === undefined ? 'list' : 'object'} that began at ${position(scan.text, top.startAt)} is not closed; is the text cut off?`,
  );
}

function syntax(scan: Scan, what: string, hint: string, at = scan.at): Problem {
  const path = scan.open[scan.open.length - 1]?.path ?? '';
  return {
    code: 'json-syntax',
    path,
    message: `This is no JSON: there is ${what} at ${position(scan.text, at)}.`,
    hint,
  };
}

/** "line 3, column 14", both from 1, columns in UTF-16 units. */
function position(text: string, at: number): string {
  const before = text.slice(0, at);
  const lines = before.split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${lines[lines.length - 1]!.length + 1}`;
}

function shown(char: string): string {
  const code = char.codePointAt(0)!;
  return code < 0x20 || code === 0x7f
    ? `the character U+${code.toString(16).padStart(4, '0').toUpperCase()}`
    : JSON.stringify(char);
}
