// Runs small documents for tests and tells what ran where, as the fact sheet writes it: A[0-4] B[4-8], in ms.

import { assert } from '../base/assert.ts';
import type { JsonObject } from '../scenario/document.ts';
import { resolve } from '../scenario/resolve.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { advance, createSimulation, hashOf, type Simulation, takeRecords, verdictsOf } from '../sim/api.ts';
import { createRecords, pushRecord, type RecordColumns, RecordKind } from '../trace/records.ts';
import type { Verdict } from '../trace/verdicts.ts';

/** A finished run: every record, findings, hash. */
export interface Ran {
  readonly scenario: Scenario;
  readonly sim: Simulation;
  readonly records: RecordColumns;
  readonly verdicts: readonly Verdict[];
  readonly hash: string;
}

/** The scenario of a document; throws with all problems when there are any (tests only). */
export function scenarioOf(document: object, settings: Readonly<Record<string, string>> = {}): Scenario {
  const resolved = resolve({ version: 1, duration: '1s', ...document } as JsonObject, settings, []);
  assert(resolved.ok, `the document is right: ${JSON.stringify(resolved.ok ? '' : resolved.error)}`);
  return resolved.value;
}

/** Runs a document to its end, in slices of `sliceEvents`, with invariants checked after each slice. */
export function run(document: object, settings: Readonly<Record<string, string>> = {}, sliceEvents = 1000): Ran {
  return runScenario(scenarioOf(document, settings), sliceEvents);
}

export function runScenario(scenario: Scenario, sliceEvents = 1000): Ran {
  const sim = createSimulation(scenario, { check: true });
  const all = createRecords(1024);
  for (;;) {
    const state = advance(sim, Number.POSITIVE_INFINITY, sliceEvents);
    const r = takeRecords(sim);
    for (let i = 0; i < r.count; i++) {
      pushRecord(
        all,
        r.tsNs[i]!,
        r.kind[i] as RecordKind,
        r.reason[i]!,
        r.cpu[i]!,
        r.task[i]!,
        r.a[i]!,
        r.b[i]!,
        r.c[i]!,
      );
    }
    if (state !== 'running') break;
  }
  return { scenario, sim, records: all, verdicts: verdictsOf(sim), hash: hashOf(sim) };
}

export interface Stint {
  readonly name: string;
  readonly cpu: number;
  readonly fromNs: number;
  readonly toNs: number;
}

/** Who had `cpu` and when; stints of zero length are left out. */
export function stints(ran: Ran, cpu = 0): Stint[] {
  const list: Stint[] = [];
  const r = ran.records;
  let since = 0;
  let task = -1;
  const close = (toNs: number) => {
    if (task >= 0 && toNs > since) list.push({ name: ran.sim.tasks[task]!.name, cpu, fromNs: since, toNs });
  };
  for (let i = 0; i < r.count; i++) {
    if (r.kind[i] !== RecordKind.schedSwitch || r.cpu[i] !== cpu) continue;
    close(r.tsNs[i]!);
    since = r.tsNs[i]!;
    task = r.task[i]!;
  }
  close(ran.scenario.durationNs);
  return list;
}

/** "A[0-4] B[4-8]" in ms, the first `count` stints. */
export function picture(ran: Ran, count = 1000, cpu = 0): string {
  const ms = (ns: number) => String(Math.round(ns) / 1e6);
  return stints(ran, cpu)
    .slice(0, count)
    .map((s) => `${s.name}[${ms(s.fromNs)}-${ms(s.toNs)}]`)
    .join(' ');
}

/** CPU time of a thread by name in [fromNs, toNs), all CPUs. */
export function cpuTime(ran: Ran, name: string, fromNs = 0, toNs = ran.scenario.durationNs): number {
  let sum = 0;
  for (let cpu = 0; cpu < ran.scenario.machine.cpus; cpu++) {
    for (const s of stints(ran, cpu)) {
      if (s.name === name) sum += Math.max(0, Math.min(toNs, s.toNs) - Math.max(fromNs, s.fromNs));
    }
  }
  return sum;
}
