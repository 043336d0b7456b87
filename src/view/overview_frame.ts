// Where the overview's frame stands.

import type { Viewport } from './api.ts';

const MIN_FRAME_PX = 10;

/** The view's frame in px, at least 10 px wide and wholly on the strip. */
export function frameOf(
  viewport: Viewport,
  pxPerNs: number,
  widthPx: number,
): { readonly x0: number; readonly x1: number } {
  const x0 = Math.max(0, viewport.t0Ns * pxPerNs);
  const x1 = Math.min(widthPx, viewport.t1Ns * pxPerNs);
  const width = Math.min(widthPx, Math.max(MIN_FRAME_PX, x1 - x0));
  const left = Math.min(Math.max(0, (x0 + x1 - width) / 2), widthPx - width);
  return { x0: left, x1: left + width };
}
