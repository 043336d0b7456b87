import { expect, test } from 'vitest';
import { goldenHash, isGoldenHash, readGoldenHash } from './golden_hash.ts';

test('links to scenarios are not links to recordings', () => {
  expect(['#golden', '#golden/sleeper/7.2.13-deb'].map(isGoldenHash)).toEqual([true, true]);
  expect(['', '#/golden', '#/bmalloc-hang?rt=off', '#goldenrod'].map(isGoldenHash)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a choice survives the link, and a link without one names nothing', () => {
  expect(goldenHash({ workload: 'sleeper', kernel: '7.2.13-deb' })).toBe('#golden/sleeper/7.2.13-deb');
  expect(readGoldenHash('#golden/sleeper/7.2.13-deb')).toEqual({ workload: 'sleeper', kernel: '7.2.13-deb' });
  expect(readGoldenHash('#golden')).toEqual({ workload: '', kernel: '' });
});
