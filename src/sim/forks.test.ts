// A loop of forks ends somewhere: 1,024 tasks live at once at most, as a document may list them.

import { expect, test } from 'vitest';
import { run } from '../testing/scene.ts';
import { FindingKind, RecordKind } from '../trace/records.ts';

const findings = (ran: ReturnType<typeof run>, kind: number): number =>
  [...ran.records.kind.subarray(0, ran.records.count)].filter(
    (k, i) => k === RecordKind.finding && ran.records.a[i] === kind,
  ).length;

test('children that live on are refused from the 1,024th task on', () => {
  const ran = run({
    duration: '2s',
    threads: [
      { name: 'p', program: [{ repeat: 1030, do: [{ fork: 'c' }, { run: '1us' }] }] },
      { name: 'c', start: 'fork', program: [{ sleep: '1h' }] },
    ],
  });
  expect(ran.sim.tasks.length).toBe(1024);
  // 1,023 children have room beside their parent.
  expect(findings(ran, FindingKind.forkRefused)).toBe(1030 - 1023);
});

test('children that have ended make room', () => {
  const ran = run({
    duration: '2s',
    threads: [
      { name: 'p', program: [{ repeat: 1030, do: [{ fork: 'c' }, { sleep: '1ms' }] }] },
      { name: 'c', start: 'fork', program: [{ run: '1us' }] },
    ],
  });
  expect(ran.sim.tasks.length).toBe(1031);
  expect(findings(ran, FindingKind.forkRefused)).toBe(0);
});
