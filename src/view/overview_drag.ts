// Dragging the overview's frame: inside it moves the view, at an edge changes its width, elsewhere brings it there.

import type { Ns } from '../base/units.ts';
import type { Viewport } from './api.ts';
import { frameOf } from './overview_frame.ts';
import { clampViewport, MIN_SPAN_NS } from './viewport.ts';

export interface FrameHost {
  readonly viewport: () => Viewport;
  readonly endNs: () => Ns;
  readonly widthPx: () => number;
  readonly onViewport: (viewport: Viewport) => void;
}

export type FramePart = 'left' | 'right' | 'inside' | 'outside';

/** An edge is grabbed within this distance, CSS px; frames too narrow for two edges and a middle have none. */
const EDGE_PX = 5;
const MIN_EDGED_PX = 24;

/** What a press at `xPx` takes hold of. */
export function partAt(xPx: number, frame: { readonly x0: number; readonly x1: number }): FramePart {
  if (frame.x1 - frame.x0 >= MIN_EDGED_PX) {
    if (Math.abs(xPx - frame.x0) <= EDGE_PX) return 'left';
    if (Math.abs(xPx - frame.x1) <= EDGE_PX) return 'right';
  }
  return xPx >= frame.x0 && xPx <= frame.x1 ? 'inside' : 'outside';
}

/** The view after part `part` of `start` was dragged by `byNs`; edges stop 1 µs apart. */
export function draggedViewport(start: Viewport, part: FramePart, byNs: Ns): Viewport {
  switch (part) {
    case 'left':
      return { t0Ns: Math.min(start.t0Ns + byNs, start.t1Ns - MIN_SPAN_NS), t1Ns: start.t1Ns };
    case 'right':
      return { t0Ns: start.t0Ns, t1Ns: Math.max(start.t1Ns + byNs, start.t0Ns + MIN_SPAN_NS) };
    case 'inside':
    case 'outside':
      return { t0Ns: start.t0Ns + byNs, t1Ns: start.t1Ns + byNs };
  }
}

const CURSORS: Readonly<Record<FramePart, string>> = {
  left: 'ew-resize',
  right: 'ew-resize',
  inside: 'grab',
  outside: 'pointer',
};

/** Follows the pointer on `canvas`; returns what stops it. */
export function watchFrame(canvas: HTMLCanvasElement, host: FrameHost): () => void {
  let grip: { readonly part: FramePart; readonly xPx: number; readonly start: Viewport } | undefined;
  const xOf = (event: PointerEvent): number => event.clientX - canvas.getBoundingClientRect().left;
  const nsPerPx = (): number => host.endNs() / host.widthPx();
  const report = (viewport: Viewport): void =>
    host.onViewport(clampViewport(viewport, { fromNs: 0, toNs: host.endNs() }));
  const frame = (): { readonly x0: number; readonly x1: number } =>
    frameOf(host.viewport(), 1 / nsPerPx(), host.widthPx());

  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const xPx = xOf(event);
    const part = partAt(xPx, frame());
    let start = host.viewport();
    if (part === 'outside') {
      const spanNs = start.t1Ns - start.t0Ns;
      start = { t0Ns: xPx * nsPerPx() - spanNs / 2, t1Ns: xPx * nsPerPx() + spanNs / 2 };
      report(start);
    }
    grip = { part, xPx, start };
    canvas.style.cursor = part === 'inside' || part === 'outside' ? 'grabbing' : CURSORS[part];
  };
  const onMove = (event: PointerEvent): void => {
    if (grip === undefined) {
      canvas.style.cursor = CURSORS[partAt(xOf(event), frame())];
      return;
    }
    report(draggedViewport(grip.start, grip.part, (xOf(event) - grip.xPx) * nsPerPx()));
  };
  const onEnd = (): void => {
    grip = undefined;
  };

  canvas.style.touchAction = 'pan-y';
  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onEnd);
  canvas.addEventListener('pointercancel', onEnd);
  return () => {
    canvas.removeEventListener('pointerdown', onDown);
    canvas.removeEventListener('pointermove', onMove);
    canvas.removeEventListener('pointerup', onEnd);
    canvas.removeEventListener('pointercancel', onEnd);
  };
}
