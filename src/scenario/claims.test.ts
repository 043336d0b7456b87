import { describe, expect, test } from 'vitest';
import type { JsonObject } from './document.ts';
import { resolve } from './resolve.ts';
import type { Claim } from './scenario.ts';

function read(...expectList: unknown[]): { claims: readonly Claim[]; codes: string[] } {
  const document = {
    version: 1,
    duration: '1s',
    params: { hold: { default: '8ms' } },
    locks: { m: { kind: 'futex' } },
    threads: [
      { name: 'low', program: [] },
      { name: 'a,b', program: [] },
      { name: 'w', count: 3, program: [] },
    ],
    toggles: { fix: { values: { off: {}, on: { threads: { late: { program: [] } } } }, default: 'off' } },
    expect: expectList,
  } as unknown as JsonObject;
  const result = resolve(document);
  return result.ok
    ? { claims: result.value.claims, codes: [] }
    : { claims: [], codes: result.error.map((problem) => `${problem.code} ${problem.path}`) };
}

describe('claims', () => {
  test('are read with measure, window, setting and test', () => {
    const { claims } = read({
      claim: 'A tenth.',
      when: { fix: 'on', cpus: 2 },
      between: ['300ms', '2.3s'],
      measure: 'share(low)',
      is: 0.097,
      within: 0.005,
    });
    expect(claims).toEqual([
      {
        claim: 'A tenth.',
        when: { fix: 'on', cpus: 2 },
        betweenNs: [300_000_000, 2_300_000_000],
        measure: { name: 'share', args: ['low'], text: 'share(low)' },
        test: { test: 'is', value: 0.097, tolerance: 0.005, relative: false },
      },
    ]);
  });

  test.each<[Record<string, unknown>, unknown]>([
    [
      { measure: 'cpuTime(low)', atMost: '5ms' },
      { test: 'atMost', value: 5_000_000 },
    ],
    [
      { measure: 'cpuTime(low)', atLeast: '$hold' },
      { test: 'atLeast', value: 8_000_000 },
    ],
    [
      { measure: 'finish(low)', is: '963ms', within: '6ms' },
      { test: 'is', value: 963_000_000, tolerance: 6_000_000, relative: false },
    ],
    [
      { measure: 'finish(low)', is: '963ms', within: '5%' },
      { test: 'is', value: 963_000_000, tolerance: 0.05, relative: true },
    ],
    [
      { measure: 'switches(low)', is: 3 },
      { test: 'is', value: 3, tolerance: 0, relative: false },
    ],
    [{ measure: 'mark(any text, (really))', never: true }, { test: 'never' }],
    [
      { measure: 'weight(low)@1s', is: 110 },
      { test: 'is', value: 110, tolerance: 0, relative: false },
    ],
  ])('%j', (claim, expected) => {
    const { claims, codes } = read(claim);
    expect(codes).toEqual([]);
    expect(claims[0]!.test).toEqual(expected);
  });

  test.each<[string, string[], number | undefined]>([
    ['acquisitions(a,b, m)', ['a,b', 'm'], undefined],
    ['share(a,b)', ['a,b'], undefined],
    ['share(w/*)', ['w/*'], undefined],
    ['share(w/2)', ['w/2'], undefined],
    ['stint( low , p99 )', ['low', 'p99'], undefined],
    ['effectivePriority(low)@1.5s', ['low'], 1_500_000_000],
    ['effectivePriority(low) @ 1.5s', ['low'], 1_500_000_000],
    ['verdict(rt-spin-hang)', ['rt-spin-hang'], undefined],
    ['share(late)', ['late'], undefined],
  ])('%s', (measure, args, atNs) => {
    const unit = measure.startsWith('stint') ? '1ms' : 1;
    const { claims, codes } = read({ measure, is: unit });
    expect(codes).toEqual([]);
    expect(claims[0]!.measure.args).toEqual(args);
    expect(claims[0]!.measure.atNs).toBe(atNs);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ measure: 'shares(low)', is: 1 }, 'unknown-measure expect[0].measure'],
    [{ measure: 'share(nobody)', is: 1 }, 'unknown-thread expect[0].measure'],
    [{ measure: 'share(x/*)', is: 1 }, 'unknown-thread expect[0].measure'],
    [{ measure: 'acquisitions(low, n)', is: 1 }, 'unknown-lock expect[0].measure'],
    [{ measure: 'verdict(hang)', is: 1 }, 'unknown-verdict expect[0].measure'],
    [{ measure: 'share', is: 1 }, 'measure expect[0].measure'],
    [{ measure: 'share()', is: 1 }, 'measure expect[0].measure'],
    [{ measure: 'weight(low)', is: 1 }, 'measure expect[0].measure'],
    [{ measure: 'share(low)@1s', is: 1 }, 'measure expect[0].measure'],
    [{ measure: 'weight(low)@1', is: 1 }, 'time-unit expect[0].measure'],
    [{ measure: 'stint(low, p101)', is: '1ms' }, 'measure expect[0].measure'],
    [{ measure: 'share(low)' }, 'claim-test expect[0]'],
    [{ measure: 'share(low)', is: 1, atMost: 2 }, 'claim-test expect[0]'],
    [{ measure: 'share(low)', atMost: 2, within: 1 }, 'claim-test expect[0].within'],
    [{ measure: 'share(low)', never: false }, 'type expect[0].never'],
    [{ measure: 'share(low)', is: '5ms' }, 'type expect[0].is'],
    [{ measure: 'cpuTime(low)', is: 5 }, 'time-unit expect[0].is'],
    [{ measure: 'share(low)', is: 1, within: -1 }, 'range expect[0].within'],
    [{ measure: 'share(low)', is: 1, within: 'x%' }, 'type expect[0].within'],
    [{ measure: 'share(low)', is: 1, between: ['2s', '1s'] }, 'range expect[0].between'],
    [{ measure: 'share(low)', is: 1, between: ['1s'] }, 'type expect[0].between'],
    [{ measure: 'share(low)', is: 1, when: { fix: 'maybe' } }, 'setting-value expect[0].when.fix'],
    [{ measure: 'share(low)', is: 1, when: { nope: 1 } }, 'unknown-setting expect[0].when.nope'],
    [{ measure: 'share(low)', is: 1, when: { fix: {} } }, 'type expect[0].when.fix'],
    [{ is: 1 }, 'missing-key expect[0].measure'],
    [{ measure: 'share(low)', iss: 1 }, 'unknown-key expect[0].iss'],
  ])('%j is refused', (claim, expected) => {
    expect(read(claim).codes).toContain(expected);
  });
});
