// throttled: ready tasks were held up by a budget: the real-time one of a CPU, a group's quota, a deadline task's own.

import { StopReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import type { SeenThrottle } from './state.ts';

function seenOf(m: Machine, what: SeenThrottle['what'], of: number, cpu: number): SeenThrottle {
  const { throttles } = m.tracker;
  let seen = throttles.find((t) => t.what === what && t.of === of);
  if (seen === undefined) {
    seen = {
      what,
      of,
      cpu,
      fromNs: m.nowNs,
      toNs: m.nowNs,
      open: 0,
      openSinceNs: -1,
      sumNs: 0,
      times: 0,
      tasks: [],
    };
    throttles.push(seen);
  }
  return seen;
}

function change(m: Machine, seen: SeenThrottle, begins: boolean): void {
  if (begins) {
    if (seen.open++ === 0) seen.openSinceNs = m.nowNs;
    seen.times++;
  } else if (seen.open > 0 && --seen.open === 0) {
    seen.sumNs += m.nowNs - seen.openSinceNs;
    seen.toNs = m.nowNs;
  }
}

/** The real-time queue of a CPU is stopped, or let go. */
export function noteRtThrottle(m: Machine, cpu: number, begins: boolean): void {
  const seen = seenOf(m, 'rt', cpu, cpu);
  change(m, seen, begins);
  if (begins) for (const p of m.rqs[cpu]!.rt.queue) addTask(seen, p.id);
}

/** Fair tasks of a group are stopped on a CPU, or let go. */
export function noteGroupThrottle(m: Machine, cpu: number, group: number, begins: boolean): void {
  change(m, seenOf(m, 'quota', group, cpu), begins);
}

/** A task's state was written: is it held up by a budget? */
export function noteHeldUp(m: Machine, task: number, throttled: boolean, reason: number, arg: number): void {
  if (throttled && reason === StopReason.quotaSpent) addTask(seenOf(m, 'quota', arg, m.tasks[task]!.cpu), task);
  if (throttled && (reason === StopReason.dlBudgetSpent || reason === StopReason.dlYielded)) {
    if (reason === StopReason.dlYielded) return;
    const seen = seenOf(m, 'deadline', task, m.tasks[task]!.cpu);
    if (seen.open === 0) change(m, seen, true);
    addTask(seen, task);
    return;
  }
  if (m.tracker.throttles.length === 0) return;
  const own = m.tracker.throttles.find((t) => t.what === 'deadline' && t.of === task && t.open > 0);
  if (own !== undefined) change(m, own, false);
}

function addTask(seen: SeenThrottle, task: number): void {
  if (!seen.tasks.includes(task)) seen.tasks.push(task);
}

/** The end of the run. What held nobody up is no finding. */
export function endThrottles(m: Machine): void {
  for (const seen of m.tracker.throttles) {
    const ended = seen.open === 0;
    const sumNs = seen.sumNs + (ended ? 0 : m.nowNs - seen.openSinceNs);
    if (seen.tasks.length === 0 || sumNs === 0) continue;
    m.tracker.done.push({
      kind: 'throttled',
      fromNs: seen.fromNs,
      toNs: ended ? seen.toNs : m.nowNs,
      forever: false,
      ended,
      tasks: seen.tasks,
      locks: [],
      facts: [
        {
          fact: 'throttledFor',
          what: seen.what,
          group: seen.what === 'quota' ? seen.of : -1,
          cpu: seen.cpu,
          ns: sumNs,
          times: seen.times,
        },
      ],
    });
  }
}
