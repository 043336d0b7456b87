// Rows of `--segments`: [cpu or -1, start, end, thread, state]. Rows of one CPU never overlap: an interrupt cuts what
// it hits. For the thread that it hits the cut-out piece is a `runnable` row off the CPU, as in the thread's sums.
// Interrupt rows bear the interrupt's name, idle rows no name.

import { NONE } from '../trace/ids.ts';
import type { IrqSource, TaskInfo, TraceMeta } from '../trace/meta.ts';
import { type RecordColumns, RecordKind } from '../trace/records.ts';
import type { SegmentRows } from '../trace/segment_rows.ts';
import { type LaneInfo, SegKind } from '../trace/segments.ts';
import { type IrqStretch, irqSourcesByCpu, irqStretches } from './irq_time.ts';
import type { RunResult, SegmentState } from './result.ts';
import { WHOLE_RUN, type Window } from './window.ts';

export type SegmentRow = NonNullable<RunResult['segments']>[number];
type MutableRow = [number, number, number, string, SegmentState];

/** Collects rows as the segmenter settles them. */
export interface SegmentsBuilder {
  readonly meta: TraceMeta;
  readonly window: Window;
  /** Last row of each lane, which goes on until the next comes. */
  readonly open: (OpenRow | undefined)[];
  /** Softirq work that leaves records, by CPU, in order; the last may be open (no end yet). */
  readonly softirqs: { readonly startNs: number; endNs: number }[][];
  readonly done: { readonly lane: number; readonly row: OpenRow; readonly endNs: number }[];
}

interface OpenRow {
  readonly startNs: number;
  readonly kind: number;
  readonly who: number;
}

export function createSegmentsBuilder(meta: TraceMeta, window: readonly [number, number] | undefined): SegmentsBuilder {
  return {
    meta,
    window: window === undefined ? WHOLE_RUN : { fromNs: window[0], toNs: window[1] },
    open: [],
    softirqs: [],
    done: [],
  };
}

/** Takes over settled rows; call before they are emptied. */
export function addSegmentRows(builder: SegmentsBuilder, rows: SegmentRows): void {
  for (let i = 0; i < rows.count; i++) {
    const lane = rows.lane[i]!;
    const startNs = rows.startNs[i]!;
    closeRow(builder, lane, startNs);
    builder.open[lane] = { startNs, kind: rows.kind[i]!, who: rows.who[i]! };
  }
}

/** Takes over the softirq work of some records; call once for each. */
export function addSoftirqs(builder: SegmentsBuilder, records: RecordColumns): void {
  for (let i = 0; i < records.count; i++) {
    if (records.kind[i] !== RecordKind.softirq) continue;
    builder.softirqs[records.cpu[i]!] ??= [];
    const list = builder.softirqs[records.cpu[i]!]!;
    const last = list.at(-1);
    if (records.a[i] === 1) list.push({ startNs: records.tsNs[i]!, endNs: Number.POSITIVE_INFINITY });
    else if (last !== undefined) last.endNs = records.tsNs[i]!;
  }
}

/** Interrupts of `cpu` in [fromNs, toNs), softirq work included, in order, none over another. */
function stretchesIn(
  builder: SegmentsBuilder,
  sources: readonly IrqSource[],
  cpu: number,
  fromNs: number,
  toNs: number,
): readonly IrqStretch[] {
  const hard = irqStretches(sources, fromNs, toNs);
  const softirqs = builder.softirqs[cpu];
  if (softirqs === undefined) return hard;
  const all = [...hard];
  for (let i = firstEndingAfter(softirqs, fromNs); i < softirqs.length && softirqs[i]!.startNs < toNs; i++) {
    let atNs = Math.max(softirqs[i]!.startNs, fromNs);
    const endNs = Math.min(softirqs[i]!.endNs, toNs);
    for (const irq of hard) {
      if (irq.endNs <= atNs || irq.startNs >= endNs) continue;
      if (irq.startNs > atNs) all.push({ name: 'softirq', startNs: atNs, endNs: irq.startNs });
      atNs = Math.min(irq.endNs, endNs);
    }
    if (atNs < endNs) all.push({ name: 'softirq', startNs: atNs, endNs });
  }
  return all.sort((x, y) => x.startNs - y.startNs);
}

function firstEndingAfter(list: readonly { readonly endNs: number }[], atNs: number): number {
  let lo = 0;
  let hi = list.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (list[mid]!.endNs > atNs) hi = mid;
    else lo = mid + 1;
  }
  return lo;
}

/** All rows, by start, then CPU, then thread. `lanes` and `tasks` are the segmenter's and the run's whole tables. */
export function finishSegments(
  builder: SegmentsBuilder,
  lanes: readonly LaneInfo[],
  tasks: readonly TaskInfo[],
  endNs: number,
): readonly SegmentRow[] {
  for (let lane = 0; lane < builder.open.length; lane++) closeRow(builder, lane, endNs);
  const sources = irqSourcesByCpu(builder.meta.irqSources, builder.meta.cpus);
  const toNs = Math.min(builder.window.toNs, endNs);
  const byLane: MutableRow[][] = lanes.map(() => []);
  for (const { lane, row, endNs: rowEndNs } of builder.done) {
    const info = lanes[lane]!;
    const state = stateOf(info, row.kind);
    if (state === undefined) continue;
    const cpu = state === 'idle' ? info.subject : state === 'run' || state === 'spin' ? row.who : NONE;
    const name = info.kind === 'cpu' ? '' : (tasks[info.subject]?.name ?? '');
    const startNs = Math.max(row.startNs, builder.window.fromNs);
    addCut(
      byLane[lane]!,
      cpu,
      startNs,
      Math.min(rowEndNs, toNs),
      name,
      state,
      cpu === NONE ? [] : stretchesIn(builder, sources[cpu] ?? [], cpu, startNs, Math.min(rowEndNs, toNs)),
    );
  }
  const rows = byLane.flat();
  sources.forEach((list, cpu) => {
    for (const irq of stretchesIn(builder, list, cpu, builder.window.fromNs, toNs))
      rows.push([cpu, irq.startNs, irq.endNs, irq.name, 'irq']);
  });
  return rows.sort((x, y) => x[1] - y[1] || x[0] - y[0] || (x[3] < y[3] ? -1 : x[3] > y[3] ? 1 : 0));
}

function closeRow(builder: SegmentsBuilder, lane: number, endNs: number): void {
  const row = builder.open[lane];
  if (row === undefined) return;
  builder.open[lane] = undefined;
  const touches = row.startNs < builder.window.toNs && endNs > builder.window.fromNs && endNs > row.startNs;
  if (touches) builder.done.push({ lane, row, endNs });
}

/** Adds a row without the interrupts in it, and what they take from a thread as runnable rows. Pieces that touch and agree become one with the row before. */
function addCut(
  rows: MutableRow[],
  cpu: number,
  startNs: number,
  endNs: number,
  name: string,
  state: SegmentState,
  interrupts: readonly IrqStretch[],
): void {
  let atNs = startNs;
  for (const irq of interrupts) {
    addRow(rows, cpu, atNs, irq.startNs, name, state);
    if (state !== 'idle') addRow(rows, NONE, irq.startNs, irq.endNs, name, 'runnable');
    atNs = irq.endNs;
  }
  addRow(rows, cpu, atNs, endNs, name, state);
}

function addRow(
  rows: MutableRow[],
  cpu: number,
  startNs: number,
  endNs: number,
  name: string,
  state: SegmentState,
): void {
  if (endNs <= startNs) return;
  const last = rows.at(-1);
  if (last !== undefined && last[0] === cpu && last[2] === startNs && last[4] === state) last[2] = endNs;
  else rows.push([cpu, startNs, endNs, name, state]);
}

/** Thread lanes give all but idle; CPU lanes give idle only, since their other rows are the threads'. */
function stateOf(lane: LaneInfo, kind: number): SegmentState | undefined {
  if (lane.kind === 'cpu') return kind === SegKind.idle ? 'idle' : undefined;
  return lane.kind === 'thread' ? THREAD_STATES.get(kind) : undefined;
}

const THREAD_STATES: ReadonlyMap<number, SegmentState> = new Map([
  [SegKind.run, 'run'],
  [SegKind.spin, 'spin'],
  [SegKind.runnable, 'runnable'],
  [SegKind.blocked, 'blocked'],
  [SegKind.sleep, 'sleep'],
  [SegKind.throttled, 'throttled'],
]);
