// What other lanes show at the instant of a question.

import type { Ns } from '../base/units.ts';
import { NONE } from '../trace/ids.ts';
import { segmentOf, stateAt } from '../trace/query.ts';
import { SegKind, type Segment } from '../trace/segments.ts';
import { stretchOf } from './stretch.ts';
import type { Ask } from './why_types.ts';

export function runsOn(ask: Ask, cpu: number, atNs: Ns): Segment | undefined {
  const lane = ask.trace.laneOf.cpu[cpu];
  return lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
}

/** Threads that are runnable at `atNs` and may use `cpu`, first come first. O(threads log rows). */
export function waitingFor(
  ask: Ask,
  cpu: number,
  atNs: Ns,
): readonly { readonly task: number; readonly state: Segment }[] {
  const found: { task: number; state: Segment }[] = [];
  ask.trace.tasks.forEach((info, task) => {
    const lane = ask.trace.laneOf.thread[task];
    const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
    if (state?.kind === SegKind.runnable && info.allowedCpus.includes(cpu)) found.push({ task, state });
  });
  return found.sort((a, b) => a.state.startNs - b.state.startNs || a.task - b.task);
}

/** The lock that a thread waits for at the segment, from the wait lanes; NONE where it waits for none. */
export function spunLock(ask: Ask, task: number): number {
  const { trace, segment } = ask;
  for (let lock = 0; lock < trace.waitLanes.length; lock++) {
    if (waitState(ask, task, lock, segment.startNs) !== undefined) return lock;
  }
  return NONE;
}

export function waitBegin(ask: Ask, task: number, lock: number): Ns {
  const state = waitState(ask, task, lock, ask.segment.startNs);
  return state === undefined ? ask.segment.startNs : stretchOf(ask.trace, state).first.startNs;
}

export function waitState(ask: Ask, task: number, lock: number, atNs: Ns): Segment | undefined {
  const lane = ask.trace.waitLanes[lock]?.find((id) => ask.trace.lanes[id]?.task === task);
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
  return state !== undefined && state.who !== NONE ? state : undefined;
}

export function heldSince(ask: Ask, lock: number, atNs: Ns): Ns {
  const lane = ask.trace.laneOf.lock[lock];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
  if (state === undefined) return atNs;
  let first = state;
  for (let row = state.row - 1; row >= 0; row--) {
    const earlier = segmentOf(ask.trace, state.lane, row);
    if (earlier === undefined || earlier.kind !== SegKind.held || earlier.who !== state.who) break;
    first = earlier;
  }
  return first.startNs;
}

export function releaseAfter(ask: Ask, lock: number, atNs: Ns): Ns | undefined {
  const lane = ask.trace.laneOf.lock[lock];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
  if (state === undefined) return undefined;
  for (let row = state.row + 1; ; row++) {
    const later = segmentOf(ask.trace, state.lane, row);
    if (later === undefined) return undefined;
    if (later.kind !== SegKind.held || later.who !== state.who) return later.startNs;
  }
}
