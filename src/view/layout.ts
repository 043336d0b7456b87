// Rows from lanes: heads CPUs, Threads, Locks and a row a lane, with tops and heights in CSS px.

import type { TaskInfo } from '../trace/meta.ts';
import type { LaneInfo } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Row } from './api.ts';
import { inherits, RIBBON_PX } from './paint_ribbon.ts';
import { lockLaneHeight, waitSlots } from './wait_slots.ts';

export const HEAD_HEIGHT = 22;

/** Heights of lanes in CSS px. Locks grow with the number of waiters they ever had at once. */
export interface LaneHeights {
  readonly cpuPx: number;
  readonly threadPx: number;
  readonly lockPx: number;
}

export type LaneDensity = 'compact' | 'normal' | 'tall' | 'phone' | 'present';

export const LANE_HEIGHTS: Readonly<Record<LaneDensity, LaneHeights>> = {
  compact: { cpuPx: 24, threadPx: 24, lockPx: 36 },
  normal: { cpuPx: 28, threadPx: 29, lockPx: 40 },
  tall: { cpuPx: 44, threadPx: 44, lockPx: 52 },
  phone: { cpuPx: 27, threadPx: 28, lockPx: 40 },
  present: { cpuPx: 106, threadPx: 110, lockPx: 116 },
};

export interface LayoutOptions {
  readonly heights: LaneHeights;
  /** Group heads; a phone and a projector do without. */
  readonly heads: boolean;
  /** Lanes that are left out, by lane id. */
  readonly hidden?: ReadonlySet<number>;
}

export interface Layout {
  readonly rows: readonly Row[];
  readonly heightPx: number;
}

const GROUPS = [
  { kind: 'cpu', key: 'cpus', label: 'CPUs' },
  { kind: 'thread', key: 'threads', label: 'Threads' },
  { kind: 'lock', key: 'locks', label: 'Locks' },
] as const;

/** Rows of `trace`: CPUs by number, threads in list order, locks in document order; empty groups have no head. */
export function layoutRows(trace: TraceStore, options: LayoutOptions): Layout {
  const rows: Row[] = [];
  let yPx = 0;
  const push = (row: Row): void => {
    rows.push(row);
    yPx += row.heightPx;
  };
  for (const group of GROUPS) {
    const lanes = trace.lanes.filter((lane) => lane.kind === group.kind && options.hidden?.has(lane.id) !== true);
    if (lanes.length === 0) continue;
    if (options.heads) push({ row: 'head', key: group.key, label: group.label, yPx, heightPx: HEAD_HEIGHT });
    for (const lane of inOrder(lanes)) {
      push(laneRow(trace, lane, options.heights, yPx));
    }
  }
  return { rows, heightPx: yPx };
}

/** A thread that inherits gets a ribbon below its bar. */
function laneRow(trace: TraceStore, lane: LaneInfo, heights: LaneHeights, yPx: number): Row {
  const heightPx = heightOf(trace, lane, heights);
  if (lane.kind !== 'thread' || !inherits(trace, lane.subject)) return { row: 'lane', laneId: lane.id, yPx, heightPx };
  return { row: 'lane', laneId: lane.id, yPx, heightPx: heightPx + RIBBON_PX, ribbonPx: RIBBON_PX };
}

/** Changes whenever `layoutRows` would give other rows: lanes appear, locks get more waiters, threads begin to inherit. */
export function layoutKey(trace: TraceStore): string {
  let waiters = 0;
  let ribbons = 0;
  for (const lane of trace.lanes) {
    if (lane.kind === 'lock') waiters += waitSlots(trace, lane.id).most;
    else if (lane.kind === 'thread' && inherits(trace, lane.subject)) ribbons++;
  }
  return `${trace.lanes.length} ${waiters} ${ribbons}`;
}

function inOrder(lanes: readonly LaneInfo[]): readonly LaneInfo[] {
  return [...lanes].sort((a, b) => a.subject - b.subject || a.id - b.id);
}

function heightOf(trace: TraceStore, lane: LaneInfo, heights: LaneHeights): number {
  if (lane.kind === 'cpu') return heights.cpuPx;
  return lane.kind === 'lock' ? lockLaneHeight(trace, lane.id, heights.lockPx) : heights.threadPx;
}

/** Row under `yPx`, by bisection; undefined above the first and below the last. Of rows that overlap the later one lies on top. */
export function rowAt(rows: readonly Row[], yPx: number): Row | undefined {
  let lo = 0;
  let hi = rows.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if ((rows[mid] as Row).yPx <= yPx) lo = mid + 1;
    else hi = mid;
  }
  const row = rows[lo - 1];
  return row !== undefined && yPx < row.yPx + row.heightPx ? row : undefined;
}

/** Policy as the gutter says it: `FIFO 50`, `nice 0`, `deadline`. */
export function policyText(task: TaskInfo): string {
  switch (task.policy) {
    case 'fifo':
      return `FIFO ${task.rtPrio}`;
    case 'rr':
      return `RR ${task.rtPrio}`;
    case 'deadline':
      return 'deadline';
    case 'batch':
    case 'idle':
      return task.policy;
    case 'other':
      return `nice ${task.nice > 0 ? `+${task.nice}` : String(task.nice).replace('-', '\u2212')}`;
  }
}

const GUTTER_MIN_PX = 176;
const GUTTER_MAX_PX = 248;
/** Pads at both sides, the colour chip and the gap before the policy. */
const GUTTER_EXTRA_PX = 12 + 18 + 14 + 8;

/** Width of the gutter: what its longest row needs, within 176..248. `measure` gives px of name and policy text. */
export function gutterWidth(
  rows: readonly { readonly name: string; readonly policy: string }[],
  measure: (text: string, use: 'name' | 'policy') => number,
): number {
  const needed = rows.map((row) => measure(row.name, 'name') + measure(row.policy, 'policy') + GUTTER_EXTRA_PX);
  return Math.round(Math.min(GUTTER_MAX_PX, Math.max(GUTTER_MIN_PX, ...needed)));
}
