import { describe, expect, it } from 'vitest';
import { operandsOf } from './operands.ts';
import { appendRecords, copyRecords } from './record_columns.ts';
import { createRecords, pushRecord, type RecordColumns, RecordKind } from './records.ts';

/** Every third row is a decision; its operands tell its row. */
function rows(count: number): RecordColumns {
  const r = createRecords(1);
  for (let i = 0; i < count; i++) {
    if (i % 3 === 0) pushRecord(r, i, RecordKind.decision, 100, 0, 1, 2, 1, -1, i, 2 ** 53 - i);
    else pushRecord(r, i, RecordKind.schedWakeup, 0, 0, 1, 2, -1, -1);
  }
  return r;
}

function expectOperands(r: RecordColumns, count: number): void {
  for (const i of [0, 1, 3, 1023, 1024, 1026, count - 1, 3, 2047, 2049]) {
    if (i >= count) continue;
    expect(operandsOf(r, i), `row ${i}`).toEqual(i % 3 === 0 ? { x: i, y: 2 ** 53 - i } : undefined);
  }
}

describe('operands of records', () => {
  it('are found by row, also far beyond 32 bits', () => {
    expectOperands(rows(5000), 5000);
  });

  it('are found while rows are still being added', () => {
    const r = createRecords(1);
    for (let i = 0; i < 4000; i++) {
      pushRecord(r, i, RecordKind.schedSwitch, 1, 0, 1, -1, 0, -1, i, -i);
      if (i % 700 === 0) expect(operandsOf(r, i)).toEqual({ x: i, y: -i === 0 ? expect.any(Number) : -i });
    }
    expect(operandsOf(r, 3999)).toEqual({ x: 3999, y: -3999 });
    expect(operandsOf(r, 4000)).toBeUndefined();
  });

  it('stay with their rows however the stream is cut', () => {
    const whole = rows(5000);
    for (const size of [1, 7, 1024, 4999]) {
      const joined = createRecords(1);
      for (let at = 0; at < 5000; at += size) appendRecords(joined, copyRecords(whole, at, Math.min(5000, at + size)));
      expect(joined.operands.count).toBe(1667);
      expectOperands(joined, 5000);
    }
  });
});
