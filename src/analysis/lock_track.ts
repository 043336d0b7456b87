// One lock's acquisitions, waits, holds and slow-path calls while records go by. build_result.ts feeds it.
// A wait or hold counts in the distributions when it ends inside the window, with its whole length; a slow-path
// call is listed when it touches the window, with the part of it that lies inside.

import type { Ns } from '../base/units.ts';
import { SpinCountAt } from '../trace/records.ts';
import { addSample, createSamples, type Samples } from './distribution.ts';
import { isInside, overlapNs, type Window } from './window.ts';

/** A slow-path call that ended, or was open when the run ended. */
export interface Call {
  readonly task: number;
  /** Who held the lock when the call began; NONE: nobody, or not known. */
  readonly holder: number;
  readonly startNs: Ns;
  readonly wallNs: Ns;
  readonly execNs: Ns;
  readonly iterations: number;
  readonly open: boolean;
}

export interface LockTrack {
  /** By task. */
  readonly acquisitions: Map<number, number>;
  /** Time spent waiting inside the window, ended or not, by task. */
  readonly waitNsByTask: Map<number, Ns>;
  readonly wait: Samples;
  readonly hold: Samples;
  readonly calls: Call[];
  /** Holders (several for a reader-writer lock) and since when. */
  readonly heldSince: Map<number, Ns>;
}

/** A wait that has not ended. A task waits for one lock at a time. */
export interface OpenWait {
  readonly lock: number;
  readonly task: number;
  /** Who held the lock when the wait began. */
  readonly holder: number;
  readonly startNs: Ns;
  /** CPU time of the task inside the window when the wait began. */
  readonly execBaseNs: Ns;
  /** Failed attempts before the window, and up to the last count seen in it. */
  countBase: number;
  countNow: number;
  /** Attempts of earlier ways of waiting in the same call (the lock's kind changed). */
  countBefore: number;
  /** Set when it gave up: it goes on if a wait for the same lock begins at this very instant. */
  aborted: { readonly atNs: Ns; readonly execNs: Ns } | undefined;
}

export function createLockTrack(): LockTrack {
  return {
    acquisitions: new Map(),
    waitNsByTask: new Map(),
    wait: createSamples(),
    hold: createSamples(),
    calls: [],
    heldSince: new Map(),
  };
}

export function openWait(lock: number, task: number, holder: number, startNs: Ns, execBaseNs: Ns): OpenWait {
  return { lock, task, holder, startNs, execBaseNs, countBase: 0, countNow: 0, countBefore: 0, aborted: undefined };
}

/** The lock's kind changed under the waiter: the same call goes on in another way. */
export function continueWait(wait: OpenWait): void {
  wait.countBefore += wait.countNow - wait.countBase;
  wait.countBase = 0;
  wait.countNow = 0;
  wait.aborted = undefined;
}

/** spinCount: a probe at the window's start sets the base; later counts up to its end are taken over. */
export function noteCount(wait: OpenWait, window: Window, count: number, at: number, atNs: Ns): void {
  if (atNs > window.toNs) return;
  wait.countNow = count;
  const beforeWindow = atNs < window.fromNs || (atNs === window.fromNs && at === SpinCountAt.probe);
  if (beforeWindow) wait.countBase = count;
}

/** Ends a call at `endNs`; `execNs` is the CPU time inside the window from the start of the run to there. */
export function closeWait(
  track: LockTrack,
  window: Window,
  wait: OpenWait,
  endNs: Ns,
  execNs: Ns,
  open: boolean,
): void {
  const wallNs = overlapNs(window, wait.startNs, endNs);
  if (wallNs === 0 && !isInside(window, wait.startNs)) return;
  track.waitNsByTask.set(wait.task, (track.waitNsByTask.get(wait.task) ?? 0) + wallNs);
  track.calls.push({
    task: wait.task,
    holder: wait.holder,
    startNs: Math.max(wait.startNs, window.fromNs),
    wallNs,
    execNs: execNs - wait.execBaseNs,
    iterations: wait.countBefore + wait.countNow - wait.countBase,
    open,
  });
}

/** lockAcquire. `waitedNs` undefined: it did not wait. */
export function noteAcquire(track: LockTrack, window: Window, task: number, atNs: Ns, waitedNs: Ns | undefined): void {
  track.heldSince.set(task, atNs);
  if (!isInside(window, atNs)) return;
  track.acquisitions.set(task, (track.acquisitions.get(task) ?? 0) + 1);
  if (waitedNs !== undefined) addSample(track.wait, waitedNs);
}

/** lockRelease. A release by someone who does not hold it is a finding, not a hold. */
export function noteRelease(track: LockTrack, window: Window, task: number, atNs: Ns): void {
  const sinceNs = track.heldSince.get(task);
  track.heldSince.delete(task);
  if (sinceNs !== undefined && isInside(window, atNs)) addSample(track.hold, atNs - sinceNs);
}
