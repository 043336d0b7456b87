// The documents of a fuzz run, by number, and the link of one that failed.

import { createDeflatePort } from '../../scenario/deflate_port.ts';
import type { JsonObject } from '../../scenario/document.ts';
import { encodeLink, plainLink } from '../../scenario/link.ts';
import { drawStream } from './draw.ts';
import { randomDocument } from './generate.ts';
import { mutated } from './mutate.ts';
import { shrink } from './shrink.ts';
import { tryDocument } from './trial.ts';

/** Every fourth document is a hostile one. */
export function fuzzDocument(seed: number, index: number): JsonObject {
  const stream = drawStream(seed, index);
  const document = randomDocument(stream);
  return index % 4 === 3 ? mutated(stream, document) : document;
}

/** The smallest document that fails by the same rule. */
export function smallest(document: JsonObject): JsonObject {
  const first = tryDocument(document);
  if (first.is !== 'failed') return document;
  const kind = kindOf(first);
  return shrink(document, (smaller) => {
    const outcome = tryDocument(smaller);
    return outcome.is === 'failed' && kindOf(outcome) === kind;
  });
}

/** Failures of one kind: the rule, and for a broken assertion its sentence without names and numbers. */
export function kindOf(failure: { readonly rule: string; readonly message: string }): string {
  const first = failure.message.split('\n', 1)[0]!;
  return `${failure.rule}: ${first.replace(/\b(t\d+(\/\d+)?|kid(\/\d+)?|[mgrqcb]\d*)\b/g, 'X').replace(/\d+/g, 'N')}`;
}

/** "#/z=…": opens the document on the page. */
export function linkOf(document: JsonObject): Promise<string> {
  const port = createDeflatePort(CompressionStream, DecompressionStream);
  return encodeLink(plainLink({ from: 'inline', document }), port);
}
