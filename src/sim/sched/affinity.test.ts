// Changes of affinity. Fact 9.6: a running task is taken off by the stopper; core.c affine_move_task.

import { expect, test } from 'vitest';
import { cpuTime, picture, run } from '../../testing/scene.ts';
import { MigrateReason, WaitReason } from '../../trace/reasons.ts';
import { RecordKind } from '../../trace/records.ts';

const MS = 1_000_000;

test('a running task that narrows its CPUs is moved by the stopper at that instant', () => {
  const ran = run({
    duration: '10ms',
    machine: { cpus: 2 },
    threads: [{ name: 'a', startCpu: 0, program: [{ run: '4ms' }, { set: { cpus: [1] } }, { run: 'forever' }] }],
  });
  expect(picture(ran, 9, 0)).toBe('a[0-4]');
  expect(picture(ran, 9, 1)).toBe('a[4-10]');
  const r = ran.records;
  const rows: number[][] = [];
  for (let i = 0; i < r.count; i++) {
    if (r.kind[i] === RecordKind.taskState && r.reason[i] === WaitReason.movedByStopper)
      rows.push([r.tsNs[i]!, r.b[i]!]);
    if (r.kind[i] === RecordKind.schedMigrateTask) expect(r.reason[i]).toBe(MigrateReason.affinity);
  }
  // The reason names the CPU that it is taken to.
  expect(rows).toEqual([[4 * MS, 1]]);
});

test('the stopper switches twice: who follows on that CPU begins two switches later', () => {
  const ran = run({
    duration: '10ms',
    machine: { cpus: 2, costs: { contextSwitch: '10us' } },
    threads: [
      {
        name: 'a',
        policy: 'fifo',
        priority: 9,
        cpus: [0],
        program: [{ run: '3.99ms' }, { set: { cpus: [1] } }, { run: '1ms' }],
      },
      { name: 'b', cpus: [0], program: [{ run: '1ms' }, { mark: 'done' }] },
    ],
  });
  const r = ran.records;
  let doneNs = 0;
  for (let i = 0; i < r.count; i++) if (r.kind[i] === RecordKind.mark) doneNs = r.tsNs[i]!;
  // a: 10 us switch + 3.99 ms; then the stopper's 10 us, b's own 10 us, 1 ms of work.
  expect(doneNs).toBe(4 * MS + 20_000 + MS);
});

test('a flip there and back leaves no move behind; one that sleeps is placed when it wakes', () => {
  const ran = run({
    duration: '40ms',
    machine: { cpus: 2 },
    threads: [{ name: 'a', cpus: [0], program: [{ run: '5ms' }, { sleep: '10ms' }, { run: '5ms' }] }],
    toggles: {
      narrow: { label: 'narrow', values: { no: {}, yes: { threads: { a: { cpus: [1] } } } }, default: 'no' },
    },
    interventions: [{ at: '8ms', set: { narrow: 'yes' } }],
  });
  expect(cpuTime(ran, 'a')).toBe(10 * MS);
  expect(picture(ran, 9, 0)).toBe('a[0-5]');
  expect(picture(ran, 9, 1)).toMatch(/^a\[15\.05-20\.05\]$/);
});
