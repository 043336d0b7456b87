// The state of a machine as text: a table for each CPU's queues, the locks that somebody has or wants, the timers.

import { formatNs } from '../base/format.ts';
import { plain } from '../explain/parts.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { CpuState, FairQueueState, MachineState } from '../sim/api.ts';
import type { TaskInfo } from '../trace/meta.ts';
import { tableText } from './text_table.ts';

export interface StateNames {
  readonly tasks: readonly TaskInfo[];
  readonly scenario: Scenario;
}

function threadName(names: StateNames, task: number): string {
  return task < 0 ? 'nobody' : (names.tasks[task]?.name ?? `thread ${task}`);
}

/** Lines for people, ending with a line break. */
export function stateText(state: MachineState, names: StateNames): string {
  const parts = [
    `State at ${plain(formatNs(state.nowNs))}, after all events of that instant\n`,
    ...state.cpus.map((cpu) => cpuText(cpu, names)),
    locksText(state, names),
    timersText(state, names),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function cpuText(cpu: CpuState, names: StateNames): string {
  const lines = [
    `CPU ${cpu.cpu} ${cpu.current < 0 ? 'is idle' : `runs ${threadName(names, cpu.current)}`}${cpu.isRtThrottled ? ', real-time throttled' : ''}`,
  ];
  for (const { task, prio } of cpu.rt) lines.push(`  real-time  ${threadName(names, task)}  prio ${prio}`);
  for (const queue of cpu.fair) if (queue.entities.length > 0) lines.push(queueText(queue, names));
  return `${lines.join('\n')}\n`;
}

function queueText(queue: FairQueueState, names: StateNames): string {
  const group = queue.group < 0 ? '' : ` of group ${names.scenario.groups[queue.group]?.name ?? queue.group}`;
  const v = queue.v === undefined ? `min_vruntime ${queue.minVruntime}` : `V ${queue.v}`;
  const quota = queue.quotaLeftNs === undefined ? '' : `, quota left ${queue.quotaLeftNs} ns`;
  const head = `  fair queue${group}: ${v}, load ${queue.load}${quota}${queue.isThrottled ? ', throttled' : ''}`;
  const isEevdf = queue.v !== undefined;
  const titles = ['', 'weight', 'vruntime', ...(isEevdf ? ['deadline', 'lag', 'slice', 'eligible'] : [])];
  const rows = queue.entities.map((e) => [
    `    ${e.isCurrent ? '>' : ' '} ${e.task >= 0 ? threadName(names, e.task) : `group ${names.scenario.groups[e.group]?.name ?? e.group}`}${e.isDelayed ? ' (delayed)' : ''}`,
    String(e.weight),
    String(e.vruntime),
    ...(isEevdf ? [String(e.deadline), String(e.lag), String(e.sliceNs), e.eligible === true ? 'yes' : 'no'] : []),
  ]);
  return `${head}\n${tableText(titles, rows, isEevdf ? 'lrrrrrl' : 'lrr').trimEnd()}`;
}

function locksText(state: MachineState, names: StateNames): string {
  const used = state.locks.filter((lock) => lock.holder >= 0 || lock.waiters.length > 0 || lock.spinners.length > 0);
  if (used.length === 0) return '';
  const list = (tasks: readonly number[]) => tasks.map((task) => threadName(names, task)).join(', ');
  const lines = used.map((lock) => {
    const waits = lock.waiters.length === 0 ? '' : `; asleep for it: ${list(lock.waiters)}`;
    const spins = lock.spinners.length === 0 ? '' : `; spinning: ${list(lock.spinners)}`;
    const holder = lock.holder < 0 ? 'free' : `held by ${threadName(names, lock.holder)}`;
    return `  ${names.scenario.locks[lock.lock]!.name}: ${holder}${waits}${spins}`;
  });
  return `Locks\n${lines.join('\n')}\n`;
}

function timersText(state: MachineState, names: StateNames): string {
  if (state.timers.length === 0) return '';
  const lines = state.timers.map((timer) => {
    const soft = plain(formatNs(timer.softNs));
    const upTo = timer.hardNs > timer.softNs ? `, at the latest ${plain(formatNs(timer.hardNs))}` : '';
    return `  ${threadName(names, timer.task)}: ${soft}${upTo}, on CPU ${timer.cpu}`;
  });
  return `Timers\n${lines.join('\n')}\n`;
}
