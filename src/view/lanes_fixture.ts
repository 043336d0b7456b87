// For tests: lanes painted by the recording painter, and what was painted on one of them.

import type { TraceStore } from '../trace/trace_store.ts';
import type { Row, Viewport } from './api.ts';
import { createLabels, type LabelList } from './labels.ts';
import type { LanesFrame } from './lane_context.ts';
import { displayName, nameForms } from './names.ts';
import { paintLanes } from './paint_lanes.ts';
import { createRecordingLanePainter, type LaneCall, measureByRule } from './recording_painter.ts';
import { threadSlots } from './slots.ts';

export interface Painted {
  readonly calls: readonly LaneCall[];
  readonly labels: LabelList;
  readonly seen: number;
  /** Calls that begin inside the lane, without its ground, grid and foot. */
  readonly on: (laneId: number) => readonly LaneCall[];
}

export interface FixtureOptions {
  readonly viewport: Viewport;
  readonly widthPx?: number;
  readonly lanePx?: number;
  readonly dpr?: number;
  readonly rows?: readonly Row[];
}

const GROUND_INKS = ['lane', 'canvas', 'grid'];

export function rowsOfLanes(trace: TraceStore, heightPx: number): readonly Row[] {
  return trace.lanes
    .filter((lane) => lane.kind !== 'lockWait')
    .map((lane, i) => ({ row: 'lane', laneId: lane.id, yPx: i * heightPx, heightPx }));
}

export function paintedLanes(trace: TraceStore, options: FixtureOptions): Painted {
  const { viewport, widthPx = 1000, lanePx = 30, dpr = 1 } = options;
  const rows = options.rows ?? rowsOfLanes(trace, lanePx);
  const last = rows.at(-1);
  const heightPx = last === undefined ? 0 : last.yPx + last.heightPx;
  const labels = createLabels();
  const frame: LanesFrame = {
    trace,
    rows,
    viewport,
    widthPx,
    heightPx,
    dpr,
    theme: 'light',
    hueBy: 'auto',
    slots: threadSlots(trace.tasks),
    taskNames: nameForms(trace.tasks),
    lockNames: trace.meta.locks.map((lock) => displayName(lock.name)),
    lockLaneIds: trace.lanes.filter((lane) => lane.kind === 'lock').map((lane) => lane.id),
    gridNs: [],
    labels,
    measure: measureByRule,
  };
  const painter = createRecordingLanePainter(widthPx * dpr, heightPx * dpr);
  const seen = paintLanes(frame, painter);
  return {
    calls: painter.calls,
    labels,
    seen,
    on(laneId) {
      const row = rows.find((r) => r.row === 'lane' && r.laneId === laneId);
      if (row === undefined) return [];
      const top = row.yPx * dpr;
      const end = (row.yPx + row.heightPx) * dpr;
      return painter.calls.filter((call) => call.y0 >= top && call.y0 < end && !GROUND_INKS.includes(call.ink));
    },
  };
}
