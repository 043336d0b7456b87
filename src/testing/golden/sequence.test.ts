import { describe, expect, test } from 'vitest';
import { editDistance, sequenceLikeness } from './sequence.ts';
import { countTolerance } from './tolerance.ts';

const MS = 1_000_000;

describe('sequences of stints', () => {
  test('the distance counts insertions, deletions and replacements', () => {
    const same = (a: string, b: string) => a === b;
    expect(editDistance([...'kitten'], [...'sitting'], same)).toBe(3);
    expect(editDistance([], ['a', 'b'], same)).toBe(2);
  });
  test('lengths count in ticks of 4 ms', () => {
    expect(sequenceLikeness([['a', 4 * MS, 0]], [['a', 4.3 * MS, 0.1 * MS]]).share).toBe(1);
    expect(sequenceLikeness([['a', 4 * MS, 0]], [['a', 8 * MS, 0]]).share).toBe(0);
    // 12.49 and 12.51 ticks are one length, though they round to 12 and 13.
    expect(sequenceLikeness([['a', 49.99 * MS, 0]], [['a', 50.01 * MS, 0]]).share).toBe(1);
  });
  test('an odd stint does not shift what begins 100 ms later', () => {
    const theirs = [
      ['a', 4 * MS, 0],
      ['b', 4 * MS, 100 * MS],
    ] as const;
    const ours = [
      ['c', 4 * MS, 0],
      ['d', 4 * MS, 4 * MS],
      ['b', 4 * MS, 100 * MS],
    ] as const;
    const likeness = sequenceLikeness(theirs, ours);
    expect(likeness.share).toBeCloseTo(1 / 3);
    expect(likeness.first).toContain('recorded a 4.00 ms');
  });
});

describe('tolerance of counts', () => {
  test('is a factor in both directions, and an absolute number for small counts', () => {
    expect(countTolerance({ factor: 3, count: 2 }, 9, 27)).toBe(18);
    expect(countTolerance({ factor: 3, count: 2 }, 9, 3)).toBeCloseTo(6);
    expect(countTolerance({ factor: 3, count: 2 }, 0, 2)).toBe(2);
  });
});
