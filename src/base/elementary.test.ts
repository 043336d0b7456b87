import { describe, expect, test } from 'vitest';
import { exp, ln, squareRoot } from './elementary.ts';

// Math.* of the engine that runs the test is the yardstick: it is right to about 1e-15, whatever its last bits.
const ARGUMENTS = [1e-16, 3e-9, 0.001, 0.25, 0.5, 0.71, 0.99999, 1, 1.00001, 1.5, 2, Math.E, 10, 12345.678, 1e15];

describe('elementary functions from basic arithmetic', () => {
  test.each(ARGUMENTS)('ln %d', (x) => {
    expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(4e-16 + 2e-15 * Math.abs(Math.log(x)));
  });

  test.each([-700, -36.5, -3, -0.5, -1e-9, 0, 1e-9, 0.3, 1, 5.5, 40, 700])('e^%d', (x) => {
    expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-13);
  });

  test.each([...ARGUMENTS, 0, 4, 9])('square root of %d', (x) => {
    const root = Math.sqrt(x);
    expect(Math.abs(squareRoot(x) - root)).toBeLessThanOrEqual(1e-15 * root);
  });
});
