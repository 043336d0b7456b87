// The visible range and what keys, wheel and fingers do to it. Pure; the caller keeps the viewport.

import type { Ns } from '../base/units.ts';
import type { Viewport } from './api.ts';

/** Narrowest view, 1 µs: below it the rounding of px begins to show. */
export const MIN_SPAN_NS = 1_000;

/** Ends of what can be shown; views may reach over them by a part of their own width. */
export interface Bounds {
  readonly fromNs: Ns;
  readonly toNs: Ns;
}

/** Share of the view that may lie beyond the data, so that its ends can be seen as ends. */
const OVERHANG_RATIO = 0.25;

/** Zooms by `factor` (2: half as much time is seen) and keeps `aboutNs` where it is on screen. */
export function zoomBy(viewport: Viewport, factor: number, aboutNs: Ns): Viewport {
  const spanNs = viewport.t1Ns - viewport.t0Ns;
  const newSpanNs = Math.max(MIN_SPAN_NS, spanNs / factor);
  const ratio = (aboutNs - viewport.t0Ns) / spanNs;
  const t0Ns = aboutNs - ratio * newSpanNs;
  return { t0Ns, t1Ns: t0Ns + newSpanNs };
}

/** Moves the view by a share of its width; positive is later. */
export function panBy(viewport: Viewport, ratio: number): Viewport {
  return shiftBy(viewport, (viewport.t1Ns - viewport.t0Ns) * ratio);
}

/** Moves the view by a time; positive is later. */
export function shiftBy(viewport: Viewport, byNs: Ns): Viewport {
  return { t0Ns: viewport.t0Ns + byNs, t1Ns: viewport.t1Ns + byNs };
}

/** The view that shows [fromNs, toNs) with `marginRatio` of it on both sides. */
export function fitViewport(fromNs: Ns, toNs: Ns, marginRatio = 0): Viewport {
  const spanNs = Math.max(MIN_SPAN_NS, toNs - fromNs);
  const middleNs = (fromNs + toNs) / 2;
  const half = spanNs / 2 + spanNs * marginRatio;
  return { t0Ns: middleNs - half, t1Ns: middleNs + half };
}

/** Short name for pages. */
export const fit = fitViewport;

/** The nearest view that is allowed: at least 1 µs wide, at most the data with its overhang, and never beside the data. */
export function clampViewport(viewport: Viewport, bounds: Bounds): Viewport {
  const dataNs = Math.max(MIN_SPAN_NS, bounds.toNs - bounds.fromNs);
  const wished = viewport.t1Ns - viewport.t0Ns;
  const spanNs = Number.isFinite(wished) ? Math.min(Math.max(wished, MIN_SPAN_NS), dataNs) : dataNs;
  const overhangNs = spanNs === dataNs ? 0 : spanNs * OVERHANG_RATIO;
  const middleNs = Number.isFinite(wished) ? (viewport.t0Ns + viewport.t1Ns) / 2 : (bounds.fromNs + bounds.toNs) / 2;
  const firstNs = bounds.fromNs - overhangNs;
  const lastNs = Math.max(firstNs, bounds.fromNs + dataNs + overhangNs - spanNs);
  const t0Ns = Math.min(Math.max(middleNs - spanNs / 2, firstNs), lastNs);
  return { t0Ns, t1Ns: t0Ns + spanNs };
}

/** The view moved, not zoomed, so that `atNs` lies inside with `marginRatio` of its width to spare; itself if it does. */
export function reveal(viewport: Viewport, atNs: Ns, marginRatio = 0.1): Viewport {
  const marginNs = (viewport.t1Ns - viewport.t0Ns) * marginRatio;
  if (atNs < viewport.t0Ns + marginNs) return shiftBy(viewport, atNs - marginNs - viewport.t0Ns);
  if (atNs > viewport.t1Ns - marginNs) return shiftBy(viewport, atNs + marginNs - viewport.t1Ns);
  return viewport;
}
