// What every trace must satisfy, read from its records alone.

import { NONE } from '../../trace/ids.ts';
import type { TaskInfo, TraceMeta } from '../../trace/meta.ts';
import { type RecordColumns, RecordKind } from '../../trace/records.ts';

const EXCLUSIVE: readonly string[] = ['futex', 'adaptive', 'pi', 'protect', 'handoff', 'kernel', 'spin'];

/** The first rule that the records break, in words; undefined: none. O(records). */
export function brokenRule(meta: TraceMeta, tasks: readonly TaskInfo[], records: RecordColumns): string | undefined {
  const current = new Array<number>(meta.cpus).fill(NONE);
  const runsOn = new Map<number, number>();
  const owner = new Map<number, number>();
  const dead = new Set<number>();
  let last = 0;
  for (let i = 0; i < records.count; i++) {
    const ts = records.tsNs[i]!;
    const task = records.task[i]!;
    const name = (id: number): string => tasks[id]?.name ?? `task ${id}`;
    if (!Number.isInteger(ts)) return `time is whole ns: ${ts}`;
    if (ts < last) return `time does not go back: ${ts} after ${last}`;
    if (ts > meta.durationNs) return `nothing is after the end: ${ts}`;
    last = ts;
    switch (records.kind[i]) {
      case RecordKind.schedSwitch: {
        const cpu = records.cpu[i]!;
        const before = records.a[i]!;
        if (before !== current[cpu]) return `CPU ${cpu} switches from whom it ran: ${name(before)} at ${ts}`;
        if (before >= 0) runsOn.delete(before);
        current[cpu] = task;
        if (task < 0) break;
        const other = runsOn.get(task);
        if (other !== undefined) return `${name(task)} runs on one CPU: on ${other} and ${cpu} at ${ts}`;
        if (dead.has(task)) return `${name(task)} runs after its end at ${ts}`;
        runsOn.set(task, cpu);
        break;
      }
      case RecordKind.taskExit:
        if (dead.has(task)) return `${name(task)} ends once: again at ${ts}`;
        dead.add(task);
        break;
      case RecordKind.lockAcquire: {
        const lock = records.a[i]!;
        if (!EXCLUSIVE.includes(meta.locks[lock]!.kind)) break;
        const holder = owner.get(lock);
        if (holder !== undefined)
          return `one holds ${meta.locks[lock]!.name}: ${name(holder)}, and ${name(task)} at ${ts}`;
        owner.set(lock, task);
        break;
      }
      case RecordKind.lockRelease: {
        const lock = records.a[i]!;
        if (!EXCLUSIVE.includes(meta.locks[lock]!.kind)) break;
        if (owner.get(lock) !== task) return `who releases ${meta.locks[lock]!.name} holds it: ${name(task)} at ${ts}`;
        owner.delete(lock);
        break;
      }
      default:
    }
  }
  return undefined;
}
