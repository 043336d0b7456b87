// Everything that is counted over one window of a run, fed record by record. Several windows are several
// `Numbers` fed with the same records. build_result.ts turns one into a result, measure.ts into claims' values.

import type { Ns } from '../base/units.ts';
import type { Costs, Scenario } from '../scenario/scenario.ts';
import { NONE } from '../trace/ids.ts';
import type { TraceMeta } from '../trace/meta.ts';
import { type RecordColumns, RecordKind } from '../trace/records.ts';
import type { SegKind } from '../trace/segments.ts';
import { type CpuTrack, closeCpuTrack, createCpuTrack, onCpuSwitch, onSoftirq } from './cpu_track.ts';
import { irqSourcesByCpu } from './irq_time.ts';
import {
  closeWait,
  continueWait,
  createLockTrack,
  type LockTrack,
  noteAcquire,
  noteCount,
  noteRelease,
  type OpenWait,
  openWait,
} from './lock_track.ts';
import {
  closeTrack,
  createThreadTrack,
  onExit,
  onPriority,
  onSpinState,
  onSwitchedIn,
  onSwitchedOut,
  onTaskState,
  onWakeup,
  onWaking,
  ownTimeAt,
  type ThreadTrack,
} from './thread_track.ts';
import { isInside, WHOLE_RUN, type Window } from './window.ts';

/** A mark or finding: `text` indexes the run's texts. */
export interface TextAt {
  readonly atNs: Ns;
  readonly task: number;
  readonly text: number;
}

export interface Numbers {
  readonly window: Window;
  /** Ascending, the first from 0; interventions may change costs. */
  readonly costs: readonly CostsFrom[];
  readonly cpus: readonly CpuTrack[];
  /** By task; grows with forks. */
  readonly threads: ThreadTrack[];
  /** By lock. */
  readonly locks: readonly LockTrack[];
  /** Open waits by task. */
  readonly waits: Map<number, OpenWait>;
  readonly marks: TextAt[];
  readonly findings: TextAt[];
  /** End of the stretch that was counted; known after `closeNumbers`. */
  endNs: Ns;
}

/** The machine's costs from an instant on. */
export interface CostsFrom {
  readonly fromNs: Ns;
  readonly costs: Costs;
}

/** Costs over a run of `scenario`, ascending. */
export function costsOf(scenario: Pick<Scenario, 'machine' | 'interventions'>): readonly CostsFrom[] {
  const later = scenario.interventions.map(({ atNs, after }) => ({ fromNs: atNs, costs: after.machine.costs }));
  return [{ fromNs: 0, costs: scenario.machine.costs }, ...later];
}

/** Empty numbers. `window` undefined: the whole run, the records of its last instant included. */
export function createNumbers(meta: TraceMeta, costs: readonly CostsFrom[], window?: readonly [Ns, Ns]): Numbers {
  return {
    costs,
    window: window === undefined ? WHOLE_RUN : { fromNs: window[0], toNs: window[1] },
    cpus: irqSourcesByCpu(meta.irqSources, meta.cpus).map(createCpuTrack),
    threads: meta.tasks.map(createThreadTrack),
    locks: meta.locks.map(createLockTrack),
    waits: new Map(),
    marks: [],
    findings: [],
    endNs: 0,
  };
}

/** Counts the rows of `records`. May be called with any split of the stream into pieces. O(rows). */
export function addToNumbers(numbers: Numbers, records: RecordColumns): void {
  for (let row = 0; row < records.count; row++) addRow(numbers, records, row);
}

/** Ends everything that is open at `endNs`, the end of the run, with a track for each of `taskCount` tasks. Call once, after the last record. */
export function closeNumbers(numbers: Numbers, endNs: Ns, taskCount: number): void {
  if (taskCount > 0) threadOf(numbers, taskCount - 1);
  for (const wait of numbers.waits.values()) endWait(numbers, wait, endNs, wait.aborted === undefined);
  numbers.waits.clear();
  for (const track of numbers.threads) closeTrack(track, numbers.window, endNs);
  for (const track of numbers.cpus) closeCpuTrack(track, numbers.window, endNs);
  numbers.endNs = endNs;
}

/** Length of the window as far as the run went, in ns. */
export function windowLengthNs(numbers: Numbers): Ns {
  return Math.max(0, Math.min(numbers.window.toNs, numbers.endNs) - numbers.window.fromNs);
}

function addRow(numbers: Numbers, records: RecordColumns, row: number): void {
  const atNs = records.tsNs[row]!;
  const task = records.task[row]!;
  const a = records.a[row]!;
  const b = records.b[row]!;
  const { window } = numbers;
  switch (records.kind[row]!) {
    case RecordKind.schedSwitch: {
      if (a === task) return;
      const cpuId = records.cpu[row]!;
      const cpu = numbers.cpus[cpuId];
      if (cpu !== undefined) onCpuSwitch(cpu, window, task, atNs);
      if (a !== NONE) onSwitchedOut(threadOf(numbers, a), window, b, atNs);
      if (task !== NONE) {
        onSwitchedIn(threadOf(numbers, task), window, cpuId, cpu?.irqSources ?? [], costsAt(numbers, atNs), atNs);
      }
      return;
    }
    case RecordKind.schedWaking:
      onWaking(threadOf(numbers, task), window, atNs);
      return;
    case RecordKind.schedWakeup:
      onWakeup(threadOf(numbers, task), window, atNs);
      return;
    case RecordKind.schedMigrateTask:
      if (isInside(window, atNs)) threadOf(numbers, task).migrations++;
      return;
    case RecordKind.schedPiSetprio: {
      const track = threadOf(numbers, task);
      onPriority(track, b, track.priority.at(-1)?.[2] ?? 0, atNs);
      return;
    }
    case RecordKind.taskAttrs:
      onPriority(threadOf(numbers, task), a, b, atNs);
      return;
    case RecordKind.taskState:
      onTaskState(threadOf(numbers, task), window, a as SegKind, records.reason[row]!, atNs);
      return;
    case RecordKind.spinState:
      onSpinState(threadOf(numbers, task), window, a === 1, atNs);
      return;
    case RecordKind.taskExit:
      onExit(threadOf(numbers, task), window, atNs);
      return;
    case RecordKind.lockWait:
      beginWait(numbers, a, task, records.c[row]!, atNs);
      return;
    case RecordKind.lockAbort:
      abortWait(numbers, a, task, atNs);
      return;
    case RecordKind.lockAcquire:
      acquire(numbers, a, task, atNs);
      return;
    case RecordKind.lockRelease:
      if (numbers.locks[a] !== undefined) noteRelease(numbers.locks[a], window, task, atNs);
      return;
    case RecordKind.spinCount: {
      const wait = numbers.waits.get(task);
      if (wait?.lock === a) noteCount(wait, window, b, records.reason[row]!, atNs);
      return;
    }
    case RecordKind.mark:
      if (isInside(window, atNs)) numbers.marks.push({ atNs, task, text: a });
      return;
    case RecordKind.deadlineEnd:
      if (a === 0 && isInside(window, atNs)) threadOf(numbers, task).deadlineMisses++;
      return;
    case RecordKind.finding:
      numbers.findings.push({ atNs, task, text: b });
      return;
    case RecordKind.softirq: {
      const cpu = numbers.cpus[records.cpu[row]!];
      if (cpu === undefined) return;
      const tookNs = onSoftirq(cpu, window, a === 1, atNs);
      if (cpu.task !== NONE) threadOf(numbers, cpu.task).softirqNs += tookNs;
      return;
    }
    default:
      // The rest (throttle, server, interrupts) changes no thread's state by itself: taskState records do.
      return;
  }
}

function costsAt(numbers: Numbers, atNs: Ns): Costs {
  const { costs } = numbers;
  // Nearly always one entry, never more than interventions.
  let at = 0;
  while (at + 1 < costs.length && costs[at + 1]!.fromNs <= atNs) at++;
  return costs[at]!.costs;
}

function threadOf(numbers: Numbers, task: number): ThreadTrack {
  while (numbers.threads.length <= task) numbers.threads.push(createThreadTrack());
  return numbers.threads[task]!;
}

function beginWait(numbers: Numbers, lock: number, task: number, holder: number, atNs: Ns): void {
  const before = numbers.waits.get(task);
  if (before !== undefined) {
    if (before.lock === lock && before.aborted?.atNs === atNs) {
      continueWait(before);
      return;
    }
    endWait(numbers, before, atNs, false);
  }
  const execNs = ownTimeAt(threadOf(numbers, task), numbers.window, atNs);
  numbers.waits.set(task, openWait(lock, task, holder, atNs, execNs));
}

function abortWait(numbers: Numbers, lock: number, task: number, atNs: Ns): void {
  const wait = numbers.waits.get(task);
  if (wait?.lock !== lock) return;
  wait.aborted = { atNs, execNs: ownTimeAt(threadOf(numbers, task), numbers.window, atNs) };
}

function acquire(numbers: Numbers, lock: number, task: number, atNs: Ns): void {
  const track = numbers.locks[lock];
  if (track === undefined) return;
  const wait = numbers.waits.get(task);
  const waited = wait !== undefined && wait.lock === lock && wait.aborted === undefined;
  noteAcquire(track, numbers.window, task, atNs, waited ? atNs - wait.startNs : undefined);
  if (wait === undefined) return;
  endWait(numbers, wait, atNs, false);
  numbers.waits.delete(task);
}

function endWait(numbers: Numbers, wait: OpenWait, atNs: Ns, open: boolean): void {
  const track = numbers.locks[wait.lock];
  if (track === undefined) return;
  const endNs = wait.aborted?.atNs ?? atNs;
  const execNs = wait.aborted?.execNs ?? ownTimeAt(threadOf(numbers, wait.task), numbers.window, endNs);
  closeWait(track, numbers.window, wait, endNs, execNs, open);
}
