// Runs a scenario to its end and reduces its records to an observation, batch by batch.

import type { Scenario } from '../../scenario/scenario.ts';
import { advance, createSimulation, takeRecords } from '../../sim/api.ts';
import type { Observation } from './observation.ts';
import { RecordObserver } from './observe_records.ts';

/** Events between two drains of the record buffer. */
const BATCH_EVENTS = 200_000;

/** Throws where the run stops before its end: golden documents have none of the reasons for that. */
export function simulate(scenario: Scenario): Observation {
  const run = createSimulation(scenario);
  const observer = new RecordObserver(() => ({
    cpus: run.meta.cpus,
    tasks: run.tasks,
    locks: run.meta.locks,
    texts: run.texts,
  }));
  let state = run.state;
  while (state === 'running') {
    state = advance(run, scenario.durationNs, BATCH_EVENTS);
    observer.add(takeRecords(run));
  }
  if (state !== 'done') throw new Error(`the run of "${scenario.title}" ended with "${state}" at ${run.nowNs} ns`);
  return observer.finish(scenario.durationNs);
}
