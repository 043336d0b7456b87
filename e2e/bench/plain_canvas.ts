// The obvious way to draw a timeline, as a yardstick: a rectangle for each segment in view.

import type { TraceStore } from '../../src/trace/trace_store.ts';
import type { Viewport } from '../../src/view/api.ts';

const COLOURS = ['#fff', '#1a8', '#d62', '#fc3', '#c33', '#9bd', '#777', '#eee', '#333', '#aaa', '#fff', '#58c'];

/** Paints the visible part of each lane with one fillRect a segment; no text, no axis. */
export function createPlainPainter(
  canvas: HTMLCanvasElement,
  trace: TraceStore,
  size: { readonly widthPx: number; readonly lanePx: number },
): (viewport: Viewport) => void {
  const context = canvas.getContext('2d')!;
  return ({ t0Ns, t1Ns }) => {
    const pxPerNs = size.widthPx / (t1Ns - t0Ns);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (let lane = 0; lane < trace.lanes.length; lane++) {
      const { startNs, kind, count } = trace.columns[lane]!;
      for (let i = firstVisible(startNs, count, t0Ns); i < count && startNs[i]! < t1Ns; i++) {
        const endNs = i + 1 < count ? startNs[i + 1]! : trace.watermarkNs;
        context.fillStyle = COLOURS[kind[i]!]!;
        context.fillRect(
          (startNs[i]! - t0Ns) * pxPerNs,
          lane * size.lanePx,
          (endNs - startNs[i]!) * pxPerNs,
          size.lanePx - 1,
        );
      }
    }
  };
}

function firstVisible(startNs: Float64Array, count: number, t0Ns: number): number {
  let lo = 0;
  let hi = count;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (startNs[middle]! <= t0Ns) lo = middle + 1;
    else hi = middle;
  }
  return Math.max(0, lo - 1);
}
