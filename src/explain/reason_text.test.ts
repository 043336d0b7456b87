import { expect, test } from 'vitest';
import { NONE } from '../trace/ids.ts';
import type { TaskInfo } from '../trace/meta.ts';
import * as reasons from '../trace/reasons.ts';
import { toPlainText } from './parts.ts';
import { reasonClause } from './reason_text.ts';

const TASK: TaskInfo = { name: 'main', tid: 1, policy: 'fifo', rtPrio: 50, nice: 0, allowedCpus: [0] };
const TABLES = { tasks: [TASK, { ...TASK, name: 'low' }], locks: [{ name: 'm', kind: 'pi' }] };

/** Every code of trace/reasons.ts but the two that mean "not said". */
const CODES = Object.values(reasons)
  .flatMap((group) => Object.entries(group as Record<string, number>))
  .filter(([name]) => name !== 'none');

test('every reason has a clause of its own, with operands and without', () => {
  const seen = new Map<string, string>();
  for (const [name, reason] of CODES) {
    const text = toPlainText(reasonClause(TABLES, { reason, arg: 0, arg2: 0 }));
    expect(text, name).not.toBe('');
    expect(text, name).not.toMatch(/undefined|[.!]$|^[A-Z](?!PU)| {2}/);
    expect(seen.get(text), `${name} says the same as another code`).toBeUndefined();
    seen.set(text, name);
    const bare = toPlainText(reasonClause(TABLES, { reason, arg: NONE, arg2: NONE }));
    expect(bare, name).not.toMatch(/undefined|main|before $|held by $|^$/);
  }
  expect(CODES.length).toBeGreaterThan(40);
});

test('names and policies stand where they belong', () => {
  const clause = (reason: number, arg: number, arg2 = NONE) => toPlainText(reasonClause(TABLES, { reason, arg, arg2 }));
  expect(clause(reasons.WaitReason.preemptedByClass, 0)).toBe('preempted by main (FIFO 50)');
  expect(clause(reasons.PickReason.eevdfDeadline, 0)).toBe('picked: earliest eligible deadline, before main');
  expect(clause(reasons.StopReason.lockBlocked, 0, 1)).toBe('waits for m, held by low');
  expect(clause(reasons.WaitReason.moved, 3)).toBe('moved here from CPU 3');
});

test('a trace that does not say gives no clause', () => {
  expect(reasonClause(TABLES, { reason: 0, arg: NONE, arg2: NONE })).toEqual([]);
  expect(reasonClause(TABLES, { reason: 20, arg: NONE, arg2: NONE })).toEqual([]);
  expect(reasonClause(TABLES, { reason: 255, arg: NONE, arg2: NONE })).toEqual([]);
});
