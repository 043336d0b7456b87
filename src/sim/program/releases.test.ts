// Releases and deadlines as records. Expected values by arithmetic: a period of 10 ms, work of 3, 14 and 3 ms.

import { expect, test } from 'vitest';
import { findings } from '../../testing/lock_events.ts';
import { type Ran, run } from '../../testing/scene.ts';
import { RecordKind } from '../../trace/records.ts';

function rows(ran: Ran, kind: number): number[][] {
  const r = ran.records;
  const list: number[][] = [];
  for (let i = 0; i < r.count; i++) if (r.kind[i] === kind) list.push([r.tsNs[i]! / 1e6, r.a[i]!, r.b[i]!]);
  return list;
}

const within = (run: string) => ({ deadlineAt: '5ms', do: [{ run }] });

const ran = run({
  duration: '50ms',
  machine: { kernel: '6.1', rtThrottling: false },
  threads: [
    {
      name: 'T',
      start: '1ms',
      policy: 'fifo',
      priority: 1,
      program: [
        within('3ms'),
        { period: '10ms' },
        within('14ms'),
        { period: '10ms' },
        within('3ms'),
        { period: '10ms' },
      ],
    },
  ],
});

test('a release that a thread slept for is on time, one that is past is missed and begins at once', () => {
  // Releases at 11, 21 (past at 25, when the work of 14 ms ends) and 31.
  expect(rows(ran, RecordKind.release)).toEqual([
    [11, 1, 0],
    [25, 2, 1],
    [31, 3, 0],
  ]);
});

test('a deadline counts from the release, however late the thread began', () => {
  // Due at 6, 16 and 26; done at 4, 25 (9 ms late) and 28 (2 ms late).
  expect(rows(ran, RecordKind.deadlineEnd)).toEqual([
    [4, 1, 0],
    [25, 0, 9_000_000],
    [28, 0, 2_000_000],
  ]);
  expect(findings(ran)).toEqual(['deadlineMissed T@25', 'deadlineMissed T@28']);
});
