// What the ids of a run mean: the scenario's tables and those that grew while it ran.

import type { Scenario, ThreadSpec } from '../scenario/scenario.ts';
import type { LockInfo, TaskInfo } from '../trace/meta.ts';

export interface RunTables {
  readonly scenario: Scenario;
  /** Forked tasks included. */
  readonly tasks: readonly TaskInfo[];
  readonly locks: readonly LockInfo[];
  readonly texts: readonly string[];
}

/** The thread's entry in the scenario. A fork's second child (`name/1`) has that of `name`; undefined if there is none. */
export function specOf(tables: RunTables, task: number): ThreadSpec | undefined {
  const name = tables.tasks[task]?.name;
  const { threads } = tables.scenario;
  const exact = threads.find((thread) => thread.name === name);
  return exact ?? threads.find((thread) => name?.startsWith(`${thread.name}/`));
}
