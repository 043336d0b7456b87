// Ids to names, as parts of sentences. Made once per trace from its tables.

import type { LockId, TaskId } from '../trace/ids.ts';
import type { LockInfo, TaskInfo } from '../trace/meta.ts';
import type { Part } from './parts.ts';

/** Tables that ids index. `tasks` may grow while the trace does. */
export interface NameTables {
  readonly tasks: readonly TaskInfo[];
  readonly locks: readonly LockInfo[];
  /** Names of control groups. */
  readonly groups?: readonly string[];
}

/** The thread's name; `a thread` for an id that the table lacks. */
export function threadPart(tables: NameTables, task: TaskId): Part {
  const name = tables.tasks[task]?.name;
  return name === undefined ? { part: 'text', text: 'a thread' } : { part: 'thread', task, text: name };
}

/** The lock's name; `a lock` for an id that the table lacks. */
export function lockPart(tables: NameTables, lock: LockId): Part {
  const name = tables.locks[lock]?.name;
  return name === undefined ? { part: 'text', text: 'a lock' } : { part: 'lock', lock, text: name };
}

/** `the quota of group web`; `the quota of its group` for an id that the table lacks. */
export function quotaText(tables: NameTables, group: number): string {
  const name = tables.groups?.[group];
  return name === undefined ? 'the quota of its group' : `the quota of group ${name}`;
}
