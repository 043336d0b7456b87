// The two canvases of the lanes, and what the pointer does over them.

import { type PointerEvent, type RefObject, useRef } from 'react';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Band, Row, ThemeName, TimelineView } from '../../view/api.ts';
import { useApp } from '../app_context.ts';
import { useTimelineView } from './use_timeline_view.ts';

export interface LanesPlotProps {
  readonly trace: TraceStore | undefined;
  readonly theme: ThemeName;
  /** From the window's top. */
  readonly rows: readonly Row[];
  readonly heightPx: number;
  readonly bands: readonly Band[];
  readonly axis: RefObject<SVGSVGElement | null>;
}

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

export function LanesPlot(props: LanesPlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const view = useTimelineView({ ...props, plot, lanes, overlay });
  const pointer = usePointer(view);
  return (
    <div ref={plot} className="lanes-plot" role="presentation" style={{ height: props.heightPx }} {...pointer}>
      <canvas ref={lanes} />
      <canvas ref={overlay} />
    </div>
  );
}

/** Hover shows what lies there; a click selects it. Drags, wheel and pinch are the view's. */
function usePointer(view: RefObject<TimelineView | undefined>) {
  const { store } = useApp();
  const pressed = useRef<{ readonly x: number; readonly y: number }>(undefined);

  function hitAt(event: PointerEvent<HTMLDivElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    return view.current?.hitTest(event.clientX - box.left, event.clientY - box.top);
  }

  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      pressed.current = event.button === 0 ? { x: event.clientX, y: event.clientY } : undefined;
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (event.pointerType === 'touch') return;
      const hit = event.buttons === 0 ? hitAt(event) : undefined;
      store.getState().setHover(
        hit === undefined
          ? undefined
          : {
              laneId: hit.laneId,
              startNs: hit.segment.startNs,
              count: hit.count,
              timeNs: hit.timeNs,
              xPx: event.clientX,
              yPx: event.clientY,
            },
      );
    },
    onPointerLeave() {
      store.getState().setHover(undefined);
    },
    onPointerUp(event: PointerEvent<HTMLDivElement>) {
      const start = pressed.current;
      pressed.current = undefined;
      if (start === undefined || Math.hypot(event.clientX - start.x, event.clientY - start.y) >= CLICK_PX) return;
      const hit = hitAt(event);
      store.getState().select(hit === undefined ? undefined : { laneId: hit.laneId, startNs: hit.segment.startNs });
    },
  };
}
