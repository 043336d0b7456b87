import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64url, toBase64url } from './base64url.ts';
import { createDeflatePort } from './deflate_port.ts';
import type { JsonObject } from './document.ts';
import { LIBRARY, libraryDocument } from './library/library.ts';
import { decodeLink, encodeLink, type LinkState, plainLink } from './link.ts';

const port = createDeflatePort(CompressionStream, DecompressionStream);

async function ok(hash: string): Promise<LinkState> {
  const result = await decodeLink(hash, port);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function codes(hash: string): Promise<string[]> {
  const result = await decodeLink(hash, port);
  return result.ok ? [] : result.error.map((problem) => problem.code);
}

/** A payload as somebody else may make it. */
function payload(text: string | Uint8Array): string {
  return toBase64url(deflateRawSync(text));
}

const DOCUMENT: JsonObject = {
  version: 1,
  title: 'Mine',
  duration: '1s',
  threads: [{ name: 'a', program: [{ run: '1ms' }] }],
};

describe('a link', () => {
  test('of a library scenario can be read and written by people', async () => {
    const state = await ok(
      '#/bmalloc-hang?rt=on&backoff=usleep150&kernel=6.1&do=100ms:backoff=yield;200ms:rt=off&at=4.2ms&t=0us-5ms&a=1ms&b=2ms&sel=x&vs=rt%3Doff%26cpus%3D5&play=1&step=3&e=1',
    );
    expect(state).toEqual({
      scenario: { from: 'library', name: 'bmalloc-hang' },
      settings: { rt: 'on', backoff: 'usleep150', kernel: '6.1' },
      interventions: [
        { at: '100ms', set: { backoff: 'yield' } },
        { at: '200ms', set: { rt: 'off' } },
      ],
      playheadNs: 4_200_000,
      rangeNs: [0, 5_000_000],
      markerANs: 1_000_000,
      markerBNs: 2_000_000,
      selection: 'x',
      versus: 'rt=off&cpus=5',
      play: true,
      present: false,
      embed: false,
      reveal: false,
      step: '3',
      engine: '1',
    });
    expect(await encodeLink(state, port)).toBe(
      '#/bmalloc-hang?rt=on&backoff=usleep150&kernel=6.1&do=100ms:backoff=yield;200ms:rt=off&at=4.2ms&t=0us-5ms&a=1ms&b=2ms&sel=x&vs=rt%3Doff%26cpus%3D5&step=3&e=1&play=1',
    );
  });

  test('that says nothing means the first scenario', async () => {
    for (const hash of ['', '#', '#/'])
      expect(await ok(hash)).toEqual(plainLink({ from: 'library', name: LIBRARY[0]!.name }));
  });

  test('carries a document of its own', async () => {
    const hash = await encodeLink(
      { ...plainLink({ from: 'inline', document: DOCUMENT }), settings: { cpus: '2' } },
      port,
    );
    expect(hash).toMatch(/^#\/z=[A-Za-z0-9_-]+&cpus=2$/);
    expect(await ok(hash)).toEqual({ ...plainLink({ from: 'inline', document: DOCUMENT }), settings: { cpus: '2' } });
    expect((await ok(`#/z=${payload(JSON.stringify(DOCUMENT))}?cpus=2`)).settings).toEqual({ cpus: '2' });
  });

  test('with the whole hang in it still fits a QR code, which holds 2,953 bytes', async () => {
    const hash = await encodeLink(plainLink({ from: 'inline', document: libraryDocument('bmalloc-hang')! }), port);
    expect(hash.length).toBeLessThan(2953 - 40);
  });

  test('set twice means the last, and acts last', async () => {
    expect(Object.entries((await ok('#/bmalloc-hang?rt=on&cpus=3&rt=off')).settings)).toEqual([
      ['cpus', '3'],
      ['rt', 'off'],
    ]);
  });

  test('that a chat program encoded is still read', async () => {
    expect((await ok('#/bmalloc-hang%3Frt=off')).settings).toEqual({ rt: 'off' });
    expect((await ok('#/bmalloc-hang?do=100ms%3Abackoff%3Dyield%3B200ms%3Art%3Doff')).interventions).toEqual([
      { at: '100ms', set: { backoff: 'yield' } },
      { at: '200ms', set: { rt: 'off' } },
    ]);
    expect((await ok('#/bmalloc-hang?t=4-14ms')).rangeNs).toEqual([4_000_000, 14_000_000]);
  });

  test('may name a newer engine: it opens, and says which', async () => {
    expect((await ok('#/bmalloc-hang?e=99')).engine).toBe('99');
  });

  test.each([
    ['#/bmaloc-hang', 'link-scenario'],
    ['#/../../etc/passwd', 'link-scenario'],
    ['#/__proto__', 'link-scenario'],
    ['#/bmalloc-hang?rt=%', 'link-encoding'],
    ['#/bmalloc-hang?rt=%ff', 'link-encoding'],
    ['#/bmalloc-hang?at=5', 'time-unit'],
    ['#/bmalloc-hang?at=-5ms', 'time-sign'],
    ['#/bmalloc-hang?t=5ms-4ms', 'link-value'],
    ['#/bmalloc-hang?t=5ms', 'link-value'],
    ['#/bmalloc-hang?t=5ms-2h', 'time-range'],
    ['#/bmalloc-hang?play=yes', 'link-value'],
    ['#/bmalloc-hang?do=100ms', 'link-value'],
    ['#/bmalloc-hang?do=100:rt=on', 'time-unit'],
    ['#/bmalloc-hang?do=1ms:__proto__=on', 'link-key'],
    ['#/bmalloc-hang?<script>=1', 'link-key'],
    ['#/bmalloc-hang?__proto__=1', 'link-key'],
    [`#/bmalloc-hang?${'a=1ms&'.repeat(2000)}`, 'link-size'],
    [`#/bmalloc-hang?notes=${'x'.repeat(30_000)}`, 'link-size'],
    [`#/bmalloc-hang?do=${'1ms:rt=on;'.repeat(200)}`, 'bound-interventions'],
    [`#/${'x'.repeat(600_000)}`, 'link-size'],
    ['#/z=', 'link-damaged'],
    ['#/z=!!!', 'link-damaged'],
    ['#/z=A', 'link-damaged'],
    ['#/z=AAAA', 'link-damaged'],
    [`#/z=${payload('{"version": 1')}`, 'link-damaged'],
    [`#/z=${payload('~positional')}`, 'link-newer'],
    [`#/z=${payload('[1]')}`, 'link-newer'],
    [`#/z=${payload('{"version": 2}')}`, 'version-newer'],
    [`#/z=${payload('{}')}`, 'version'],
    [`#/z=${payload(`{"version": 1, "a": ${'['.repeat(40)}${']'.repeat(40)}}`)}`, 'bound-nesting'],
    [`#/z=${payload('{"version": 1, "version": 1}')}`, 'duplicate-key'],
    [`#/z=${payload(new Uint8Array([0x7b, 0xff, 0xfe]))}`, 'link-damaged'],
    [`#/z=${payload(' '.repeat(300_000))}`, 'link-size'],
  ])('%.60s is refused with the reason', async (hash, code) => {
    expect(await codes(hash)).toContain(code);
    const result = await decodeLink(hash, port);
    if (!result.ok)
      for (const problem of result.error) expect(problem.message.length + problem.hint.length).toBeLessThan(400);
  });

  test('that is a bomb costs little', async () => {
    // 30 MB of spaces in 30 KB.
    const bomb = toBase64url(deflateRawSync(Buffer.alloc(30_000_000, 32), { level: 9 }));
    expect(bomb.length).toBeLessThan(50_000);
    const before = process.cpuUsage();
    expect(await codes(`#/z=${bomb}`)).toEqual(['link-size']);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });

  test('that was cut anywhere gives a reason', async () => {
    const hash = await encodeLink({ ...plainLink({ from: 'inline', document: DOCUMENT }) }, port);
    for (let length = 5; length < hash.length; length++) {
      const result = await decodeLink(hash.slice(0, length), port);
      expect(result.ok).toBe(false);
    }
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const id = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/)
  .filter(
    (key) =>
      ![
        'do',
        'at',
        't',
        'a',
        'b',
        'sel',
        'vs',
        'notes',
        'prediction',
        'play',
        'present',
        'embed',
        'step',
        'reveal',
        'e',
        'z',
      ].includes(key),
  );
const ns = fc.integer({ min: 0, max: 3_600_000_000_000 });
const scenario = fc.oneof(
  fc.constantFrom(...LIBRARY.map(({ name }) => ({ from: 'library' as const, name }))),
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })).map((rest) => ({
    from: 'inline' as const,
    document: JSON.parse(JSON.stringify({ ...rest, version: 1 })) as JsonObject,
  })),
);
const settings = fc
  .uniqueArray(fc.tuple(id, text), { selector: ([key]) => key, maxLength: 5 })
  .map((pairs) => Object.fromEntries(pairs));
const interventions = fc
  .uniqueArray(
    fc.tuple(ns, fc.uniqueArray(fc.tuple(id, text), { selector: ([key]) => key, minLength: 1, maxLength: 3 })),
    { selector: ([at]) => at, maxLength: 4 },
  )
  .map((list) => list.map(([at, pairs]) => ({ at: `${at}ns`, set: Object.fromEntries(pairs) })));
const optionals = fc.record(
  {
    playheadNs: ns,
    rangeNs: fc.tuple(ns, ns).filter(([from, to]) => from < to),
    markerANs: ns,
    markerBNs: ns,
    selection: text,
    versus: text,
    notes: text,
    prediction: text,
    step: text,
    engine: text,
  },
  { requiredKeys: [] },
);
const flags = fc.record({ play: fc.boolean(), present: fc.boolean(), embed: fc.boolean(), reveal: fc.boolean() });
const anyState: fc.Arbitrary<LinkState> = fc
  .tuple(scenario, settings, interventions, optionals, flags)
  .map(([where, set, flips, rest, on]) => ({ scenario: where, settings: set, interventions: flips, ...rest, ...on }));

test('what is encoded is decoded to the same', async () => {
  await fc.assert(
    fc.asyncProperty(anyState, async (state) => {
      const hash = await encodeLink(state, port);
      expect(hash).toMatch(/^#\/[\x21-\x7e]*$/);
      const result = await decodeLink(hash, port);
      expect(result).toEqual({ ok: true, value: state });
    }),
    { numRuns: 300 },
  );
}, 60_000);

test('any change of a link gives a state or reasons, never an exception', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyState,
      fc.array(fc.tuple(fc.nat(2000), fc.nat(3), fc.string({ unit: 'binary', maxLength: 3 })), {
        minLength: 1,
        maxLength: 6,
      }),
      async (state, edits) => {
        let hash = await encodeLink(state, port);
        for (const [at, cut, insert] of edits) {
          const place = at % (hash.length + 1);
          hash = hash.slice(0, place) + insert + hash.slice(place + cut);
        }
        const result = await decodeLink(hash, port);
        if (!result.ok) {
          expect(result.error.length).toBeGreaterThan(0);
          for (const problem of result.error) expect(problem.hint).not.toBe('');
        }
      },
    ),
    { numRuns: 500 },
  );
}, 60_000);

test('bytes survive base64url, and Node agrees on the text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const encoded = toBase64url(bytes);
      expect(encoded).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(encoded)).toEqual(Uint8Array.from(bytes));
    }),
  );
  expect(fromBase64url('A')).toBeUndefined();
  expect(fromBase64url('A+/=')).toBeUndefined();
});
