// Ties view/'s timeline to the page: made once for a pair of canvases, told by the store what moves (playhead, range,
// selection) and by React what seldom changes (trace, rows, bands, theme).

import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { App, AppState } from '../../store/index.ts';
import type { Flag, TimelineState, TimelineView } from '../../view/api.ts';
import { createTimelineView } from '../../view/timeline_view.ts';
import { useApp, useAppState } from '../app_context.ts';
import { switchedText } from '../experiment/setting_words.ts';
import { REDUCED_MOTION_QUERY, useMedia } from '../hooks/use_media.ts';
import type { LanesPlotProps } from './LanesPlot.tsx';

interface ViewParts extends LanesPlotProps {
  readonly plot: RefObject<HTMLDivElement | null>;
  readonly lanes: RefObject<HTMLCanvasElement | null>;
  readonly overlay: RefObject<HTMLCanvasElement | null>;
}

export function useTimelineView(parts: ViewParts): RefObject<TimelineView | undefined> {
  const { plot, lanes, overlay, axis, trace, theme, rows, bands } = parts;
  const app = useApp();
  const view = useRef<TimelineView>(undefined);
  const reducedMotion = useMedia(REDUCED_MOTION_QUERY);
  const habits = useAppState((s) => s.habits);
  const flags = useFlags();

  useEffect(() => {
    const host = { lanes: lanes.current, overlay: overlay.current, axis: axis.current };
    if (plot.current === null || host.lanes === null || host.overlay === null || host.axis === null) return;
    const made = createTimelineView({ lanes: host.lanes, overlay: host.overlay, axis: host.axis });
    view.current = made;
    const stopFollowing = followStore(app, made);
    const stopResizing = followSize(plot.current, made);
    return () => {
      stopResizing();
      stopFollowing();
      made.destroy();
      view.current = undefined;
    };
  }, [app, plot, lanes, overlay, axis]);

  useEffect(() => view.current?.setHabits(habits), [habits]);
  useEffect(() => view.current?.update({ trace, rows }), [trace, rows]);
  useEffect(() => view.current?.update({ bands, flags, theme, reducedMotion }), [bands, flags, theme, reducedMotion]);
  return view;
}

/** Flags where something was flipped on the way. */
function useFlags(): readonly Flag[] {
  const interventions = useAppState((s) => s.interventions);
  const toggles = useAppState((s) => s.scenario?.toggles);
  return useMemo(
    () =>
      interventions.map(({ atNs, set }) => ({
        atNs,
        text: Object.entries(set)
          .map(([setting, value]) => switchedText(setting, value, toggles ?? []))
          .join(', '),
      })),
    [interventions, toggles],
  );
}

function followStore({ store }: App, view: TimelineView): () => void {
  view.update(movingParts(store.getState()));
  view.onViewport((viewport) => store.getState().setViewport(viewport));
  view.onRange((range) => {
    if (range.phase !== 'end' || range.zooms) return;
    const [aNs, bNs] = [range.fromNs, range.toNs].map(Math.round).sort((a, b) => a - b);
    store.getState().setMarkers(aNs, bNs);
  });
  return store.subscribe((now, before) => {
    view.update(movingParts(now));
    if (now.dataVersion !== before.dataVersion) view.dataChanged();
  });
}

/** What changes while one looks. The view compares part by part, so that equal ones cost nothing. */
function movingParts(s: AppState): Partial<TimelineState> {
  return {
    viewport: s.viewport,
    playheadNs: s.playheadNs,
    veilFromNs: s.veiled || s.play === 'playing' ? s.playheadNs : Number.POSITIVE_INFINITY,
    selection: s.selection,
    hover: s.hover === undefined ? undefined : { laneId: s.hover.laneId, startNs: s.hover.startNs },
    markers: { aNs: s.markerANs, bNs: s.markerBNs },
  };
}

function followSize(plot: HTMLElement, view: TimelineView): () => void {
  const resize = (): void => view.resize(plot.clientWidth, plot.clientHeight, window.devicePixelRatio);
  const observer = new ResizeObserver(resize);
  observer.observe(plot);
  resize();
  return () => observer.disconnect();
}
