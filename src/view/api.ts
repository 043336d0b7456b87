// What ui/ may use of view/: one timeline, told what to show, answering what lies under a point.
// The view paints any trace and knows nothing of schedulers, React or the store.

import type { Ns } from '../base/units.ts';
import type { Segment } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';

/** Visible range, half-open; the only truth about zoom. At least 1 us wide. */
export interface Viewport {
  readonly t0Ns: Ns;
  readonly t1Ns: Ns;
}

/** One row of the drawing from top to bottom, in CSS px. `pinned` rows come last and lie over what they cover of the others. `head` rows are group heads ("CPUs", "Threads", "Locks"). */
export type Row =
  | {
      readonly row: 'head';
      readonly key: string;
      readonly label: string;
      readonly yPx: number;
      readonly heightPx: number;
      readonly pinned?: boolean;
    }
  | {
      readonly row: 'lane';
      readonly laneId: number;
      readonly yPx: number;
      readonly heightPx: number;
      /** Part of the height, at the foot, that shows the priority of a thread that inherits. */
      readonly ribbonPx?: number;
      readonly pinned?: boolean;
    };

/** Names of theme tokens are those of tokens.ts. */
export type ThemeName = 'light' | 'dark' | 'projector' | 'contrast';

/**
 * What the hue of a fill says. `auto`: who on CPU and lock lanes, what on thread lanes; else the same everywhere.
 * Forms (hatch, outline, edges) say the same in each.
 */
export type HueRule = 'auto' | 'thread' | 'state' | 'class';

/** What a drag on the lanes does (setting "Habits"): Perfetto measures, KernelShark zooms to what was dragged, a browser's profiler pans. With Shift: pan, pan, measure. */
export type Habits = 'perfetto' | 'kernelshark' | 'browser';

/** A stretch that is dragged out. `fromNs` is where the drag began and may be the later end. */
export interface RangeDrag {
  readonly fromNs: Ns;
  readonly toNs: Ns;
  /** `move` again and again, then `end`, or `cancel` (Escape). */
  readonly phase: 'move' | 'end' | 'cancel';
  /** The view zooms to it at its end; nothing is left to do. */
  readonly zooms: boolean;
}

/** A stretch of time with a verdict: band over the lanes, flag in the verdict strip. */
export interface Band {
  readonly tone: 'danger' | 'warn' | 'ok';
  readonly fromNs: Ns;
  readonly toNs: Ns;
  readonly forever: boolean;
  readonly text: string;
  /** Lanes of those concerned: the gutter (ui) draws a 3 px bar at their left edge; the view has no gutter. */
  readonly laneIds: readonly number[];
}

export interface Flag {
  readonly atNs: Ns;
  readonly text: string;
}

/** Everything that a frame depends on. Replaced as a whole or in part by `update`; equal parts cost nothing. */
export interface TimelineState {
  readonly trace: TraceStore | undefined;
  readonly rows: readonly Row[];
  readonly viewport: Viewport;
  readonly playheadNs: Ns;
  /** Drawn dimmed beyond this; Infinity: nothing is veiled. */
  readonly veilFromNs: Ns;
  readonly selection: { readonly laneId: number; readonly startNs: Ns } | undefined;
  readonly hover: { readonly laneId: number; readonly startNs: Ns } | undefined;
  readonly markers: { readonly aNs: Ns | undefined; readonly bNs: Ns | undefined };
  readonly bands: readonly Band[];
  readonly flags: readonly Flag[];
  readonly theme: ThemeName;
  readonly reducedMotion: boolean;
  /** Default `auto`. */
  readonly hueBy?: HueRule;
  /** How threads get their colours: in list order (scenarios, default) or by name (recorded traces). */
  readonly slotsBy?: 'order' | 'name';
  /** Size of ruler and its type; without it a drawing under 480 px wide is taken for a phone. */
  readonly size?: 'desk' | 'phone' | 'present';
}

/** What lies under a point of the lanes. In dense places several segments share a bin. */
export interface Hit {
  readonly laneId: number;
  readonly segment: Segment;
  /** 1, or the number of segments that share these pixels. */
  readonly count: number;
  readonly timeNs: Ns;
}

export interface TimelineHost {
  readonly lanes: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  readonly axis: SVGSVGElement;
}

export interface TimelineView {
  /** Marks what changed and paints it in the next frame. */
  update(change: Partial<TimelineState>): void;
  /** New rows arrived in the trace that is shown. */
  dataChanged(): void;
  resize(widthPx: number, heightPx: number, devicePixelRatio: number): void;
  /** x, y in CSS px from the lanes' top left. */
  hitTest(xPx: number, yPx: number): Hit | undefined;
  timeAt(xPx: number): Ns;
  xAt(timeNs: Ns): number;
  /** Wheel, drag, pinch and their meaning go through d3-zoom here; the new viewport is reported, never kept. */
  onViewport(listener: (viewport: Viewport) => void): void;
  /** Drags that mark a stretch. At the end of one that measures the page sets its markers. */
  onRange(listener: (range: RangeDrag) => void): void;
  setHabits(habits: Habits): void;
  /** Paints at once, for tests and pictures; else frames are scheduled. */
  flush(): void;
  destroy(): void;
}
