import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mulShift32 } from './mul_shift.ts';

test('the product equals bigint arithmetic for spans up to an hour and any weight', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 42 - 1 }), fc.integer({ min: 0, max: 2 ** 42 - 1 }), (delta, factor) => {
      expect(mulShift32(delta, factor)).toBe(Number((BigInt(delta) * BigInt(factor)) >> 32n));
    }),
    { numRuns: 5000 },
  );
});
