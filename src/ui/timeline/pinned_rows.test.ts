import { expect, test } from 'vitest';
import type { Row } from '../../view/api.ts';
import { placeRows } from './pinned_rows.ts';

/** Ten lanes of 30 px and a lock of 40: 340 px. */
const ROWS: readonly Row[] = Array.from({ length: 11 }, (_, i) => ({
  row: 'lane' as const,
  laneId: i,
  yPx: i * 30,
  heightPx: i === 10 ? 40 : 30,
}));
const isLock = (row: Row): boolean => row.row === 'lane' && row.laneId === 10;

test('where all lanes fit nothing is pinned', () => {
  const { placed, pinnedPx } = placeRows(ROWS, 340, 340, 0, isLock);
  expect(placed).toEqual(ROWS);
  expect(pinnedPx).toBe(0);
});

test('where lanes scroll the lock stands at the foot of the window, wherever they are scrolled to', () => {
  for (const scrollPx of [0, 55, 140]) {
    const { placed, pinnedFrom, pinnedPx } = placeRows(ROWS, 340, 200, scrollPx, isLock);
    expect(placed.at(-1)).toMatchObject({ laneId: 10, yPx: 160, pinned: true });
    expect([pinnedFrom, pinnedPx]).toEqual([10, 40]);
    expect(placed[0]?.yPx).toBe(0 - scrollPx);
    // A row whose bar would be covered is not drawn at all.
    expect(Math.max(...placed.slice(0, -1).map((row) => row.yPx))).toBeLessThan(152);
  }
});

test('at the end of the scroll nothing is covered: the pinned row is where it would be anyway', () => {
  const { placed } = placeRows(ROWS, 340, 200, 140, isLock);
  expect(placed.at(-2)).toMatchObject({ laneId: 9, yPx: 130 });
});

test('locks that would take most of a low window scroll like the others', () => {
  expect(placeRows(ROWS, 340, 90, 0, isLock).pinnedPx).toBe(0);
});
