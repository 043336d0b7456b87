// One document through everything: validated, simulated in different cuts, its trace judged.

import type { JsonObject, Problem } from '../../scenario/document.ts';
import { resolve } from '../../scenario/resolve.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { validateDocument } from '../../scenario/validate.ts';
import { advance, checkpoint, createSimulation, hashOf, restore, type Simulation, takeRecords } from '../../sim/api.ts';
import { createRecords, pushRecord, type RecordColumns, RecordKind } from '../../trace/records.ts';
import { missingTime } from './time_rules.ts';
import { brokenRule } from './trace_rules.ts';

/** Most events of a run; a document that asks for more is simulated that far. */
export const MAX_EVENTS = 2_000;
/** No batch of one event writes more than that for each thread and CPU. */
const RECORDS_PER_EVENT = 64;

export type Outcome =
  | { readonly is: 'passed'; readonly events: number }
  /** The document is not right, and was refused with reasons. */
  | { readonly is: 'refused'; readonly problems: readonly Problem[] }
  | { readonly is: 'failed'; readonly rule: string; readonly message: string };

/** Never throws: what the project throws is the failure that is looked for. */
export function tryDocument(document: JsonObject, maxEvents = MAX_EVENTS): Outcome {
  let rule = 'reading throws nothing';
  try {
    const valid = validateDocument(document);
    if (!valid.ok) return refused(valid.error);
    const resolved = resolve(document);
    if (!resolved.ok) return failed('what validates resolves', resolved.error[0]!.message);
    rule = 'invariants hold after every event';
    const whole = runAll(resolved.value, 1, maxEvents);
    const broken = brokenRule(whole.sim.meta, whole.sim.tasks, whole.records);
    if (broken !== undefined) return failed('the trace is one that a kernel could write', broken);
    const { sim } = whole;
    const missing = missingTime(resolved.value, sim.meta, sim.tasks, whole.records, sim.nowNs);
    if (missing !== undefined) return failed('time adds up', missing);
    const most =
      RECORDS_PER_EVENT * (whole.sim.events + 1_000) * (resolved.value.threads.length + resolved.value.machine.cpus);
    if (whole.records.count > most)
      return failed('records are bounded', `${whole.records.count} records in ${whole.sim.events} events`);
    rule = 'runs in other cuts';
    const cut = runAll(resolved.value, 97, maxEvents);
    if (cut.hash !== whole.hash) return failed('how a run is cut changes nothing', firstDifference(whole, cut));
    rule = 'runs from checkpoints';
    const restored = restoredHash(resolved.value, 397, maxEvents);
    if (restored !== whole.hash) return failed('a run from checkpoints is the run', `${restored}, not ${whole.hash}`);
    rule = 'a thread that never runs is harmless';
    const more = withIdleThread(document);
    const resolvedMore = more === undefined ? undefined : resolve(more);
    if (resolvedMore?.ok) {
      const beside = runAll(resolvedMore.value, 1000, maxEvents);
      const message = differentSwitch(whole, beside);
      if (message !== undefined) return failed('a thread that never runs changes nothing', message);
    }
    return { is: 'passed', events: whole.sim.events };
  } catch (error) {
    return failed(rule, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** The hash of a run that is frozen and thawed after every slice. */
function restoredHash(scenario: Scenario, sliceEvents: number, maxEvents: number): string {
  let sim = createSimulation(scenario, { maxEvents });
  for (;;) {
    const state = advance(sim, Number.POSITIVE_INFINITY, sliceEvents);
    takeRecords(sim);
    if (state !== 'running') return hashOf(sim);
    sim = restore(checkpoint(sim));
  }
}

function failed(rule: string, message: string): Outcome {
  return { is: 'failed', rule, message };
}

function refused(problems: readonly Problem[]): Outcome {
  const bad = problems.find(({ message, hint }) => message.length < 8 || hint.length < 4);
  if (problems.length === 0 || bad !== undefined) return failed('a refusal says why', JSON.stringify(bad ?? problems));
  return { is: 'refused', problems };
}

interface Run {
  readonly sim: Simulation;
  readonly records: RecordColumns;
  readonly hash: string;
}

function runAll(scenario: Scenario, sliceEvents: number, maxEvents: number): Run {
  const sim = createSimulation(scenario, { check: true, maxEvents });
  const all = createRecords(1024);
  for (let cut = 1; ; cut++) {
    const state = advance(sim, Number.POSITIVE_INFINITY, sliceEvents);
    // Taking records makes new columns: that need not be after every event.
    if (state === 'running' && cut % 256 !== 0) continue;
    const r = takeRecords(sim);
    for (let i = 0; i < r.count; i++) {
      const kind = r.kind[i] as RecordKind;
      pushRecord(all, r.tsNs[i]!, kind, r.reason[i]!, r.cpu[i]!, r.task[i]!, r.a[i]!, r.b[i]!, r.c[i]!);
    }
    if (state !== 'running') break;
  }
  return { sim, records: all, hash: hashOf(sim) };
}

/** One more thread, whose start lies after the end; undefined where the document has no room for it. */
function withIdleThread(document: JsonObject): JsonObject | undefined {
  const threads = document['threads'];
  if (!Array.isArray(threads)) return undefined;
  return { ...document, threads: [...threads, { name: 'never', start: '1h', program: [{ run: '1us' }] }] };
}

function firstDifference(a: Run, b: Run): string {
  for (let i = 0; i < Math.min(a.records.count, b.records.count); i++) {
    const differs = (['tsNs', 'kind', 'reason', 'cpu', 'task', 'a', 'b', 'c'] as const).find(
      (column) => a.records[column][i] !== b.records[column][i],
    );
    if (differs !== undefined)
      return `record ${i} at ${a.records.tsNs[i]} ns differs in ${differs}: ${a.records[differs][i]} or ${b.records[differs][i]}`;
  }
  return `${a.records.count} records or ${b.records.count}`;
}

/** Switches by name: ids move when a thread is added before a fork. */
function switchesOf(run: Run): string[] {
  const { records, sim } = run;
  const name = (id: number): string => (id < 0 ? 'idle' : sim.tasks[id]!.name);
  const rows: string[] = [];
  for (let i = 0; i < records.count; i++) {
    if (records.kind[i] !== RecordKind.schedSwitch) continue;
    rows.push(`${records.tsNs[i]} ns, CPU ${records.cpu[i]}: ${name(records.a[i]!)} to ${name(records.task[i]!)}`);
  }
  return rows;
}

function differentSwitch(a: Run, b: Run): string | undefined {
  const rows = [switchesOf(a), switchesOf(b)] as const;
  const most = Math.max(rows[0].length, rows[1].length);
  for (let i = 0; i < most; i++) if (rows[0][i] !== rows[1][i]) return `${rows[0][i]}, or with it ${rows[1][i]}`;
  return undefined;
}
