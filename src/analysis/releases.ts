// Releases of a thread with a `period` step, by arithmetic: release k is at start + k * period. A release counts as
// met when the thread was asleep for it (or it is the start itself), else the thread was late and skipped it.

import type { Ns } from '../base/units.ts';
import type { Step, ThreadSpec } from '../scenario/scenario.ts';
import { NONE } from '../trace/ids.ts';
import type { ThreadTrack } from './thread_track.ts';
import type { Window } from './window.ts';

export interface Releases {
  readonly releases: number;
  readonly missed: number;
}

/**
 * Releases inside the window and those of them that were skipped.
 * With several `period` steps of different length the first one counts.
 *
 * @param endNs end of the run; a thread's releases end with it
 * @returns undefined where the program has no `period` step
 * O(sleeps of period steps).
 */
export function releasesOf(
  spec: ThreadSpec | undefined,
  track: ThreadTrack,
  window: Window,
  endNs: Ns,
): Releases | undefined {
  const periodNs = spec === undefined ? undefined : firstPeriodNs(spec.program);
  if (periodNs === undefined) return undefined;
  if (track.firstAliveNs === NONE) return { releases: 0, missed: 0 };
  const startNs = typeof spec!.start === 'number' ? spec!.start : track.firstAliveNs;
  const aliveUntilNs = Math.min(track.finishedNs ?? Infinity, endNs);
  const lastNs = lastsToTheEnd(spec!.program) ? aliveUntilNs : lastReleaseNs(track, startNs, periodNs, aliveUntilNs);
  const untilNs = Math.min(window.toNs, lastNs);
  const releases =
    countBefore(startNs, periodNs, untilNs) - countBefore(startNs, periodNs, Math.min(window.fromNs, untilNs));
  const startCounts = startNs >= window.fromNs && startNs < untilNs ? 1 : 0;
  return {
    releases,
    missed: Math.max(0, releases - startCounts - metIn(track, startNs, periodNs, window.fromNs, untilNs)),
  };
}

/**
 * Skipped releases or, where the program has `deadlineAt` and there are more of them, jobs that ended too late inside the window.
 *
 * @returns undefined where the program has neither `period` nor `deadlineAt`
 */
export function missedOf(
  spec: ThreadSpec | undefined,
  track: ThreadTrack,
  window: Window,
  endNs: Ns,
): number | undefined {
  const skipped = releasesOf(spec, track, window, endNs)?.missed;
  if (spec === undefined || !hasDeadline(spec.program)) return skipped;
  // A job that outlasts the next release is both late and the reason for a skipped one: it counts once.
  return Math.max(skipped ?? 0, track.deadlineMisses);
}

function hasDeadline(program: readonly Step[]): boolean {
  return program.some((step) => step.op === 'deadlineAt' || innerPrograms(step).some(hasDeadline));
}

/** Releases k >= 0 with start + k * period < untilNs. */
function countBefore(startNs: Ns, periodNs: Ns, untilNs: Ns): number {
  return untilNs <= startNs ? 0 : Math.ceil((untilNs - startNs) / periodNs);
}

/** Releases in [fromNs, untilNs) for which the thread slept. */
function metIn(track: ThreadTrack, startNs: Ns, periodNs: Ns, fromNs: Ns, untilNs: Ns): number {
  let met = 0;
  const sleeps = track.periodSleepsNs;
  for (let i = 0; i < sleeps.count; i++) {
    const releaseNs = releaseAfter(startNs, periodNs, sleeps.valuesNs[i]!);
    if (releaseNs >= fromNs && releaseNs < untilNs) met++;
  }
  return met;
}

/** A program that leaves its loop for other work has no releases after the last one that it slept for. */
function lastReleaseNs(track: ThreadTrack, startNs: Ns, periodNs: Ns, aliveUntilNs: Ns): Ns {
  const sleeps = track.periodSleepsNs;
  if (sleeps.count === 0) return Math.min(startNs + 1, aliveUntilNs);
  return Math.min(releaseAfter(startNs, periodNs, sleeps.valuesNs[sleeps.count - 1]!) + 1, aliveUntilNs);
}

function releaseAfter(startNs: Ns, periodNs: Ns, atNs: Ns): Ns {
  return startNs + Math.ceil((atNs - startNs) / periodNs) * periodNs;
}

function firstPeriodNs(program: readonly Step[]): Ns | undefined {
  for (const step of program) {
    const found = step.op === 'period' ? step.everyNs : firstIn(step);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstIn(step: Step): Ns | undefined {
  for (const inner of innerPrograms(step)) {
    const found = firstPeriodNs(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function innerPrograms(step: Step): readonly (readonly Step[])[] {
  if (step.op === 'repeat' || step.op === 'deadlineAt') return [step.do];
  if (step.op === 'lock') return step.else === undefined ? [] : [step.else];
  if (step.op === 'tryLock') return [step.then, step.else];
  return [];
}

/** Whether the releases go on for as long as the thread lives: its periodic loop has no end, or is the last thing that it does. */
function lastsToTheEnd(program: readonly Step[]): boolean {
  const last = program.at(-1);
  return loopsForEver(program) || (last?.op === 'repeat' && firstPeriodNs(last.do) !== undefined);
}

/** Whether the first `period` step stands in a loop without an end. */
function loopsForEver(program: readonly Step[]): boolean {
  return program.some(
    (step) =>
      step.op === 'repeat' &&
      firstPeriodNs(step.do) !== undefined &&
      (step.times === 'forever' || loopsForEver(step.do)),
  );
}
