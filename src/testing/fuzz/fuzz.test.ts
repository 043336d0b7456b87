// The fuzz itself: what its documents hold, that they are right, and that failures become small.

import { expect, test } from 'vitest';
import { createDeflatePort } from '../../scenario/deflate_port.ts';
import type { Json, JsonObject } from '../../scenario/document.ts';
import { KERNELS } from '../../scenario/kernel_names.ts';
import { decodeLink } from '../../scenario/link.ts';
import { POLICIES } from '../../scenario/read_attributes.ts';
import { LOCK_KINDS } from '../../scenario/read_locks.ts';
import { validateDocument } from '../../scenario/validate.ts';
import { fuzzDocument, kindOf, linkOf } from './case.ts';
import { drawStream } from './draw.ts';
import { randomDocument } from './generate.ts';
import { shrink } from './shrink.ts';

const MANY = Array.from({ length: 400 }, (_, i) => randomDocument(drawStream(5, i)));

test('the same seed and number give the same document, others give others', () => {
  expect(fuzzDocument(3, 7)).toEqual(fuzzDocument(3, 7));
  expect(fuzzDocument(3, 7)).not.toEqual(fuzzDocument(3, 8));
  expect(fuzzDocument(3, 7)).not.toEqual(fuzzDocument(4, 7));
});

test('nearly every random document is right', () => {
  const refused = MANY.filter((document) => !validateDocument(document).ok);
  expect(refused.length).toBeLessThan(MANY.length / 20);
});

test('every kernel, lock, policy, step and random time occurs', () => {
  const text = JSON.stringify(MANY);
  const words = [...KERNELS, ...LOCK_KINDS, ...POLICIES.filter((policy) => policy !== 'other'), 'yield', 'exit'];
  expect(words.filter((word) => !text.includes(`"${word}"`))).toEqual([]);
  const keys = [
    ...['run', 'runUntil', 'sleep', 'sleepUntil', 'period', 'io', 'lock', 'timeout', 'tryLock', 'unlock', 'readLock'],
    ...['wait', 'post', 'condWait', 'signal', 'broadcast', 'barrier', 'repeat', 'set', 'fork', 'mark', 'deadlineAt'],
    ...['uniform', 'exponential', 'normal', 'lognormal', 'oneOf', 'until', 'slice', 'startCpu', 'birth', 'rttimeLimit'],
    ...['group', 'session', 'quota', 'burst', 'parent', 'periodPhase', 'idle', 'softirq', 'tunables', 'features'],
    ...['autogroup', 'proxyExecution', 'piReweight', 'interventions', 'fairServer', 'rtThrottling', 'share', 'phase'],
  ];
  expect(keys.filter((key) => !text.includes(`"${key}":`))).toEqual([]);
});

test('a failure becomes as small as it goes', () => {
  const holds = (value: Json, word: string): boolean => JSON.stringify(value).includes(word);
  const big = MANY.find((document) => holds(document, '"spin"') && holds(document, '"fork"'))!;
  const small = shrink(big, (document) => holds(document, '"spin"') && Array.isArray(document['threads']));
  expect(JSON.stringify(small).length).toBeLessThan(150);
});

test('failures of one kind are told apart from others by their sentence, not by names and numbers', () => {
  const of = (message: string): string => kindOf({ rule: 'r', message });
  expect(of('t3 runs on one CPU: on 1 and 2 at 40000')).toBe(of('t12/1 runs on one CPU: on 0 and 3 at 7'));
  expect(of('t3 runs on one CPU: on 1')).not.toBe(of('t3 ends once'));
});

test('the link of a failure opens its document', async () => {
  const document = MANY[0] as JsonObject;
  const decoded = await decodeLink(await linkOf(document), createDeflatePort(CompressionStream, DecompressionStream));
  expect(decoded.ok && decoded.value.scenario).toEqual({ from: 'inline', document });
});
