// What the timeline does for each of its keys.

import { type KeyboardEvent, useCallback } from 'react';
import type { App, AppState } from '../../store/index.ts';
import { nextSegment, previousSegment, stateAt } from '../../trace/query.ts';
import type { Segment } from '../../trace/segments.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Row } from '../../view/api.ts';
import { fit, panBy, reveal, zoomBy } from '../../view/viewport.ts';
import { useApp } from '../app_context.ts';
import { causeOf, effectOf, segmentAt } from './follow.ts';
import { type TimelineKey, timelineKey } from './timeline_keys.ts';

const ZOOM_FACTOR = 1.5;
const PAN_RATIO = 0.15;

interface KeyTarget {
  readonly trace: TraceStore | undefined;
  readonly rows: readonly Row[];
  onWhy(): void;
  onHelp(): void;
}

export function useTimelineKeys(target: KeyTarget): (event: KeyboardEvent) => void {
  const app = useApp();
  const { trace, rows, onWhy, onHelp } = target;
  return useCallback(
    (event) => {
      const key = timelineKey(event);
      if (key === undefined) return;
      event.preventDefault();
      if (key === 'why') onWhy();
      else if (key === 'help') onHelp();
      else act(app, trace, rows, key);
    },
    [app, trace, rows, onWhy, onHelp],
  );
}

type Action = (app: App, rows: readonly Row[]) => void;

/** Keys that act whether a trace is there or not. The rest are about segments. */
const ACTIONS: Partial<Readonly<Record<TimelineKey, Action>>> = {
  zoomIn: (app) => zoom(app, ZOOM_FACTOR),
  zoomOut: (app) => zoom(app, 1 / ZOOM_FACTOR),
  panLeft: (app) => pan(app, -PAN_RATIO),
  panRight: (app) => pan(app, PAN_RATIO),
  fit: ({ store }) => store.getState().setViewport({ t0Ns: 0, t1Ns: wholeRunNs(store.getState()) }),
  step: ({ commands }) => commands.step(1),
  stepBack: ({ commands }) => commands.step(-1),
  playPause: ({ commands }) => commands.playPause(),
  markerA: ({ store }) => store.getState().toggleMarker('a', store.getState().playheadNs),
  markerB: ({ store }) => store.getState().toggleMarker('b', store.getState().playheadNs),
  escape: ({ store }) => store.getState().select(undefined),
  laneUp: (app, rows) => moveLane(app, rows, -1),
  laneDown: (app, rows) => moveLane(app, rows, 1),
};

function act(app: App, trace: TraceStore | undefined, rows: readonly Row[], key: TimelineKey): void {
  const action = ACTIONS[key];
  if (action !== undefined) action(app, rows);
  else if (trace !== undefined) actOnSegment(app, trace, rows, key);
}

function zoom(app: App, factor: number): void {
  const s = app.store.getState();
  s.setViewport(zoomBy(s.viewport, factor, zoomCentreNs(app)));
}

function pan({ store }: App, ratio: number): void {
  store.getState().setViewport(panBy(store.getState().viewport, ratio));
}

function wholeRunNs({ scenario, watermarkNs }: AppState): number {
  return scenario?.durationNs ?? watermarkNs;
}

/** Keys zoom about the playhead while it is in sight, else about the middle. */
function zoomCentreNs({ store }: App): number {
  const { viewport, playheadNs } = store.getState();
  const inSight = playheadNs >= viewport.t0Ns && playheadNs <= viewport.t1Ns;
  return inSight ? playheadNs : (viewport.t0Ns + viewport.t1Ns) / 2;
}

function moveLane({ store }: App, rows: readonly Row[], by: 1 | -1): void {
  const lanes = rows.flatMap((row) => (row.row === 'lane' ? [row.laneId] : []));
  const active = store.getState().activeLaneId;
  const index = active === undefined ? -1 : lanes.indexOf(active);
  const next = lanes[Math.min(Math.max(index + by, 0), lanes.length - 1)];
  if (next !== undefined) store.getState().setActiveLane(next);
}

function actOnSegment(app: App, trace: TraceStore, rows: readonly Row[], key: TimelineKey): void {
  const s = app.store.getState();
  const selected = segmentAt(trace, s.selection);
  if (key === 'zoomToSelection') {
    if (selected !== undefined) s.setViewport(fit(selected.startNs, selected.endNs, 0.1));
    return;
  }
  const found =
    key === 'followBack' || key === 'followOn'
      ? followed(trace, selected, key)
      : neighbour(app, trace, rows, selected, key);
  if (found === undefined) return;
  s.select({ laneId: found.lane, startNs: found.startNs });
  s.setViewport(reveal(app.store.getState().viewport, found.startNs));
}

function followed(
  trace: TraceStore,
  selected: Segment | undefined,
  key: 'followBack' | 'followOn',
): Segment | undefined {
  if (selected === undefined) return undefined;
  return segmentAt(trace, key === 'followBack' ? causeOf(trace, selected) : effectOf(trace, selected));
}

/** The segment before or after the selected one on the active lane; the one at the playhead where none is selected there. */
function neighbour(
  app: App,
  trace: TraceStore,
  rows: readonly Row[],
  selected: Segment | undefined,
  key: TimelineKey,
): Segment | undefined {
  const s = app.store.getState();
  const firstLane = rows.find((row) => row.row === 'lane')?.laneId;
  const laneId = s.activeLaneId ?? firstLane;
  if (laneId === undefined) return undefined;
  if (selected === undefined || selected.lane !== laneId)
    return stateAt(trace, laneId, selected?.startNs ?? s.playheadNs);
  return key === 'nextSegment' ? nextSegment(trace, selected) : previousSegment(trace, selected);
}
