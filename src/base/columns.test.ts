import { expect, test } from 'vitest';
import { moveInto } from './columns.ts';

function columnsOf(capacity: number, count = 0) {
  return { count, at: new Float64Array(capacity), kind: new Uint8Array(capacity) };
}

test('filled rows move, the count stays, and there is room for more', () => {
  const columns = columnsOf(2, 1);
  columns.at.set([7, 9]);
  columns.kind.set([3, 4]);
  const bigger = columnsOf(4);
  const room = bigger.at;
  moveInto(columns, bigger);
  expect(columns).toEqual({ count: 1, at: new Float64Array([7, 0, 0, 0]), kind: new Uint8Array([3, 0, 0, 0]) });
  expect(columns.at).toBe(room);
});
