// Marks that the engine makes for locks with `marks`: true.

import type { Machine } from '../machine.ts';
import { recordMark } from '../recorder.ts';
import type { Task } from '../task.ts';

/** The engine's mark for a holder that is put off its CPU against its will. */
export function markPreemptedHolding(m: Machine, p: Task): void {
  for (const id of p.held) {
    const lock = m.locks[id]!;
    if (lock.spec.marks) recordMark(m, p, `is preempted while holding ${lock.spec.name}`);
  }
}
