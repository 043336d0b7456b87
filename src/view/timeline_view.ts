// One timeline: keeps what it was told to show, paints what changed in the next frame, answers what lies where.
// Two canvases and the axis: lanes (data), overlay (everything that moves), SVG (ruler and verdict strip).

import { formatNs } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Hit, RangeDrag, TimelineHost, TimelineState, TimelineView, Viewport } from './api.ts';
import { arrowsOf } from './arrows.ts';
import { AXIS_SIZES, type AxisFrame, type AxisSize, createAxis } from './axis.ts';
import { type CanvasPainter, createCanvasPainter } from './canvas_painter.ts';
import { createFrameScheduler, Dirty } from './frame_scheduler.ts';
import { hitTest } from './hit_test.ts';
import { clearLabels, createLabels } from './labels.ts';
import type { LanesFrame } from './lane_context.ts';
import { createLanesSurface } from './lanes_surface.ts';
import { displayName, type NameForms, nameForms } from './names.ts';
import { type OverlayFrame, paintOverlay } from './paint_overlay.ts';
import { threadSlots } from './slots.ts';
import { ticksFor } from './ticks.ts';
import { clampViewport, fitViewport } from './viewport.ts';
import { createZoom } from './zoom.ts';

const EMPTY: TimelineState = {
  trace: undefined,
  rows: [],
  viewport: { t0Ns: 0, t1Ns: 1_000_000 },
  playheadNs: 0,
  veilFromNs: Number.POSITIVE_INFINITY,
  selection: undefined,
  hover: undefined,
  markers: { aNs: undefined, bNs: undefined },
  bands: [],
  flags: [],
  theme: 'light',
  reducedMotion: false,
};

/** What a changed part of the state makes dirty. */
const DIRTY_BY_PART: Readonly<Record<keyof TimelineState, number>> = {
  trace: Dirty.lanes | Dirty.overlay | Dirty.axis,
  rows: Dirty.lanes | Dirty.overlay,
  viewport: Dirty.lanes | Dirty.overlay | Dirty.axis,
  playheadNs: Dirty.overlay | Dirty.playhead,
  veilFromNs: Dirty.overlay | Dirty.playhead,
  selection: Dirty.overlay,
  hover: Dirty.overlay,
  markers: Dirty.overlay | Dirty.playhead,
  bands: Dirty.overlay | Dirty.axis,
  flags: Dirty.overlay,
  theme: Dirty.lanes | Dirty.overlay | Dirty.axis,
  reducedMotion: 0,
  hueBy: Dirty.lanes | Dirty.overlay,
  slotsBy: Dirty.lanes | Dirty.overlay,
  size: Dirty.axis,
};

/** Rows count as complete when none came for so long. */
const SETTLE_MS = 150;

export function createTimelineView(host: TimelineHost): TimelineView {
  let state = EMPTY;
  let size = { widthPx: 1, heightPx: 1, dpr: 1 };
  let range: RangeDrag | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const viewportListeners: ((viewport: Viewport) => void)[] = [];
  const rangeListeners: ((range: RangeDrag) => void)[] = [];
  const labels = createLabels();
  const lanes = createLanesSurface(host.lanes);
  const overlay: CanvasPainter = createCanvasPainter(host.overlay);
  const axis = createAxis(host.axis);
  const names = createNameCache();
  const scheduler = createFrameScheduler(paint);

  const zoom = createZoom(host.overlay, {
    viewport: () => state.viewport,
    widthPx: () => size.widthPx,
    bounds: () => ({ fromNs: 0, toNs: boundsEnd(state.trace) }),
    onViewport: report,
    onRange(next) {
      range = next.phase === 'move' ? next : undefined;
      scheduler.invalidate(Dirty.overlay);
      if (next.phase === 'end' && next.zooms) {
        const { fromNs, toNs } = next;
        const wished = fitViewport(Math.min(fromNs, toNs), Math.max(fromNs, toNs));
        report(clampViewport(wished, { fromNs: 0, toNs: boundsEnd(state.trace) }));
      }
      for (const listener of rangeListeners) listener(next);
    },
  });

  function report(viewport: Viewport): void {
    for (const listener of viewportListeners) listener(viewport);
  }

  function paint(bits: number): void {
    if ((bits & Dirty.lanes) !== 0) {
      clearLabels(labels);
      lanes.paint(lanesFrame());
    } else if ((bits & Dirty.growth) !== 0) {
      const frame = lanesFrame();
      const labelled = frame !== undefined && lanes.paintGrowth(frame);
      // Labels and outlines lie on the overlay; an outline grows with the row that it surrounds.
      if (labelled || state.selection !== undefined || state.hover !== undefined) bits |= Dirty.overlay;
      settle();
    }
    if ((bits & Dirty.overlay) !== 0) paintOverlay(overlayFrame(), overlay);
    if ((bits & Dirty.axis) !== 0) axis.paint(axisFrame());
    else if ((bits & Dirty.playhead) !== 0) axis.paintPlates(axisFrame());
  }

  /** Once no more rows come, all is painted from the levels of detail that are complete only then. */
  function settle(): void {
    clearTimeout(settling);
    settling = setTimeout(() => scheduler.invalidate(Dirty.lanes | Dirty.overlay), SETTLE_MS);
  }

  function lanesFrame(): LanesFrame | undefined {
    const { trace, viewport } = state;
    if (trace === undefined) return undefined;
    return {
      trace,
      rows: state.rows,
      viewport,
      ...size,
      theme: state.theme,
      hueBy: state.hueBy ?? 'auto',
      ...names.of(trace, state.slotsBy ?? 'order'),
      gridNs: ticksFor(viewport, size.widthPx, axisSize().spacingPx).atNs,
      labels,
      measure: overlay.measure,
    };
  }

  function overlayFrame(): OverlayFrame {
    const { selection, trace } = state;
    const isDragged = range !== undefined;
    return {
      ...state,
      ...size,
      labels,
      arrows:
        trace !== undefined && selection !== undefined ? arrowsOf(trace, selection.laneId, selection.startNs) : [],
      range: isDragged ? { ...range!, text: formatNs(Math.round(Math.abs(range!.toNs - range!.fromNs))) } : undefined,
      snap: overlay.snap,
    };
  }

  function axisSize(): AxisSize {
    return AXIS_SIZES[state.size ?? (size.widthPx < 480 ? 'phone' : 'desk')];
  }

  function axisFrame(): AxisFrame {
    return { ...state, widthPx: size.widthPx, size: axisSize(), measure: overlay.measure };
  }

  return {
    update(change) {
      let bits = 0;
      for (const part of Object.keys(change) as (keyof TimelineState)[]) {
        if (!isSame(part, change, state)) bits |= DIRTY_BY_PART[part];
      }
      state = { ...state, ...change };
      if ((bits & Dirty.lanes) !== 0) {
        lanes.follow(state.viewport);
        zoom.sync();
      }
      scheduler.invalidate(bits);
    },
    dataChanged() {
      // The end of the data bounds the view.
      zoom.sync();
      scheduler.invalidate(Dirty.growth);
    },
    resize(widthPx, heightPx, dpr) {
      if (size.widthPx === widthPx && size.heightPx === heightPx && size.dpr === dpr) return;
      size = { widthPx: Math.max(1, widthPx), heightPx: Math.max(1, heightPx), dpr: dpr > 0 ? dpr : 1 };
      lanes.resize(size.widthPx, size.heightPx, size.dpr);
      overlay.resize(size.widthPx, size.heightPx, size.dpr);
      zoom.sync();
      // A resized canvas is blank: paint in this frame, not in the next.
      scheduler.invalidate(Dirty.lanes | Dirty.overlay | Dirty.axis);
      scheduler.flush();
    },
    hitTest(xPx, yPx): Hit | undefined {
      const { trace, rows, viewport } = state;
      return trace === undefined ? undefined : hitTest({ trace, rows, viewport, widthPx: size.widthPx }, xPx, yPx);
    },
    timeAt(xPx): Ns {
      const { t0Ns, t1Ns } = state.viewport;
      return t0Ns + (xPx / size.widthPx) * (t1Ns - t0Ns);
    },
    xAt(timeNs) {
      const { t0Ns, t1Ns } = state.viewport;
      return ((timeNs - t0Ns) / (t1Ns - t0Ns)) * size.widthPx;
    },
    onViewport(listener) {
      viewportListeners.push(listener);
    },
    onRange(listener) {
      rangeListeners.push(listener);
    },
    setHabits: zoom.setHabits,
    flush: scheduler.flush,
    destroy() {
      clearTimeout(settling);
      scheduler.stop();
      zoom.destroy();
      axis.destroy();
      viewportListeners.length = 0;
      rangeListeners.length = 0;
    },
  };
}

/** End of what can be shown: the run's planned end, or its data where they reach further. */
function boundsEnd(trace: TraceStore | undefined): Ns {
  return trace === undefined ? 1_000_000 : Math.max(trace.meta.durationNs, trace.watermarkNs, 1_000);
}

/** Equal parts cost nothing: objects that are made anew each time are compared by what they hold. */
function isSame(part: keyof TimelineState, change: Partial<TimelineState>, state: TimelineState): boolean {
  const next = change[part];
  const last = state[part];
  if (next === last) return true;
  if (part !== 'viewport' && part !== 'selection' && part !== 'hover' && part !== 'markers') return false;
  if (next === undefined || last === undefined) return false;
  const a = next as unknown as Readonly<Record<string, unknown>>;
  const b = last as unknown as Readonly<Record<string, unknown>>;
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}

// --- names and colours, made again only when tasks appear ---

interface Names {
  readonly slots: readonly number[];
  readonly taskNames: readonly NameForms[];
  readonly lockNames: readonly string[];
  readonly lockLaneIds: readonly number[];
}

function createNameCache(): { of(trace: TraceStore, rule: 'order' | 'name'): Names } {
  let key: readonly unknown[] = [];
  let names: Names = { slots: [], taskNames: [], lockNames: [], lockLaneIds: [] };
  return {
    of(trace, rule) {
      const wanted = [trace, trace.tasks.length, trace.lanes.length, rule];
      if (wanted.every((part, i) => part === key[i])) return names;
      key = wanted;
      names = {
        slots: threadSlots(trace.tasks, rule),
        taskNames: nameForms(trace.tasks),
        lockNames: trace.meta.locks.map((lock) => displayName(lock.name)),
        lockLaneIds: trace.lanes.filter((lane) => lane.kind === 'lock').map((lane) => lane.id),
      };
      return names;
    },
  };
}
