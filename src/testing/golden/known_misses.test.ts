import { expect, test } from 'vitest';
import { judgeRows } from './known_misses.ts';
import type { Row } from './row.ts';

function row(id: string, ok: boolean): Row {
  return {
    id,
    workload: 'w',
    kernel: 'k',
    measure: 'm',
    unit: 'ns',
    recorded: 1,
    simulated: 2,
    tolerance: 0,
    ok,
  };
}

test('a listed miss still counts as failed, but is not new', () => {
  const report = judgeRows([row('a', true), row('b', false)], [{ row: 'b', cause: 'x' }], true);
  expect(report.passed).toBe(1);
  expect(report.failed).toBe(1);
  expect(report.fresh).toEqual([]);
});

test('a miss that is not listed is new', () => {
  expect(judgeRows([row('a', false)], [], true).fresh.map((r) => r.id)).toEqual(['a']);
});

test('a listed row that passes is reported', () => {
  expect(judgeRows([row('a', true)], [{ row: 'a', cause: 'x' }], true).healed.map((r) => r.id)).toEqual(['a']);
});

test('an entry without a row is stale, when all rows were compared', () => {
  const known = [{ row: 'gone', cause: 'x' }];
  expect(judgeRows([row('a', true)], known, true).stale).toEqual(known);
  expect(judgeRows([row('a', true)], known, false).stale).toEqual([]);
});
