import { expect, test } from 'vitest';
import type { TaskInfo } from '../trace/meta.ts';
import { threadSlots } from './slots.ts';

const tasks = (...names: string[]): TaskInfo[] =>
  names.map((name, i) => ({ name, tid: i, policy: 'other', rtPrio: 0, nice: 0, allowedCpus: [0] }));

test('threads of a scenario take slots in list order and begin again after the twelfth', () => {
  const names = Array.from({ length: 13 }, (_, i) => `t${i}`);
  expect(threadSlots(tasks(...names))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]);
});

test('threads of a recorded trace keep their colour whatever else is in it before the slot is taken', () => {
  const [alone] = threadSlots(tasks('Xorg'), 'name');
  const [again] = threadSlots(tasks('Xorg', 'bash', 'kworker/0:1'), 'name');
  expect(again).toBe(alone);
});

test('twelve threads of a recorded trace have twelve colours', () => {
  const names = Array.from({ length: 12 }, (_, i) => `kworker/${i}`);
  expect(new Set(threadSlots(tasks(...names), 'name')).size).toBe(12);
});
