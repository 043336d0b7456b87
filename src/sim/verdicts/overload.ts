// overload: threads with deadlines or periods that came too late.

import type { Fact } from '../../trace/verdicts.ts';
import type { Machine } from '../machine.ts';
import type { SeenMiss } from './state.ts';

function missOf(m: Machine, task: number): SeenMiss {
  const { misses } = m.tracker;
  let miss = misses.find((one) => one.task === task);
  if (miss === undefined) {
    miss = { task, fromNs: m.nowNs, toNs: m.nowNs, times: 0, worstNs: 0 };
    misses.push(miss);
  }
  miss.times++;
  miss.toNs = m.nowNs;
  return miss;
}

/** The steps of a `deadlineAt` ended `lateNs` too late. */
export function noteLate(m: Machine, task: number, lateNs: number): void {
  const miss = missOf(m, task);
  miss.worstNs = Math.max(miss.worstNs, lateNs);
}

/** `task` asked for a release that was past already. */
export function noteMissedRelease(m: Machine, task: number): void {
  const miss = missOf(m, task);
  miss.worstNs = Math.max(miss.worstNs, m.nowNs - m.tasks[task]!.releaseNs);
}

/** The end of the run: one finding for all who were late. */
export function endOverload(m: Machine): void {
  const { misses } = m.tracker;
  if (misses.length === 0) return;
  const facts = misses.map(
    ({ task, times, worstNs }): Fact => ({ fact: 'missed', task, times, worstNs: Math.round(worstNs) }),
  );
  m.tracker.done.push({
    kind: 'overload',
    fromNs: Math.min(...misses.map((one) => one.fromNs)),
    toNs: Math.max(...misses.map((one) => one.toNs)),
    forever: false,
    ended: true,
    tasks: misses.map((one) => one.task),
    locks: [],
    facts,
  });
}
