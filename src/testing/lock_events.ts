// What happened to locks in a run, as short texts for tests. Times in ms.

import { FindingKind, RecordKind } from '../trace/records.ts';
import type { Ran } from './scene.ts';

/** "T@0" for each acquisition of `lock` (any when undefined), in order; times in ms. */
export function acquired(ran: Ran, lock?: string): string[] {
  const r = ran.records;
  const list: string[] = [];
  for (let i = 0; i < r.count; i++) {
    if (r.kind[i] !== RecordKind.lockAcquire) continue;
    if (lock !== undefined && ran.scenario.locks[r.a[i]!]!.name !== lock) continue;
    list.push(`${nameAt(ran, i)}@${r.tsNs[i]! / 1e6}`);
  }
  return list;
}

/** "kind thread@ms" for each finding, in order. */
export function findings(ran: Ran): string[] {
  const r = ran.records;
  const list: string[] = [];
  for (let i = 0; i < r.count; i++) {
    if (r.kind[i] !== RecordKind.finding) continue;
    const kind = Object.entries(FindingKind).find(([, code]) => code === r.a[i])?.[0];
    list.push(`${kind} ${nameAt(ran, i)}@${r.tsNs[i]! / 1e6}`);
  }
  return list;
}

/** "text@ms" for each mark, in order. */
export function marks(ran: Ran): string[] {
  const r = ran.records;
  const list: string[] = [];
  for (let i = 0; i < r.count; i++)
    if (r.kind[i] === RecordKind.mark) list.push(`${ran.sim.texts[r.a[i]!]}@${r.tsNs[i]! / 1e6}`);
  return list;
}

/** How many records of `kind` have this reason; `task`: of that thread alone. */
export function countRecords(ran: Ran, kind: RecordKind, reason: number, task?: string): number {
  const r = ran.records;
  let count = 0;
  for (let i = 0; i < r.count; i++)
    if (r.kind[i] === kind && r.reason[i] === reason && (task === undefined || nameAt(ran, i) === task)) count++;
  return count;
}

function nameAt(ran: Ran, row: number): string {
  const task = ran.records.task[row]!;
  return task < 0 ? '-' : ran.sim.tasks[task]!.name;
}
