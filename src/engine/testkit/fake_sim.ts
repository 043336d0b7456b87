// A simulation that takes turns: on one CPU two tasks run for 1 us each, an event a turn. Its length and its hash
// follow from the scenario's duration, so tests know what must come out without the real one.

import type { SimModule, Simulation } from '../../sim/api.ts';
import { NONE } from '../../trace/ids.ts';
import type { TaskInfo, TraceMeta } from '../../trace/meta.ts';
import { PickReason } from '../../trace/reasons.ts';
import { createRecords, PrevState, pushRecord, type RecordColumns, RecordKind } from '../../trace/records.ts';

export const TURN_NS = 1000;

interface FakeSimulation extends Simulation {
  records: RecordColumns;
  nowNs: number;
  events: number;
  state: Simulation['state'];
  hash: number;
}

/** What a test may change. */
export interface FakeSimOptions {
  /** Throws at this event, as a bug would. */
  readonly failAtEvent?: number;
  /** Ends with this state after so many events. */
  readonly stopAt?: { readonly event: number; readonly state: 'livelock' | 'limit' };
}

export function createFakeSim(options: FakeSimOptions = {}): SimModule {
  return {
    createSimulation(scenario) {
      const meta: TraceMeta = {
        title: scenario.title,
        cpus: 1,
        durationNs: scenario.durationNs,
        hz: 250,
        firstTickNs: 0,
        tasks: ['ping', 'pong'].map(taskInfo),
        locks: [],
        irqSources: [],
      };
      const sim: FakeSimulation = {
        meta,
        tasks: meta.tasks,
        texts: [],
        records: createRecords(),
        nowNs: 0,
        events: 0,
        state: 'running',
        hash: 0x811c9dc5,
      };
      return sim;
    },
    advance(opaque, untilNs, maxEvents) {
      const sim = opaque as FakeSimulation;
      const stopAt = options.stopAt;
      for (let i = 0; i < maxEvents && sim.state === 'running'; i++) {
        const atNs = sim.events * TURN_NS;
        if (atNs >= untilNs) {
          sim.nowNs = untilNs;
          sim.state = 'done';
        } else if (sim.events === options.failAtEvent) {
          throw new Error('bug: the fake was told to fail');
        } else if (stopAt !== undefined && sim.events === stopAt.event) {
          sim.state = stopAt.state;
        } else {
          turn(sim, atNs);
        }
      }
      return sim.state;
    },
    takeRecords(opaque) {
      const sim = opaque as FakeSimulation;
      const taken = sim.records;
      sim.records = createRecords();
      for (let i = 0; i < taken.count; i++)
        sim.hash = Math.imul(sim.hash ^ (taken.tsNs[i]! + taken.task[i]!), 0x01000193) >>> 0;
      return taken;
    },
    verdictsOf: () => [],
    hashOf: (sim) => `fake:${(sim as FakeSimulation).hash.toString(16)}`,
  };
}

function turn(sim: FakeSimulation, atNs: number): void {
  const next = sim.events % 2;
  const prev = sim.events === 0 ? NONE : 1 - next;
  pushRecord(
    sim.records,
    atNs,
    RecordKind.schedSwitch,
    PickReason.cfsLeftmost,
    0,
    next,
    prev,
    PrevState.runnable,
    NONE,
  );
  sim.nowNs = atNs;
  sim.events++;
}

function taskInfo(name: string, i: number): TaskInfo {
  return { name, tid: 100 + i, policy: 'other', rtPrio: 0, nice: 0, allowedCpus: [0] };
}
