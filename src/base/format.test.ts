import { describe, expect, test } from 'vitest';
import {
  axisUnit,
  formatDecimal,
  formatInt,
  formatMs,
  formatNs,
  formatPercent,
  formatShort,
  formatSigned,
  formatSignedPercent,
  formatTimeAxis,
  formatUs,
} from './format.ts';

/** Writes the narrow space as `_`, so that the expected texts can be read. */
const plain = (text: string): string => text.replaceAll('\u202f', '_').replaceAll('\u2212', '-');

describe('times', () => {
  test.each([
    [0, '0_ns'],
    [20, '20_ns'],
    [999, '999_ns'],
    [1_000, '1_µs'],
    [4_020, '4.02_µs'],
    [150_000, '150_µs'],
    [999_999, '999.999_µs'],
    [1_000_000, '1.000_ms'],
    [1_234_567, '1.235_ms'],
    [412_310_000, '412.310_ms'],
    [999_999_600, '1.000_s'],
    [2_000_000_000, '2.000_s'],
    [3_600_000_000_000, '3_600.000_s'],
    [-1_234_567, '-1.235_ms'],
    [Number.POSITIVE_INFINITY, '∞'],
  ])('%d ns take the unit that suits them', (ns, text) => {
    expect(plain(formatNs(ns))).toBe(text);
  });

  test.each([
    [171_000, '171_µs'],
    [420_000, '420_µs'],
    [9_628_000, '9.63_ms'],
    [1_200_000, '1.2_ms'],
    [620_000_000, '620_ms'],
    [999_700_000, '1_s'],
    [1_180_000_000, '1.18_s'],
    [999_500, '1_ms'],
    [44, '44_ns'],
  ])('a short form has at most three digits (%d ns)', (ns, text) => {
    expect(plain(formatShort(ns))).toBe(text);
  });

  test('instants of a table share unit and decimals', () => {
    expect(plain(formatMs(412_310_000))).toBe('412.310_ms');
    expect(plain(formatMs(1_180_000_000, 1))).toBe('1_180.0_ms');
    expect(plain(formatUs(4_538_000))).toBe('4_538_µs');
  });
});

describe('numbers', () => {
  test('thousands stand apart and a minus is a minus', () => {
    expect(plain(formatInt(1_234_567))).toBe('1_234_567');
    expect(plain(formatInt(-1234))).toBe('-1_234');
    expect(formatInt(-0.2)).toBe('0');
    expect(formatInt(Number.NaN)).toBe('–');
  });

  test('halves round away from zero, as written', () => {
    expect(formatDecimal(1.005, 2)).toBe('1.01');
    expect(plain(formatDecimal(-2.5, 0))).toBe('-3');
  });

  test('shares and differences carry their signs', () => {
    expect(plain(formatPercent(110 / 1134, 1))).toBe('9.7_%');
    expect(plain(formatSignedPercent(-0.17, 1))).toBe('-17.0_%');
    expect(plain(formatSignedPercent(0.00001, 1))).toBe('0.0_%');
    expect(plain(formatSigned(1709))).toBe('+1_709');
  });
});

describe('axes', () => {
  test('a tick has as many decimals as its step needs', () => {
    expect(plain(formatTimeAxis(406_000_000, 1_000_000, 'ms'))).toBe('406_ms');
    expect(plain(formatTimeAxis(419_800_000, 200_000, 'ms'))).toBe('419.8_ms');
    expect(plain(formatTimeAxis(419_820_000, 20_000, 'ms', false))).toBe('419.82');
    expect(plain(formatTimeAxis(2_500_000_000, 500_000_000, 's'))).toBe('2.5_s');
  });

  test('the unit follows the end of the axis and the step', () => {
    expect(axisUnit(1_000_000, 413_000_000)).toBe('ms');
    expect(axisUnit(100_000, 900_000)).toBe('µs');
    expect(axisUnit(50, 900)).toBe('ns');
    expect(axisUnit(10_000_000_000, 3_600_000_000_000)).toBe('s');
  });
});
