// Checks of the fact sheet, section 15, that no other file holds. Expected values are the sheet's.

import { expect, test } from 'vitest';
import { run } from '../testing/scene.ts';
import { RecordKind, SpinCountAt } from '../trace/records.ts';

test('V48: the first contended call of an adaptive mutex spins 10 times, then sleeps; the average is 1 after it', () => {
  const ran = run({
    duration: '10ms',
    machine: { cpus: 2, hz: 1000 },
    locks: { m: { kind: 'adaptive' } },
    threads: [
      {
        name: 'holder',
        cpus: [0],
        program: [
          { lock: 'm' },
          { run: '1ms' },
          { unlock: 'm' },
          { runUntil: '3ms' },
          { lock: 'm' },
          { run: '1ms' },
          { unlock: 'm' },
        ],
      },
      {
        name: 'contender',
        cpus: [1],
        start: '500us',
        program: [{ lock: 'm' }, { unlock: 'm' }, { runUntil: '3500us' }, { lock: 'm' }, { unlock: 'm' }],
      },
    ],
  });
  const r = ran.records;
  const failed: number[] = [];
  for (let i = 0; i < r.count; i++)
    if (r.kind[i] === RecordKind.spinCount && r.reason[i] !== SpinCountAt.probe) failed.push(r.b[i]!);
  // An average of 1 allows min(100, 2 * 1 + 10) tries to the second call.
  expect(failed).toEqual([10, 2 * 1 + 10]);
});
