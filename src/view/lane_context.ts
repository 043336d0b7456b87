// What painting one lane needs, gathered once a lane so that the loops over its rows look nothing up.

import type { Ns } from '../base/units.ts';
import type { LaneKind, SegmentColumns } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { HueRule, Row, ThemeName, Viewport } from './api.ts';
import type { BinList } from './bins.ts';
import type { HueInks, Inks } from './inks.ts';
import type { LabelList } from './labels.ts';
import type { LaneMetrics } from './metrics.ts';
import type { NameForms } from './names.ts';
import type { LanePainter } from './painter.ts';

/** Everything that the lanes' picture depends on. Sizes in CSS px. */
export interface LanesFrame {
  readonly trace: TraceStore;
  readonly rows: readonly Row[];
  readonly viewport: Viewport;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly dpr: number;
  readonly theme: ThemeName;
  readonly hueBy: HueRule;
  /** Colour slot by task. */
  readonly slots: readonly number[];
  /** Names by task, from the longest form to the shortest. */
  readonly taskNames: readonly NameForms[];
  readonly lockNames: readonly string[];
  /** Lanes of kind lock, to count what a thread holds. */
  readonly lockLaneIds: readonly number[];
  /** Instants of the time grid. */
  readonly gridNs: readonly Ns[];
  /** Filled while painting. */
  readonly labels: LabelList;
  /** Width of a text in CSS px, for the legend. */
  readonly measure: (font: string, text: string) => number;
  /** Only what stands right of this device px is painted: the rest is there from the last frame. 0: everything. */
  readonly fromPx?: number;
}

/** Things a legend may have to explain, as bits; set while painting. */
export const Seen = {
  run: 1,
  spin: 2,
  runnable: 4,
  blocked: 8,
  throttled: 16,
  sleep: 32,
  realTime: 64,
  boosted: 128,
  holdsLock: 256,
  unknown: 512,
  dense: 1024,
  deadline: 2048,
} as const;

export interface LaneContext {
  frame: LanesFrame;
  painter: LanePainter;
  inks: Inks;
  metrics: LaneMetrics;
  bins: BinList;
  kind: LaneKind;
  laneId: number;
  columns: SegmentColumns;
  /** Start of the view, device px to a ns, width in device px. */
  t0Ns: number;
  pxPerNs: number;
  widthPx: number;
  /** Length of a dense bin. */
  binNs: Ns;
  /** Whether a bin's thread has to be found: a thread's lane knows it. */
  countsTasks: boolean;
  /** Where the last segment ends. */
  endNs: Ns;
  /** Rows that end before this need no painting: before the view, or there from the last frame. */
  fromNs: Ns;
  /** Top of the lane in device px. */
  topPx: number;
  /** Extent of the fill in device px from the canvas's top. */
  fillY: number;
  fillEndY: number;
  /** Whether labels are wanted; a lane may be drawn without. */
  labelled: boolean;
  seen: number;
}

/** Hue of a thread by its id; grey for one that the table does not know. */
export function threadInks(c: LaneContext, task: number): HueInks {
  const slot = c.frame.slots[task];
  return (slot === undefined ? undefined : c.inks.threads[slot]) ?? c.inks.block;
}

/** x of an instant in device px, not rounded. */
export function xOf(c: LaneContext, timeNs: Ns): number {
  return (timeNs - c.t0Ns) * c.pxPerNs;
}

/** End of a row: the start of the next, or the lane's end. */
export function rowEnd(c: LaneContext, row: number): Ns {
  return row + 1 < c.columns.count ? c.columns.startNs[row + 1]! : c.endNs;
}
