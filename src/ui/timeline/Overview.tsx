// The whole run in a strip, with a frame around what is in sight.

import { useEffect, useRef } from 'react';
import type { App } from '../../store/index.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Band, ThemeName } from '../../view/api.ts';
import type { Overview as OverviewView } from '../../view/overview_api.ts';
import { createOverview } from '../../view/paint_overview.ts';
import { useApp, useAppState } from '../app_context.ts';

interface OverviewProps {
  readonly theme: ThemeName;
  readonly trace: TraceStore | undefined;
  readonly bands: readonly Band[];
}

export function Overview({ theme, trace, bands }: OverviewProps) {
  const app = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<OverviewView>(undefined);

  useEffect(() => {
    const host = canvas.current;
    const plot = host?.parentElement;
    if (host === null || plot === null || plot === undefined) return;
    const made = createOverview(host);
    view.current = made;
    const stopFollowing = followStore(app, made);
    const resize = (): void => made.resize(plot.clientWidth, plot.clientHeight, window.devicePixelRatio);
    const observer = new ResizeObserver(resize);
    observer.observe(plot);
    resize();
    return () => {
      observer.disconnect();
      stopFollowing();
      made.destroy();
      view.current = undefined;
    };
  }, [app]);

  useEffect(() => view.current?.update({ trace, bands, theme }), [trace, bands, theme]);
  return (
    <div className="overview-plot" role="presentation">
      <canvas ref={canvas} />
      <Veil />
    </div>
  );
}

/** What lies after the playhead, while the reader may not look ahead. */
function Veil() {
  const from = useAppState((s) =>
    s.veiled || s.play === 'playing' ? Math.round((1000 * s.playheadNs) / (s.scenario?.durationNs ?? 1)) / 10 : 100,
  );
  return from < 100 ? <div className="overview-veil" style={{ left: `${from}%` }} /> : null;
}

function followStore({ store }: App, view: OverviewView): () => void {
  const { viewport, playheadNs } = store.getState();
  view.update({ viewport, playheadNs });
  view.onViewport((next) => store.getState().setViewport(next));
  return store.subscribe((now, before) => {
    view.update({ viewport: now.viewport, playheadNs: now.playheadNs });
    if (now.dataVersion !== before.dataVersion) view.dataChanged();
  });
}
