import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTime, MAX_TIME_NS, parseTime } from './time_text.ts';

describe('reading times', () => {
  test.each([
    ['0us', 0],
    ['1ns', 1],
    ['150us', 150_000],
    ['150\u00b5s', 150_000],
    ['150\u03bcs', 150_000],
    ['1.5ms', 1_500_000],
    ['4.02us', 4_020],
    ['2.3s', 2_300_000_000],
    ['0.1h', 360_000_000_000],
    ['1h', 3_600_000_000_000],
    ['007ms', 7_000_000],
    ['1.500000us', 1_500],
    ['0.1ms', 100_000],
  ])('%s is %d ns', (text, ns) => {
    expect(parseTime(text)).toEqual({ ok: true, value: ns });
  });

  test.each([
    ['150', 'time-unit'],
    ['150sec', 'time-unit'],
    ['150 us', 'time-text'],
    ['150US', 'time-unit'],
    ['5m', 'time-unit'],
    ['1min', 'time-unit'],
    ['-1ms', 'time-sign'],
    ['+1ms', 'time-sign'],
    ['0.5ns', 'time-fraction'],
    ['1.0005us', 'time-fraction'],
    ['1.1h', 'time-range'],
    ['3601s', 'time-range'],
    ['', 'time-text'],
    ['ms', 'time-text'],
    ['.5ms', 'time-text'],
    ['1,5ms', 'time-unit'],
    ['1e3us', 'time-unit'],
    ['0x10us', 'time-unit'],
    ['NaNms', 'time-text'],
    ['Infinityms', 'time-text'],
    [`${'9'.repeat(100_000)}s`, 'time-text'],
    ['٣ms', 'time-text'],
    ['1ms\n', 'time-unit'],
  ])('%s is refused', (text, code) => {
    const result = parseTime(text);
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.error.code).toBe(code);
  });

  test('the hint writes the fix', () => {
    const hint = (text: string): string => {
      const result = parseTime(text);
      return result.ok ? '' : result.error.hint;
    };
    expect(hint('150')).toContain('"150us"');
    expect(hint('20msec')).toContain('"20ms"');
    expect(hint('20MS')).toContain('"20ms"');
    expect(hint('2min')).toContain('"60s"');
    expect(hint('1.5 ms')).toContain('"1.5ms"');
  });
});

test('a time that is written is read back exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_TIME_NS }), (ns) => {
      expect(parseTime(formatTime(ns))).toEqual({ ok: true, value: ns });
    }),
  );
});

test.each([
  [0, '0us'],
  [999, '999ns'],
  [1_500, '1.5us'],
  [4_538_000, '4.538ms'],
  [1_234_567, '1234.567us'],
  [963_000_000, '963ms'],
  [3_600_000_000_000, '3600s'],
])('%d ns is written %s', (ns, text) => {
  expect(formatTime(ns)).toBe(text);
});

test('any text is either a time or an error with a hint', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const result = parseTime(text);
      if (!result.ok) expect(result.error.hint.length).toBeGreaterThan(5);
    }),
  );
});
