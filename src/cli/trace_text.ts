// Records as the lines that `trace-cmd report` prints (checked with version 3.1.6; fact sheet, 13.4): its plugins'
// form for switches and wake-ups, the kernel's own print format for the rest.

import type { Window } from '../analysis/window.ts';
import { isInside } from '../analysis/window.ts';
import type { Ns } from '../base/units.ts';
import type { Simulation } from '../sim/api.ts';
import { NONE } from '../trace/ids.ts';
import type { TaskInfo } from '../trace/meta.ts';
import { normalPrioOf } from '../trace/prio.ts';
import { WakeReason } from '../trace/reasons.ts';
import { PrevState, type RecordColumns, RecordKind } from '../trace/records.ts';
import { harmless } from './problems_text.ts';

/** What must be remembered between records: who runs where, with which prio, and how it was woken. */
export interface TraceWriter {
  readonly window: Window;
  readonly curr: number[];
  readonly prio: number[];
  /** By task, since its last waking: undefined for an ordinary one. */
  readonly fork: ('waking' | 'woken' | undefined)[];
}

export function createTraceWriter(window: Window, cpus: number): TraceWriter {
  return { window, curr: Array<number>(cpus).fill(NONE), prio: [], fork: [] };
}

/** First line of a report. */
export function traceHeader(cpus: number): string {
  return `cpus=${cpus}\n`;
}

/** Lines of the records that trace-cmd would know, each with its line break. Feed records in order. */
export function traceLines(
  writer: TraceWriter,
  records: RecordColumns,
  sim: Pick<Simulation, 'tasks' | 'texts'>,
): string {
  let text = '';
  for (let row = 0; row < records.count; row++) {
    const event = eventOf(writer, records, row, sim);
    if (event !== undefined && isInside(writer.window, records.tsNs[row]!))
      text += lineOf(writer, records, row, sim.tasks, event);
    remember(writer, records, row);
  }
  return text;
}

function lineOf(
  writer: TraceWriter,
  records: RecordColumns,
  row: number,
  tasks: readonly TaskInfo[],
  event: readonly [string, string],
): string {
  const cpu = Math.max(0, records.cpu[row]!);
  const curr = writer.curr[cpu] ?? NONE;
  const comm = curr === NONE ? '<idle>' : commOf(tasks, curr);
  const pid = curr === NONE ? 0 : tasks[curr]!.tid;
  const who = `${comm.padStart(16)}-${String(pid).padEnd(5)}`;
  return `${who} [${String(cpu).padStart(3, '0')}] ${timeText(records.tsNs[row]!)}: ${`${event[0]}:`.padEnd(21)} ${event[1]}\n`;
}

/** Seconds right-aligned to 5, microseconds to the nearest, as trace-cmd rounds. */
export function timeText(atNs: Ns): string {
  const us = Math.round(atNs / 1000);
  const seconds = Math.floor(us / 1_000_000);
  return `${String(seconds).padStart(5)}.${String(us - seconds * 1_000_000).padStart(6, '0')}`;
}

function remember(writer: TraceWriter, records: RecordColumns, row: number): void {
  const task = records.task[row]!;
  switch (records.kind[row]!) {
    case RecordKind.schedSwitch:
      writer.curr[records.cpu[row]!] = task;
      return;
    case RecordKind.taskAttrs:
      writer.prio[task] = records.a[row]!;
      return;
    case RecordKind.schedPiSetprio:
      writer.prio[task] = records.b[row]!;
      return;
    case RecordKind.schedWaking:
      writer.fork[task] = records.reason[row] === WakeReason.fork ? 'waking' : undefined;
      return;
    case RecordKind.schedWakeup:
      if (writer.fork[task] === 'waking') writer.fork[task] = 'woken';
      return;
    default:
      return;
  }
}

/** Event name and text; undefined for records that the kernel has no event for. */
function eventOf(
  writer: TraceWriter,
  records: RecordColumns,
  row: number,
  { tasks, texts }: Pick<Simulation, 'tasks' | 'texts'>,
): readonly [string, string] | undefined {
  const task = records.task[row]!;
  const a = records.a[row]!;
  const b = records.b[row]!;
  const cpu = records.cpu[row]!;
  switch (records.kind[row]!) {
    case RecordKind.schedSwitch: {
      const prev = a === NONE ? `swapper/${cpu}:0 [120]` : plugged(writer, tasks, a);
      const next = task === NONE ? `swapper/${cpu}:0 [120]` : plugged(writer, tasks, task);
      return ['sched_switch', `${prev} ${stateLetter(a === NONE ? PrevState.runnable : b)} ==> ${next}`];
    }
    case RecordKind.schedWaking:
      if (records.reason[row] === WakeReason.fork && a !== NONE) {
        return [
          'sched_process_fork',
          `comm=${commOf(tasks, a)} pid=${tasks[a]!.tid} child_comm=${commOf(tasks, task)} child_pid=${tasks[task]!.tid}`,
        ];
      }
      return ['sched_waking', `${raw(writer, tasks, task)} target_cpu=${String(Math.max(0, b)).padStart(3, '0')}`];
    case RecordKind.schedWakeup:
      return [
        writer.fork[task] === 'waking' ? 'sched_wakeup_new' : 'sched_wakeup',
        `${plugged(writer, tasks, task)} CPU:${String(cpu).padStart(3, '0')}`,
      ];
    case RecordKind.schedMigrateTask:
      // The kernel places a new task without this event.
      if (writer.fork[task] === 'waking') return undefined;
      return ['sched_migrate_task', `${raw(writer, tasks, task)} orig_cpu=${a} dest_cpu=${b}`];
    case RecordKind.schedPiSetprio:
      return ['sched_pi_setprio', `comm=${commOf(tasks, task)} pid=${tasks[task]!.tid} oldprio=${a} newprio=${b}`];
    case RecordKind.taskExit:
      return ['sched_process_exit', raw(writer, tasks, task)];
    case RecordKind.mark:
      return ['print', `tracing_mark_write: ${oneLine(texts[a] ?? '')}`];
    default:
      return undefined;
  }
}

/** `comm:pid [prio]`, as the plugins print it. */
function plugged(writer: TraceWriter, tasks: readonly TaskInfo[], task: number): string {
  return `${commOf(tasks, task)}:${tasks[task]!.tid} [${prioOf(writer, tasks, task)}]`;
}

/** `comm=… pid=… prio=…`, as the kernel prints it. */
function raw(writer: TraceWriter, tasks: readonly TaskInfo[], task: number): string {
  return `comm=${commOf(tasks, task)} pid=${tasks[task]!.tid} prio=${prioOf(writer, tasks, task)}`;
}

function prioOf(writer: TraceWriter, tasks: readonly TaskInfo[], task: number): number {
  return writer.prio[task] ?? normalPrioOf(tasks[task]!);
}

function commOf(tasks: readonly TaskInfo[], task: number): string {
  return oneLine(tasks[task]?.name ?? '<...>');
}

/** Names and marks come from documents: none may break a line or steer the terminal. */
function oneLine(text: string): string {
  return harmless(text.replace(/[\r\n]+/g, ' '));
}

/** trace-cmd prints an exiting task's last switch as Z. A task that waits for a futex sleeps, a throttled one is runnable. */
function stateLetter(prevState: number): string {
  if (prevState === PrevState.runnable || prevState === PrevState.throttled) return 'R';
  if ((prevState & PrevState.exiting) !== 0) return 'Z';
  return (prevState & PrevState.uninterruptible) !== 0 ? 'D' : 'S';
}
