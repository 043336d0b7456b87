// Properties of any right document, with links of what breaks them. Seeds print on failure.

import fc from 'fast-check';
import { test } from 'vitest';
import type { JsonObject } from '../../scenario/document.ts';
import { linkOf, smallest } from './case.ts';
import { drawStream } from './draw.ts';
import { randomDocument } from './generate.ts';
import { mutated } from './mutate.ts';
import { tryDocument } from './trial.ts';

/** Tries the documents of random seeds. */
async function holdsForAll(numRuns: number, documentOf: (seed: number) => JsonObject): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 0x7fff_ffff }), async (seed) => {
      const document = documentOf(seed);
      const outcome = tryDocument(document);
      if (outcome.is === 'failed')
        throw new Error(`${outcome.rule}: ${outcome.message}\n${await linkOf(smallest(document))}`);
    }),
    // A smaller seed is no smaller document: documents are shrunk by their own rules.
    { numRuns, endOnFailure: true },
  );
}

test('one thread per CPU and one CPU per thread, the strongest class runs, time adds up, exclusion and affinity are kept, no wake-up is lost, no cut and no bystander changes anything', async () => {
  await holdsForAll(60, (seed) => randomDocument(drawStream(seed, 0)));
}, 120_000);

test('a hostile document is refused with reasons, or runs as any other', async () => {
  await holdsForAll(60, (seed) => {
    const stream = drawStream(seed, 1);
    return mutated(stream, randomDocument(stream));
  });
}, 120_000);
