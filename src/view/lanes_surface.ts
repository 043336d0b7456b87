// The lanes' canvas: one image in memory, painted by hand and handed over as a whole, or the part of it that changed.

import type { Viewport } from './api.ts';
import type { LanesFrame } from './lane_context.ts';
import { paintGrowth, paintLanes } from './paint_lanes.ts';
import { createRasterPainter, type RasterPainter } from './raster_painter.ts';

export interface LanesSurface {
  resize(widthPx: number, heightPx: number, dpr: number): void;
  /** Moves the patterns along with the view. */
  follow(viewport: Viewport): void;
  /** Paints everything. undefined: nothing to show. */
  paint(frame: LanesFrame | undefined): void;
  /**
   * Paints what rows at the end of the data changed since the last frame, in everything else equal to `frame`.
   * Returns whether labels changed.
   */
  paintGrowth(frame: LanesFrame): boolean;
}

export function createLanesSurface(canvas: HTMLCanvasElement): LanesSurface {
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) throw new Error('bug: it must hold that a canvas has a 2D context');
  let image = new ImageData(1, 1);
  let painter: RasterPainter = createRasterPainter(new Uint32Array(image.data.buffer), 1, 1);
  let last: Viewport | undefined;
  let seen = 0;
  /** How far the data reached in the last frame; undefined: there is no such frame. */
  let paintedToNs: number | undefined;

  function paint(frame: LanesFrame | undefined): void {
    if (frame === undefined) painter.pixels.fill(0xffffffff);
    else seen = paintLanes(frame, painter);
    paintedToNs = frame?.trace.watermarkNs;
    context!.putImageData(image, 0, 0);
  }

  return {
    resize(widthPx, heightPx, dpr) {
      canvas.width = Math.max(1, Math.round(widthPx * dpr));
      canvas.height = Math.max(1, Math.round(heightPx * dpr));
      canvas.style.width = `${widthPx}px`;
      canvas.style.height = `${heightPx}px`;
      image = new ImageData(canvas.width, canvas.height);
      const { originX } = painter;
      painter = createRasterPainter(new Uint32Array(image.data.buffer), canvas.width, canvas.height);
      painter.originX = originX;
      paintedToNs = undefined;
    },
    follow(viewport) {
      const spanNs = viewport.t1Ns - viewport.t0Ns;
      // While the scale stays the same a hatch moves with its bar; while zooming it keeps its place on screen.
      if (last !== undefined && Math.abs(last.t1Ns - last.t0Ns - spanNs) < spanNs * 1e-6) {
        painter.originX -= Math.round(((viewport.t0Ns - last.t0Ns) / spanNs) * painter.widthPx);
      }
      last = viewport;
    },
    paint,
    paintGrowth(frame) {
      const growth = paintedToNs === undefined ? undefined : paintGrowth(frame, painter, paintedToNs, seen);
      if (growth === undefined) {
        paint(frame);
        return true;
      }
      const { fromPx, toPx } = growth;
      if (toPx > fromPx) {
        paintedToNs = frame.trace.watermarkNs;
        context.putImageData(image, 0, 0, fromPx, 0, toPx - fromPx, painter.heightPx);
      }
      return growth.labelsChanged;
    },
  };
}
