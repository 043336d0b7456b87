// From an argument (file, library name, `-`) to a document, or to the list of what is wrong with it.

import { err, ok, type Result } from '../base/result.ts';
import type { JsonObject, Problem } from '../scenario/document.ts';
import { MAX_JSON_BYTES } from '../scenario/json_bounds.ts';
import { LIBRARY, libraryDocument } from '../scenario/library/library.ts';
import { nearestName } from '../scenario/nearest_name.ts';
import { readDocument } from '../scenario/validate.ts';
import type { CliIo, ReadResult } from './io.ts';

/** A document's bound and a byte order mark. */
const MAX_FILE_BYTES = MAX_JSON_BYTES + 3;

export interface LoadedDocument {
  /** As messages name it: the file, the library name, or `<stdin>`. */
  readonly label: string;
  /** Set where it is the library's. */
  readonly libraryName: string | undefined;
  readonly document: JsonObject;
}

/** Library names come first; write `./NAME` for a file of that name. */
export async function loadDocument(source: string, io: CliIo): Promise<Result<LoadedDocument, readonly Problem[]>> {
  const known = libraryDocument(source);
  if (known !== undefined) return ok({ label: source, libraryName: source, document: known });
  const stdin = source === '-';
  const label = stdin ? '<stdin>' : source;
  const read = await (stdin ? io.readStdin(MAX_FILE_BYTES) : io.readFile(source, MAX_FILE_BYTES));
  if (!read.ok) return err([unreadable(source, read)]);
  const text = decode(read.bytes);
  if (text === undefined) return err([notText(read.bytes)]);
  const parsed = readDocument(text);
  if (!parsed.ok) return err(parsed.error);
  return ok({ label, libraryName: undefined, document: parsed.value as JsonObject });
}

function unreadable(source: string, read: Extract<ReadResult, { ok: false }>): Problem {
  const hint = 'Give a scenario document (JSON), or a name from the library.';
  switch (read.reason) {
    case 'missing': {
      const near = nearestName(
        source,
        LIBRARY.map((entry) => entry.name),
      );
      const what =
        source.includes('/') || source.endsWith('.json')
          ? 'There is no such file.'
          : 'There is no such file, and no scenario of that name in the library.';
      return {
        code: 'no-file',
        path: '',
        message: what,
        hint: near === undefined ? '`list` shows the library.' : `Did you mean "${near}"?`,
      };
    }
    case 'directory':
      return { code: 'directory', path: '', message: 'This is a directory.', hint };
    case 'too-large':
      return {
        code: 'bound-size',
        path: '',
        message: `This is too large for a scenario: ${sizeText(Number(read.detail))}.`,
        hint: 'A document has at most 256 KB of JSON.',
      };
    case 'failed':
      return { code: 'unreadable', path: '', message: `This can't be read: ${read.detail}.`, hint };
  }
}

/** UTF-8 without its byte order mark; undefined for anything that is no text. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function notText(bytes: Uint8Array): Problem {
  const trace = bytes[0] === 0x17 && bytes[1] === 0x08 && bytes[2] === 0x44;
  return {
    code: 'not-text',
    path: '',
    message: trace ? 'This is a recorded trace (trace.dat).' : 'This is a binary file.',
    hint: 'The command line runs scenario documents: JSON in UTF-8.',
  };
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} KB`
    : `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}
