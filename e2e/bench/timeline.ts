// The page's timeline on a bench page: all lanes of a trace, evenly high, nothing selected.

import type { TraceStore } from '../../src/trace/trace_store.ts';
import type { Row, TimelineView } from '../../src/view/api.ts';
import { createTimelineView } from '../../src/view/timeline_view.ts';

export const WIDTH_PX = 1600;
export const HEIGHT_PX = 960;

/** A canvas keeps what was set on it: each side of a comparison gets its own. */
export function freshCanvas(id: string): HTMLCanvasElement {
  const old = document.querySelector<HTMLCanvasElement>(`#${id}`)!;
  const fresh = old.cloneNode() as HTMLCanvasElement;
  old.replaceWith(fresh);
  fresh.style.width = `${WIDTH_PX}px`;
  fresh.style.height = `${HEIGHT_PX}px`;
  fresh.width = WIDTH_PX;
  fresh.height = HEIGHT_PX;
  return fresh;
}

/** A view that shows nothing yet, as the page has one before its first run. */
export function emptyView(): TimelineView {
  const view = createTimelineView({
    lanes: freshCanvas('lanes'),
    overlay: freshCanvas('overlay'),
    axis: document.querySelector<SVGSVGElement>('#axis')!,
  });
  view.resize(WIDTH_PX, HEIGHT_PX, 1);
  view.update({
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
  });
  view.flush();
  return view;
}

/** The whole of the trace, all lanes. */
export function showTrace(view: TimelineView, trace: TraceStore): void {
  const { durationNs } = trace.meta;
  view.update({
    trace,
    rows: rowsOf(trace),
    viewport: { t0Ns: 0, t1Ns: durationNs },
    playheadNs: durationNs / 2,
  });
}

function rowsOf(trace: TraceStore): Row[] {
  const lanePx = HEIGHT_PX / trace.lanes.length;
  return trace.lanes.map((lane, i) => ({ row: 'lane', laneId: lane.id, yPx: i * lanePx, heightPx: lanePx }));
}
