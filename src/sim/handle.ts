// The machine as the shells see it.

import type { TaskInfo, TraceMeta } from '../trace/meta.ts';
import { countedSources } from './interrupts.ts';
import type { Machine } from './machine.ts';

/** First tid that is given out: where a booted system's user threads begin. */
const FIRST_TID = 1000;

/** Read-only face of a Machine; the only class in sim/, since its fields are views of a state that moves on. */
export class MachineHandle {
  readonly machine: Machine;
  readonly checks: boolean;
  readonly meta: TraceMeta;
  private readonly known: TaskInfo[] = [];

  constructor(machine: Machine, checks: boolean) {
    this.machine = machine;
    this.checks = checks;
    const scenario = machine.scenario;
    this.meta = {
      title: scenario.title,
      cpus: scenario.machine.cpus,
      durationNs: scenario.durationNs,
      hz: scenario.machine.hz,
      firstTickNs: scenario.machine.firstTickNs,
      tasks: [...this.tasks],
      groups: scenario.groups.map((group) => group.name),
      locks: scenario.locks.map((lock) => ({ name: lock.name, kind: lock.kind })),
      irqSources: countedSources(scenario.machine.interrupts),
    };
  }

  get tasks(): readonly TaskInfo[] {
    for (let id = this.known.length; id < this.machine.tasks.length; id++) {
      const task = this.machine.tasks[id]!;
      this.known.push({
        name: task.name,
        tid: FIRST_TID + id,
        policy: task.born.policy,
        rtPrio: task.born.rtPrio,
        nice: task.born.nice,
        allowedCpus: task.born.allowedCpus,
      });
    }
    return this.known;
  }

  get texts(): readonly string[] {
    return this.machine.texts;
  }

  get records() {
    return this.machine.records;
  }

  get nowNs(): number {
    return this.machine.nowNs;
  }

  get events(): number {
    return this.machine.events;
  }

  get state() {
    return this.machine.state;
  }
}
