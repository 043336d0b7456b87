// Records in words: names as ftrace spells them, operands as `key=value`.

import { formatNs } from '../../base/format.ts';
import { NONE } from '../../trace/ids.ts';
import { DecisionRule } from '../../trace/reasons.ts';
import { PrevState, RecordKind } from '../../trace/records.ts';
import type { TraceStore } from '../../trace/trace_store.ts';

const NAMES: Readonly<Record<string, string>> = {
  schedSwitch: 'sched_switch',
  schedWaking: 'sched_waking',
  schedWakeup: 'sched_wakeup',
  schedMigrateTask: 'sched_migrate_task',
  schedPiSetprio: 'sched_pi_setprio',
  lockWait: 'contention_begin',
  lockAcquire: 'contention_end',
  taskNew: 'sched_process_fork',
  taskExit: 'sched_process_exit',
  irq: 'irq_handler_entry',
};

const KEY_BY_KIND = new Map<number, string>(Object.entries(RecordKind).map(([key, kind]) => [kind, key]));

/** ftrace's name where it has one, else ours: `sim_spin_count`. */
export function eventName(kind: number): string {
  const key = KEY_BY_KIND.get(kind) ?? 'unknown';
  return NAMES[key] ?? `sim_${key.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)}`;
}

/** Operands of the record; '' where its name says all. */
export function eventDetails(trace: TraceStore, row: number): string {
  const a = trace.records.a[row] ?? NONE;
  const b = trace.records.b[row] ?? NONE;
  const c = trace.records.c[row] ?? NONE;
  switch (trace.records.kind[row]) {
    case RecordKind.schedSwitch:
      return `prev=${taskName(trace, a, 'idle')} prev_state=${stateLetter(b)}`;
    case RecordKind.schedWaking:
      return `waker=${taskName(trace, a, 'interrupt')}`;
    case RecordKind.schedMigrateTask:
      return `orig_cpu=${a} dest_cpu=${b}`;
    case RecordKind.schedPiSetprio:
      return `oldprio=${a} newprio=${b}${c === NONE ? '' : ` donor=${taskName(trace, c, '')}`}`;
    case RecordKind.taskAttrs:
      return `prio=${a} weight=${b}`;
    case RecordKind.lockWait:
      return `lock=${lockName(trace, a)} holder=${taskName(trace, c, 'none')}`;
    case RecordKind.lockAcquire:
    case RecordKind.lockRelease:
    case RecordKind.lockAbort:
      return `lock=${lockName(trace, a)}`;
    case RecordKind.spinCount:
      return `lock=${lockName(trace, a)} attempts=${b}`;
    case RecordKind.mark:
      return trace.texts[a] ?? '';
    case RecordKind.finding:
      return trace.texts[b] ?? '';
    case RecordKind.rtThrottle:
      return a === 1 ? 'throttled' : 'unthrottled';
    case RecordKind.groupThrottle:
      return `group=${trace.meta.groups?.[a] ?? a} ${b === 1 ? 'throttled' : 'unthrottled'}`;
    case RecordKind.fairServer:
      return SERVER_STATES[a] ?? '';
    case RecordKind.decision:
      return `rule=${ruleName(trace.records.reason[row] ?? 0)} against=${taskName(trace, a, 'none')} answer=${b === 1 ? 'yes' : 'no'}`;
    case RecordKind.softirq:
      return a === 1 ? 'begins' : 'ends';
    case RecordKind.release:
      return `release=${a}${b > 0 ? ` skipped=${b}` : ''}`;
    case RecordKind.deadlineEnd:
      return a === 1 ? 'in time' : `late by ${formatNs(b)}`;
    default:
      return '';
  }
}

const SERVER_STATES: readonly string[] = ['ends', 'begins', 'armed'];

const RULE_NAMES = new Map<number, string>(Object.entries(DecisionRule).map(([name, code]) => [code, name]));

function ruleName(code: number): string {
  return RULE_NAMES.get(code) ?? String(code);
}

function taskName(trace: TraceStore, task: number, nobody: string): string {
  return task === NONE ? nobody : (trace.tasks[task]?.name ?? String(task));
}

function lockName(trace: TraceStore, lock: number): string {
  return trace.meta.locks[lock]?.name ?? String(lock);
}

/** As trace-cmd prints it. */
function stateLetter(state: number): string {
  switch (state) {
    case PrevState.runnable:
    case PrevState.throttled:
      return 'R';
    case PrevState.uninterruptible:
      return 'D';
    case PrevState.exiting:
      return 'X';
    default:
      return 'S';
  }
}
