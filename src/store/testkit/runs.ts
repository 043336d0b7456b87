// Answers of an engine for tests: a run of one CPU without rows, its scenario and its summary.

import type { RunStart, RunSummary } from '../../engine/protocol.ts';
import { LIBRARY } from '../../scenario/library/library.ts';
import { resolve } from '../../scenario/resolve.ts';
import type { TraceChunk } from '../../trace/chunks.ts';
import type { Verdict } from '../../trace/verdicts.ts';

export const HANG_DOCUMENT = LIBRARY[0]!.document;

export function goodStart(): RunStart {
  const scenario = resolve(HANG_DOCUMENT);
  if (!scenario.ok) throw new Error('bug: it must hold that the library resolves');
  const { machine, durationNs, title } = scenario.value;
  const meta = {
    title,
    cpus: machine.cpus,
    durationNs,
    hz: machine.hz,
    firstTickNs: 0,
    tasks: [],
    locks: [],
    irqSources: [],
  };
  return { ok: true, scenario: scenario.value, meta };
}

export const BAD_START: RunStart = {
  ok: false,
  problems: [
    {
      code: 'prio-range',
      path: 'threads[2].priority',
      message: 'priority is 120; it must be 1–99.',
      hint: 'For a normal thread use nice.',
    },
  ],
};

export function emptyChunk(watermarkNs: number): TraceChunk {
  const segments = {
    count: 0,
    lane: new Uint16Array(0),
    startNs: new Float64Array(0),
    kind: new Uint8Array(0),
    flags: new Uint8Array(0),
    who: new Int32Array(0),
    prio: new Int16Array(0),
    reason: new Uint8Array(0),
    arg: new Int32Array(0),
    arg2: new Int32Array(0),
  };
  const records = {
    count: 0,
    tsNs: new Float64Array(0),
    kind: new Uint8Array(0),
    reason: new Uint8Array(0),
    cpu: new Int16Array(0),
    task: new Int32Array(0),
    a: new Int32Array(0),
    b: new Int32Array(0),
    c: new Int32Array(0),
    operands: { count: 0, x: new Float64Array(0), y: new Float64Array(0) },
  };
  return { watermarkNs, newLanes: [], newTasks: [], newTexts: [], segments, records };
}

export function summaryOf(runId: number, verdicts: readonly Verdict[] = []): RunSummary {
  const result = {
    title: '',
    engine: '1',
    settings: {},
    duration_ns: 1e9,
    events: 1,
    hash: '1:00000000000000aa',
    cpus: [],
    threads: [],
    locks: [],
    verdicts: [],
    marks: [],
    notes: [],
    claims: [],
  };
  return { runId, outcome: 'done', endNs: 1e9, events: 1, hash: '1:00000000000000aa', verdicts, result };
}

export function hangFrom(fromNs: number, heldSinceNs: number): Verdict {
  return {
    kind: 'rt-spin-hang',
    fromNs,
    toNs: 1e9,
    forever: true,
    ended: false,
    tasks: [0],
    locks: [0],
    facts: [{ fact: 'holds', task: 0, lock: 0, sinceNs: heldSinceNs }],
  };
}
