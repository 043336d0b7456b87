// The whole run at a glance: a row a CPU, run and spin only, the verdict as a line on top, the view as a frame.
// The rows are painted when data come; moving the frame puts the same pixels back and draws the frame anew.

import type { Ns } from '../base/units.ts';
import { type Bins, createBins } from '../trace/bins.ts';
import { binsFor } from '../trace/query.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Band, ThemeName, Viewport } from './api.ts';
import { createCanvasPainter } from './canvas_painter.ts';
import { mix } from './colour.ts';
import { createFrameScheduler } from './frame_scheduler.ts';
import { hatchGround } from './inks.ts';
import type { Overview, OverviewState } from './overview_api.ts';
import { watchFrame } from './overview_drag.ts';
import { frameOf } from './overview_frame.ts';
import { toneColours } from './paint_overlay.ts';
import type { LanePainter, Painter } from './painter.ts';
import { hatchInk, solidInk } from './patterns.ts';
import { createRasterPainter } from './raster_painter.ts';
import { isDark, THEMES } from './tokens.ts';

const ROWS = 1;
const FRAME = 2;

const VERDICT_PX = 4;
const BIN_PX = 2;

export function createOverview(canvas: HTMLCanvasElement): Overview {
  let state: OverviewState = {
    trace: undefined,
    viewport: { t0Ns: 0, t1Ns: 1_000_000 },
    bands: [],
    playheadNs: 0,
    theme: 'light',
  };
  let size = { widthPx: 1, heightPx: 1, dpr: 1 };
  let image = new ImageData(1, 1);
  const listeners: ((viewport: Viewport) => void)[] = [];
  const painter = createCanvasPainter(canvas);
  const context = canvas.getContext('2d');
  const scheduler = createFrameScheduler(paint);
  const stopDragging = watchFrame(canvas, {
    viewport: () => state.viewport,
    endNs: () => overviewEnd(state.trace),
    widthPx: () => size.widthPx,
    onViewport(viewport) {
      for (const listener of listeners) listener(viewport);
    },
  });

  function paint(bits: number): void {
    if ((bits & ROWS) !== 0) {
      image = new ImageData(canvas.width, canvas.height);
      const rows = createRasterPainter(new Uint32Array(image.data.buffer), canvas.width, canvas.height);
      paintOverviewRows(state.trace, state.theme, size.dpr, rows);
    }
    context?.putImageData(image, 0, 0);
    paintFrame(state, size.widthPx, size.heightPx, painter);
  }

  return {
    update(change) {
      const next = { ...state, ...change };
      const rows = next.trace !== state.trace || next.theme !== state.theme;
      const isSame = (Object.keys(change) as (keyof OverviewState)[]).every((part) => change[part] === state[part]);
      state = next;
      if (!isSame) scheduler.invalidate(rows ? ROWS | FRAME : FRAME);
    },
    dataChanged: () => scheduler.invalidate(ROWS | FRAME),
    resize(widthPx, heightPx, dpr) {
      if (size.widthPx === widthPx && size.heightPx === heightPx && size.dpr === dpr) return;
      size = { widthPx: Math.max(1, widthPx), heightPx: Math.max(1, heightPx), dpr: dpr > 0 ? dpr : 1 };
      painter.resize(size.widthPx, size.heightPx, size.dpr);
      scheduler.invalidate(ROWS | FRAME);
      scheduler.flush();
    },
    onViewport(listener) {
      listeners.push(listener);
    },
    flush: scheduler.flush,
    destroy() {
      scheduler.stop();
      stopDragging();
      listeners.length = 0;
    },
  };
}

/** End of the strip: the planned end of the run, or its data where they reach further. */
export function overviewEnd(trace: TraceStore | undefined): Ns {
  return trace === undefined ? 1_000_000 : Math.max(trace.meta.durationNs, trace.watermarkNs, 1_000);
}

let bins: Bins = createBins(1024);

/** Paints ground and rows over the whole surface, in device px. */
export function paintOverviewRows(
  trace: TraceStore | undefined,
  theme: ThemeName,
  dpr: number,
  painter: LanePainter,
): void {
  const t = THEMES[theme];
  painter.rect(solidInk('ground', t.lane), 0, 0, painter.widthPx, painter.heightPx);
  if (trace === undefined) return;
  const run = solidInk('run', isDark(theme) ? mix(t.lane, t.run, 0.85) : mix(t.lane, t.run, 0.55));
  const spin = hatchInk('spin hatch', t.spin, hatchGround(theme, t.spin), 4.2 * dpr, 2 * dpr);
  const cpus = trace.laneOf.cpu.filter((lane) => lane !== undefined);
  const topPx = Math.round((VERDICT_PX + 3) * dpr);
  const pitch = (painter.heightPx - topPx - 2 * dpr) / Math.max(1, cpus.length);
  const count = Math.ceil(painter.widthPx / (BIN_PX * dpr));
  if (bins.key.length < count) bins = createBins(count);
  const endNs = (overviewEnd(trace) * count * BIN_PX * dpr) / painter.widthPx;
  for (const [i, laneId] of cpus.entries()) {
    binsFor(trace, laneId, 0, endNs, count, bins);
    const floor = Math.round(topPx + (i + 1) * pitch) - (pitch > 4 * dpr ? Math.round(dpr) : 0);
    const top = Math.round(topPx + i * pitch);
    for (let bin = 0; bin < count; bin++) {
      const height = Math.max(1, floor - top);
      const x0 = Math.round(bin * BIN_PX * dpr);
      const x1 = Math.round((bin + 1) * BIN_PX * dpr);
      const busyPx = share(bins.busy[bin]!, height);
      const spinPx = share(bins.spin[bin]!, height);
      if (busyPx > spinPx) painter.rect(run, x0, floor - busyPx, x1, floor - spinPx);
      if (spinPx > 0) painter.rect(spin, x0, floor - spinPx, x1, floor);
    }
  }
}

function share(ratio: number, heightPx: number): number {
  return ratio <= 0 ? 0 : Math.max(1, Math.round(Math.min(1, ratio) * heightPx));
}

/** Verdict line, playhead and frame, in CSS px. */
export function paintFrame(state: OverviewState, widthPx: number, heightPx: number, p: Painter): void {
  const t = THEMES[state.theme];
  const pxPerNs = widthPx / overviewEnd(state.trace);
  for (const band of state.bands) {
    const x0 = band.fromNs * pxPerNs;
    const x1 = band.forever ? widthPx : band.toNs * pxPerNs;
    if (band.tone !== 'ok') p.fillRect(bandColour(band, state.theme), x0, 0, Math.max(2, x1 - x0), VERDICT_PX);
  }
  p.fillRect(t.accent, state.playheadNs * pxPerNs - 0.5, VERDICT_PX, 1, heightPx - VERDICT_PX);
  const frame = frameOf(state.viewport, pxPerNs, widthPx);
  p.strokeRound(t.surface, 5, frame.x0 + 1, 1.5, frame.x1 - frame.x0 - 2, heightPx - 3, 3);
  p.strokeRound(t.accent, 2, frame.x0 + 1, 1.5, frame.x1 - frame.x0 - 2, heightPx - 3, 3);
}

function bandColour(band: Band, theme: ThemeName): string {
  return toneColours(THEMES[theme], band.tone).fill;
}
