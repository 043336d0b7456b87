// The measures of the scenario format's claims, read off the numbers of one window.

import type { Measure } from '../scenario/scenario.ts';
import { SegKind } from '../trace/segments.ts';
import { VERDICT_KINDS, type Verdict } from '../trace/verdicts.ts';
import { nearestRank, type Samples, sortedValues } from './distribution.ts';
import type { LockTrack } from './lock_track.ts';
import { type Numbers, windowLengthNs } from './numbers.ts';
import { missedOf } from './releases.ts';
import { type RunTables, specOf } from './run_tables.ts';
import type { ThreadTrack } from './thread_track.ts';

/**
 * Value of a measure: times in ns, shares as ratios, else counts or kernel numbers.
 *
 * @param numbers closed numbers of the claim's window
 * @returns undefined where there is no value: an unknown thread or lock, nothing to measure, no such instant
 * O(threads) for `name/*`, else O(1) up to the sorting of a distribution.
 */
export function measureValue(
  measure: Measure,
  numbers: Numbers,
  tables: RunTables,
  verdicts: readonly Verdict[],
): number | undefined {
  const [first = '', second = ''] = measure.args;
  if (measure.name === 'mark') return markTime(first, numbers, tables);
  if (measure.name === 'verdict') return verdictCount(first, numbers, verdicts);
  const values = threadsNamed(first, tables).map((task) => threadValue(measure, task, second, numbers, tables));
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function markTime(text: string, numbers: Numbers, tables: RunTables): number | undefined {
  return numbers.marks.find((mark) => tables.texts[mark.text] === text)?.atNs;
}

/** Verdicts whose stretch touches the window. */
function verdictCount(kind: string, numbers: Numbers, verdicts: readonly Verdict[]): number | undefined {
  if (!(VERDICT_KINDS as readonly string[]).includes(kind)) return undefined;
  const { fromNs, toNs } = numbers.window;
  return verdicts.filter(
    (verdict) => verdict.kind === kind && verdict.fromNs < toNs && (verdict.forever || verdict.toNs >= fromNs),
  ).length;
}

/** Tasks that `name` means: one, or with `base/*` all of a group. */
function threadsNamed(name: string, tables: RunTables): readonly number[] {
  const prefix = name.endsWith('/*') ? name.slice(0, -1) : undefined;
  const found: number[] = [];
  tables.tasks.forEach((task, id) => {
    if (task.name === name || (prefix !== undefined && task.name.startsWith(prefix))) found.push(id);
  });
  return found;
}

function threadValue(
  measure: Measure,
  task: number,
  arg: string,
  numbers: Numbers,
  tables: RunTables,
): number | undefined {
  const track = numbers.threads[task];
  if (track === undefined) return undefined;
  switch (measure.name) {
    case 'share': {
      const lengthNs = windowLengthNs(numbers);
      return lengthNs === 0 ? undefined : cpuTime(track) / lengthNs;
    }
    case 'cpuTime':
      return cpuTime(track);
    case 'finish':
      return finishedIn(numbers, track);
    case 'longestWait':
      return track.longestWaitNs;
    case 'blocked':
      return track.timesNs[SegKind.blocked]!;
    case 'throttled':
      return track.timesNs[SegKind.throttled]!;
    case 'switches':
      return track.switches;
    case 'migrations':
      return track.migrations;
    case 'missed':
      return missedOf(specOf(tables, task), track, numbers.window, numbers.endNs);
    case 'stint':
      return sampleValue(track.stint, arg);
    case 'wakeupLatency':
      return sampleValue(track.wakeupLatency, arg);
    case 'sleepTime':
      return sampleValue(track.sleepTime, arg);
    case 'effectivePriority':
      return priorityAt(track, measure.atNs)?.[1];
    case 'weight':
      return priorityAt(track, measure.atNs)?.[2];
    default:
      return lockValue(
        measure.name,
        task,
        tables.locks.findIndex((lock) => lock.name === arg),
        numbers,
      );
  }
}

function lockValue(name: string, task: number, lock: number, numbers: Numbers): number | undefined {
  const track = numbers.locks[lock];
  if (track === undefined) return undefined;
  switch (name) {
    case 'acquisitions':
      return track.acquisitions.get(task) ?? 0;
    case 'lockWait':
      return track.waitNsByTask.get(task) ?? 0;
    case 'iterations':
      return callSum(track, task, (call) => call.iterations);
    case 'execShare': {
      const wallNs = callSum(track, task, (call) => call.wallNs);
      return wallNs === 0 ? undefined : callSum(track, task, (call) => call.execNs) / wallNs;
    }
    default:
      return undefined;
  }
}

function callSum(track: LockTrack, task: number, of: (call: LockTrack['calls'][number]) => number): number {
  return track.calls.reduce((sum, call) => (call.task === task ? sum + of(call) : sum), 0);
}

function cpuTime(track: ThreadTrack): number {
  return track.timesNs[SegKind.run]! + track.timesNs[SegKind.spin]!;
}

function finishedIn(numbers: Numbers, track: ThreadTrack): number | undefined {
  const atNs = track.finishedNs;
  return atNs !== undefined && atNs >= numbers.window.fromNs && atNs < numbers.window.toNs ? atNs : undefined;
}

/** `p50`, `p99.9`, `min`, `max` or `n` of a distribution. */
function sampleValue(samples: Samples, arg: string): number | undefined {
  if (arg === 'n') return samples.count;
  if (samples.count === 0) return undefined;
  const sorted = sortedValues(samples);
  if (arg === 'min') return sorted[0];
  if (arg === 'max') return sorted[sorted.length - 1];
  const percent = /^p(\d{1,3}(?:\.\d+)?)$/.exec(arg)?.[1];
  return percent === undefined || Number(percent) > 100 ? undefined : nearestRank(sorted, Number(percent));
}

function priorityAt(track: ThreadTrack, atNs: number | undefined): readonly [number, number, number] | undefined {
  return track.priority.findLast((step) => step[0] <= (atNs ?? Infinity));
}
