// Hand-made runs for tests: a small scenario and a record stream written out line by line, in microseconds.

import { addRecords, createResultBuilder, finishResult, type RunEnd } from '../../analysis/build_result.ts';
import type { RunResult } from '../../analysis/result.ts';
import { usToNs } from '../../base/units.ts';
import type { Claim, Costs, Scenario, ThreadSpec } from '../../scenario/scenario.ts';
import { NONE } from '../../trace/ids.ts';
import type { IrqSource, TraceMeta } from '../../trace/meta.ts';
import { createRecords, pushRecord, type RecordColumns, RecordKind } from '../../trace/records.ts';

export interface HandMade {
  readonly threads: readonly (Partial<ThreadSpec> & { readonly name: string })[];
  readonly locks?: readonly string[];
  readonly cpus?: number;
  readonly irqSources?: readonly IrqSource[];
  readonly claims?: readonly Claim[];
  readonly endUs: number;
  readonly texts?: readonly string[];
  readonly costs?: Partial<Costs>;
}

export function scenarioOf(hand: HandMade): Scenario {
  const threads = hand.threads.map(
    (thread): ThreadSpec => ({
      baseName: thread.name,
      policy: 'other',
      rtPrio: 0,
      nice: 0,
      allowedCpus: [0],
      start: 0,
      birth: 'settled',
      program: [],
      ...thread,
    }),
  );
  return {
    title: 'by hand',
    summary: '',
    source: '',
    durationNs: usToNs(hand.endUs),
    seed: 1,
    groups: [],
    interventions: [],
    claims: hand.claims ?? [],
    toggles: [],
    params: [],
    settings: {},
    notes: [],
    view: { notes: [] },
    machine: {
      cpus: hand.cpus ?? 1,
      kernel: '6.1',
      hz: 250,
      firstTickNs: 4_000_000,
      rtThrottling: false,
      fairServer: false,
      piReweight: false,
      proxyExecution: false,
      autogroup: false,
      tunableScaling: 'log',
      tunables: {},
      features: {},
      costs: {
        contextSwitchNs: 0,
        wakeupNs: 0,
        wakeupIpiNs: 0,
        idleExitNs: 0,
        tickNs: 0,
        timerInterruptNs: 0,
        syscallNs: 0,
        migrationNs: 0,
        ...hand.costs,
      },
      interrupts: [],
    },
    locks: (hand.locks ?? []).map((name) => ({ name, kind: 'futex', marks: false })),
    threads,
  };
}

export function metaOf(hand: HandMade): TraceMeta {
  const scenario = scenarioOf(hand);
  return {
    title: scenario.title,
    cpus: scenario.machine.cpus,
    durationNs: scenario.durationNs,
    hz: 250,
    firstTickNs: 4_000_000,
    tasks: scenario.threads.map((thread, i) => ({
      name: thread.name,
      tid: 100 + i,
      policy: thread.policy,
      rtPrio: thread.rtPrio,
      nice: thread.nice,
      allowedCpus: thread.allowedCpus,
    })),
    locks: scenario.locks.map((lock) => ({ name: lock.name, kind: lock.kind })),
    irqSources: hand.irqSources ?? [],
  };
}

export function endOf(hand: HandMade): RunEnd {
  return {
    tasks: metaOf(hand).tasks,
    texts: hand.texts ?? [],
    verdicts: [],
    hash: '1:0000000000000000',
    engine: '1',
    events: 0,
    endNs: usToNs(hand.endUs),
  };
}

/** Writer of one stream. Times are microseconds; operands as the record kinds say. */
export interface Pen {
  readonly records: RecordColumns;
  put(
    us: number,
    kind: RecordKind,
    row: { cpu?: number; task?: number; a?: number; b?: number; c?: number; reason?: number },
  ): Pen;
  /** schedSwitch from prev (NONE: idle) to next on a CPU. */
  sw(us: number, cpu: number, prev: number, prevState: number, next: number): Pen;
  /** taskState. */
  state(us: number, task: number, kind: number, reason?: number): Pen;
  waking(us: number, task: number): Pen;
  wakeup(us: number, task: number): Pen;
}

export function pen(): Pen {
  const records = createRecords(4);
  const self: Pen = {
    records,
    put(us, kind, { cpu = 0, task = NONE, a = NONE, b = NONE, c = NONE, reason = 0 }) {
      pushRecord(records, usToNs(us), kind, reason, cpu, task, a, b, c);
      return self;
    },
    sw: (us, cpu, prev, prevState, next) =>
      self.put(us, RecordKind.schedSwitch, { cpu, task: next, a: prev, b: prevState }),
    state: (us, task, kind, reason = 0) => self.put(us, RecordKind.taskState, { task, a: kind, reason }),
    waking: (us, task) => self.put(us, RecordKind.schedWaking, { task }),
    wakeup: (us, task) => self.put(us, RecordKind.schedWakeup, { task }),
  };
  return self;
}

/** Rows [from, to) as a stream of their own. */
export function piece(records: RecordColumns, from: number, to: number): RecordColumns {
  const part = createRecords(Math.max(1, to - from));
  for (let i = from; i < to; i++) {
    pushRecord(
      part,
      records.tsNs[i]!,
      records.kind[i]! as RecordKind,
      records.reason[i]!,
      records.cpu[i]!,
      records.task[i]!,
      records.a[i]!,
      records.b[i]!,
      records.c[i]!,
    );
  }
  return part;
}

/** The result of a stream, fed in pieces of `rows` rows. */
export function resultOf(
  hand: HandMade,
  records: RecordColumns,
  window?: readonly [number, number],
  rows = Infinity,
): RunResult {
  const edges = window === undefined ? undefined : ([usToNs(window[0]), usToNs(window[1])] as const);
  const builder = createResultBuilder(scenarioOf(hand), metaOf(hand), edges);
  for (let from = 0; from < records.count; from += rows)
    addRecords(builder, piece(records, from, Math.min(records.count, from + rows)));
  return finishResult(builder, endOf(hand));
}
