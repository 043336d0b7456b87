import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical_json.ts';
import type { Json, JsonObject } from './document.ts';
import { checkJsonBounds } from './json_bounds.ts';
import { childPath, elementPath, pathTokens } from './json_path.ts';
import { mergePatch } from './merge_patch.ts';
import { assertNoGap, migrate } from './migrate.ts';
import { editDistance, nearestName } from './nearest_name.ts';
import { parseJsonText } from './parse_document.ts';

function messageOf(text: string): string {
  const result = parseJsonText(text);
  return result.ok ? 'fine' : result.error.map((problem) => `${problem.message} ${problem.hint}`).join('\n');
}

describe('JSON text', () => {
  test('is accepted exactly where JSON.parse accepts it', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '.5',
      '1e9',
      '01',
      'true',
      'null',
      'nul',
      ' ',
      '\n',
      '\\',
      '"\\u00e9"',
      '"\\x"',
      '\u0001',
      "'",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (list) => {
        const text = list.join('');
        let expected = true;
        try {
          JSON.parse(text);
        } catch {
          expected = false;
        }
        const result = parseJsonText(text);
        const refusedByBounds = !result.ok && result.error.every((problem) => problem.code === 'duplicate-key');
        expect(result.ok || refusedByBounds).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  }, 60_000);

  test('of any value is read back', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseJsonText(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test('may begin with a byte order mark', () => {
    expect(parseJsonText('\ufeff{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
  });

  test('that is wrong is told by line and column', () => {
    expect(messageOf('{\n  "a": 1,\n  "b" 2\n}')).toContain('line 3, column 7');
    expect(messageOf('{"a": 1,}')).toContain('a comma before "}" at line 1, column 8');
    expect(messageOf('{"a": 1')).toContain('The object that began at line 1, column 1 is not closed');
    expect(messageOf('{"a": "x')).toContain('a text that does not end at line 1, column 7');
    expect(messageOf('{a: 1}')).toContain('Keys are texts in double quotes');
    expect(messageOf("{'a': 1}")).toContain('Use double quotes');
    expect(messageOf('[1 2]')).toContain('"2" where "," or "]" belongs');
    expect(messageOf('{"a": 5ms}')).toContain('"5ms" where a value belongs');
    expect(messageOf('// hi\n{}')).toContain('JSON has no comments');
    expect(messageOf('{} {}')).toContain('after the end of the document');
    expect(messageOf('')).toContain('A document begins with "{"');
    expect(messageOf('\r\n\r\n{"a": tru}')).toContain('line 3, column 7');
    expect(messageOf('<!doctype html><html>')).toContain('"<" where a value belongs');
  });

  test('with a doubled key is refused, with the place of the second', () => {
    const result = parseJsonText('{"locks": {"m": {},\n "m": {}}}');
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.error).toMatchObject([{ code: 'duplicate-key', path: 'locks.m' }]);
    expect(messageOf('{"a": {"x": 1}, "b": {"x": 1}}')).toBe('fine');
    expect(messageOf('{"a": 1, "\\u0061": 2}')).toContain('stands twice');
  });

  test('of a hundred thousand brackets is refused without overflowing the stack', () => {
    expect(messageOf('['.repeat(100_000))).toContain('deeper than 32');
    expect(messageOf('{"a":'.repeat(40_000))).toContain('deeper than 32');
    expect(messageOf(`${'['.repeat(32)}${']'.repeat(32)}`)).toBe('fine');
    expect(messageOf(`${'['.repeat(33)}${']'.repeat(33)}`)).toContain('deeper than 32');
  });

  test('over 256 KB is refused, counted in bytes', () => {
    expect(messageOf(`"${'x'.repeat(262_142)}"`)).toBe('fine');
    expect(messageOf(`"${'x'.repeat(262_143)}"`)).toContain('256 KB');
    expect(messageOf(`"${'é'.repeat(131_072)}"`)).toContain('256 KB');
  });
});

describe('bounds of a value', () => {
  test('cycles, depth, size and what is no JSON are told apart', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(checkJsonBounds(cycle)?.code).toBe('bound-nesting');
    let laughs: unknown = 'ha';
    for (let i = 0; i < 30; i++) laughs = Array(10).fill(laughs);
    expect(checkJsonBounds(laughs)?.code).toBe('bound-size');
    expect(checkJsonBounds(Array(1e8))?.code).toBe('bound-size');
    for (const bad of [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 0, 10n, Symbol('x')])
      expect(checkJsonBounds({ a: [bad] })).toMatchObject({ code: 'not-json', path: 'a[0]' });
    expect(checkJsonBounds({ a: [1, 'x', null, true] })).toBeUndefined();
  });
});

test('canonical JSON does not depend on the order of keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (object) => {
      const turned = Object.fromEntries(Object.entries(object).reverse());
      expect(canonicalJson(turned as Json)).toBe(canonicalJson(object as Json));
      expect(JSON.parse(canonicalJson(object as Json))).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});

describe('merge patch', () => {
  // The examples of RFC 7396, appendix A.
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s is %s', (target, patch, result) => {
    expect(mergePatch(JSON.parse(target) as Json, JSON.parse(patch) as Json)).toEqual(JSON.parse(result));
  });

  test('never reaches a prototype', () => {
    const patch = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
    ) as Json;
    const merged = mergePatch({}, patch) as JsonObject;
    expect(Object.keys(merged)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test('a path is taken apart into the keys it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.nat(99))), (tokens) => {
      const path = tokens.reduce<string>(
        (at, token) => (typeof token === 'number' ? elementPath(at, token) : childPath(at, token)),
        '',
      );
      expect(pathTokens(path)).toEqual(tokens);
    }),
  );
});

test('the nearest name is the one with the fewest slips', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3);
  expect(editDistance('prioirty', 'priority')).toBe(1);
  expect(nearestName('prioirty', ['policy', 'priority', 'period'])).toBe('priority');
  expect(nearestName('Machine', ['machine', 'locks'])).toBe('machine');
  expect(nearestName('cpu', ['cpus', 'hz'])).toBe('cpus');
  expect(nearestName('colour', ['machine', 'locks'])).toBeUndefined();
  expect(nearestName('x'.repeat(1e6), ['x'])).toBeUndefined();
});

describe('versions', () => {
  test('a missing, odd, old or newer version is told apart', () => {
    const codeOf = (document: JsonObject): string => {
      const result = migrate(document);
      return result.ok ? 'fine' : result.error.code;
    };
    expect(codeOf({ version: 1 })).toBe('fine');
    expect(codeOf({})).toBe('version');
    for (const version of ['1', 0, -1, 1.5, null, [1]]) expect(codeOf({ version })).toBe('version');
    for (const version of [2, 1e300]) expect(codeOf({ version })).toBe('version-newer');
  });

  test('a gap between versions is found', () => {
    const step = (document: JsonObject): JsonObject => document;
    expect(() => assertNoGap(new Map([[1, step]]), 1, 3)).toThrow('version 2');
    expect(() =>
      assertNoGap(
        new Map([
          [1, step],
          [2, step],
        ]),
        1,
        3,
      ),
    ).not.toThrow();
    expect(() => assertNoGap(new Map([[7, step]]), 1, 1)).toThrow();
  });
});
