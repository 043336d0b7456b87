// A trace of many short segments on many thread lanes, the same every time. For the frame-time bench.

import type { TraceChunk } from '../../src/trace/chunks.ts';
import type { TraceMeta } from '../../src/trace/meta.ts';
import { SegKind } from '../../src/trace/segments.ts';

export const LANES = 64;
const CPUS = 8;
const FIRST_TID = 1000;

/** What threads do, by turns. */
const KINDS = [SegKind.run, SegKind.runnable, SegKind.spin, SegKind.sleep, SegKind.blocked, SegKind.throttled];

export interface SyntheticTrace {
  readonly meta: TraceMeta;
  readonly chunk: TraceChunk;
}

/** `count` segments in all; each lane lasts `count / LANES` times 10 us on average. */
export function syntheticTrace(count: number): SyntheticTrace {
  const perLane = Math.floor(count / LANES);
  const rows = perLane * LANES;
  const segments = {
    count: rows,
    lane: new Uint16Array(rows),
    startNs: new Float64Array(rows),
    kind: new Uint8Array(rows),
    flags: new Uint8Array(rows),
    who: new Int32Array(rows),
    prio: new Int16Array(rows).fill(120),
    reason: new Uint8Array(rows),
    arg: new Int32Array(rows).fill(-1),
    arg2: new Int32Array(rows).fill(-1),
  };
  let state = 1;
  let endNs = 0;
  for (let lane = 0, row = 0; lane < LANES; lane++) {
    let startNs = 0;
    for (let i = 0; i < perLane; i++, row++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      segments.lane[row] = lane;
      segments.startNs[row] = startNs;
      segments.kind[row] = KINDS[(state >>> 24) % KINDS.length]!;
      segments.who[row] = lane % CPUS;
      startNs += 1000 + ((state >>> 8) % 18_000);
    }
    endNs = Math.max(endNs, startNs);
  }
  return { meta: metaOf(endNs), chunk: chunkOf(segments, endNs) };
}

function metaOf(durationNs: number): TraceMeta {
  return {
    title: 'synthetic',
    cpus: CPUS,
    durationNs,
    hz: 250,
    firstTickNs: 4_000_000,
    tasks: Array.from({ length: LANES }, (_, i) => ({
      name: `thread/${i}`,
      tid: FIRST_TID + i,
      policy: 'other' as const,
      rtPrio: 0,
      nice: 0,
      allowedCpus: Array.from({ length: CPUS }, (_each, cpu) => cpu),
    })),
    locks: [],
    irqSources: [],
  };
}

function chunkOf(segments: TraceChunk['segments'], watermarkNs: number): TraceChunk {
  return {
    watermarkNs,
    newLanes: Array.from({ length: LANES }, (_, id) => ({ id, kind: 'thread' as const, subject: id, task: -1 })),
    newTasks: [],
    newTexts: [],
    segments,
    records: {
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
    },
  };
}
