// livelock: a program makes step after step at one instant; time can't go on.

import type { Machine } from '../machine.ts';
import type { Task } from '../task.ts';

export function noteLivelock(m: Machine, p: Task, steps: number): void {
  m.tracker.done.push({
    kind: 'livelock',
    fromNs: m.nowNs,
    toNs: m.nowNs,
    forever: true,
    ended: false,
    tasks: [p.id],
    locks: p.waitsFor >= 0 ? [p.waitsFor] : [],
    facts: [{ fact: 'stepsAtOneInstant', task: p.id, steps }],
  });
}
