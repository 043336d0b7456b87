// The lanes' picture: grounds, time grid, segments, dense bins, locks, interrupts, heads with the legend. One pass
// over the visible rows of each lane; nothing here knows playhead, selection or hover (paint_overlay.ts does).

import type { Row } from './api.ts';
import { createBins } from './bins.ts';
import { inksFor } from './inks.ts';
import { clearLabels, dropLabels, dropLabelsAcross } from './labels.ts';
import { type LaneContext, type LanesFrame, xOf } from './lane_context.ts';
import { metricsFor } from './metrics.ts';
import { paintHead } from './paint_head.ts';
import { paintInterrupts } from './paint_interrupts.ts';
import { paintLockLane } from './paint_lock_lane.ts';
import { paintPadlocks } from './paint_padlocks.ts';
import { paintRibbon } from './paint_ribbon.ts';
import { paintSegment } from './paint_segment.ts';
import type { Ink, LanePainter } from './painter.ts';
import type { RasterPainter } from './raster_painter.ts';
import { walkLane } from './walk_lane.ts';

// One set for all lanes and frames: a frame allocates nothing per row.
const bins = createBins();

/** Paints all of `frame` and refills its labels. Returns what was seen, as bits of `Seen`. */
export function paintLanes(frame: LanesFrame, painter: LanePainter): number {
  clearLabels(frame.labels);
  const { dpr } = frame;
  const inks = inksFor(frame.theme, dpr, 1);
  const first = frame.rows[0];
  const last = frame.rows.at(-1);
  painter.rect(inks.beyond, 0, 0, painter.widthPx, Math.round((first?.yPx ?? 0) * dpr));
  const endPx = last === undefined ? 0 : Math.round((last.yPx + last.heightPx) * dpr);
  painter.rect(inks.beyond, 0, Math.max(0, endPx), painter.widthPx, painter.heightPx);
  let seen = 0;
  const pinnedY = pinnedYPx(frame.rows);
  for (const row of frame.rows) {
    if (row.pinned === true && row.yPx === pinnedY) paintPinnedGround(frame, painter, inks.lane, pinnedY);
    if (row.row === 'lane' && isVisible(row, frame)) seen |= paintLane(frame, painter, row);
  }
  // Heads last: the legend lists only what the lanes show.
  for (const row of frame.rows) {
    if (row.row === 'head' && isVisible(row, frame)) paintHead(frame, painter, inks, row, seen);
  }
  return seen;
}

/** Where the pinned rows begin, CSS px; undefined: none are. */
function pinnedYPx(rows: readonly Row[]): number | undefined {
  return rows.find((row) => row.pinned === true)?.yPx;
}

/** Clears what the row above the pinned ones left, its labels too. */
function paintPinnedGround(frame: LanesFrame, painter: LanePainter, ink: Ink, yPx: number): void {
  const above = frame.rows.findLast((row) => row.pinned !== true);
  const endPx = above === undefined ? 0 : Math.round((above.yPx + above.heightPx) * frame.dpr);
  const topPx = Math.round(yPx * frame.dpr);
  if (endPx < topPx) painter.rect(ink, 0, Math.max(0, endPx), painter.widthPx, topPx);
  dropLabelsAcross(frame.labels, yPx);
}

/** What rows that were added changed in the picture. */
export interface Growth {
  /** Device px columns that were painted; equal: none. */
  readonly fromPx: number;
  readonly toPx: number;
  readonly labelsChanged: boolean;
}

/**
 * After rows were added at the end of the data and nothing else changed: paints the columns that may differ from the
 * picture that knew the data up to `watermarkNs`. `seen` is what that picture returned. Returns undefined where all of
 * the frame has to be painted: there is hardly anything yet, or something new was seen and the legend changes.
 */
export function paintGrowth(
  frame: LanesFrame,
  painter: RasterPainter,
  watermarkNs: number,
  seen: number,
): Growth | undefined {
  const edgePx = CHANGING_PX * PROJECTOR * frame.dpr;
  const fromPx = Math.max(0, Math.floor(xAt(frame, painter, watermarkNs) - edgePx));
  const toPx = Math.min(painter.widthPx, Math.ceil(xAt(frame, painter, frame.trace.watermarkNs) + edgePx));
  if (fromPx >= toPx) return { fromPx, toPx: fromPx, labelsChanged: false };
  if (fromPx === 0) return undefined;
  const dropped = dropLabels(frame.labels, leadPx(fromPx, frame.dpr));
  const kept = frame.labels.count;
  painter.clipX = fromPx;
  painter.clipEndX = toPx;
  let now = seen;
  const inks = inksFor(frame.theme, frame.dpr, 1);
  const pinnedY = pinnedYPx(frame.rows);
  for (const row of frame.rows) {
    if (row.pinned === true && row.yPx === pinnedY) paintPinnedGround(frame, painter, inks.lane, pinnedY);
    if (row.row === 'lane' && isVisible(row, frame)) now |= paintLane({ ...frame, fromPx }, painter, row);
    // A pinned head lies over the end of a lane that was painted just now; it has no legend.
    if (row.row === 'head' && row.pinned === true) {
      painter.rect(
        inks.sunken,
        0,
        Math.round(row.yPx * frame.dpr),
        painter.widthPx,
        Math.round((row.yPx + row.heightPx) * frame.dpr),
      );
    }
  }
  painter.clipX = 0;
  painter.clipEndX = painter.widthPx;
  return now === seen ? { fromPx, toPx, labelsChanged: dropped > 0 || frame.labels.count > kept } : undefined;
}

/** What new rows may change is as wide as this, CSS px: the open row's end with its edge, and the last bin. */
const CHANGING_PX = 24;
const PROJECTOR = 2.3;
/** Bins are gathered anew from so far left of what may change, CSS px: where the first of them begins is not theirs. */
const LEAD_PX = 20;

/** 0: from the start of the view on. */
function leadPx(fromPx: number, dpr: number): number {
  return Math.max(0, fromPx - Math.round(LEAD_PX * PROJECTOR * dpr));
}

function xAt({ viewport }: LanesFrame, painter: LanePainter, timeNs: number): number {
  return ((timeNs - viewport.t0Ns) / (viewport.t1Ns - viewport.t0Ns)) * painter.widthPx;
}

function isVisible(row: Row, frame: LanesFrame): boolean {
  return row.yPx < frame.heightPx && row.yPx + row.heightPx > 0;
}

function paintLane(frame: LanesFrame, painter: LanePainter, row: Row & { readonly row: 'lane' }): number {
  const { trace, dpr, viewport } = frame;
  const lane = trace.lanes[row.laneId];
  const columns = trace.columns[row.laneId];
  if (lane === undefined || columns === undefined) return 0;
  const ribbonPx = row.ribbonPx ?? 0;
  const metrics = metricsFor(row.heightPx - ribbonPx, dpr);
  const topPx = Math.round(row.yPx * dpr);
  const fromPx = leadPx(frame.fromPx ?? 0, dpr);
  const c: LaneContext = {
    frame,
    painter,
    inks: inksFor(frame.theme, dpr, metrics.scale),
    metrics,
    bins,
    kind: lane.kind,
    laneId: row.laneId,
    columns,
    t0Ns: viewport.t0Ns,
    pxPerNs: painter.widthPx / (viewport.t1Ns - viewport.t0Ns),
    widthPx: painter.widthPx,
    binNs: (metrics.binPx * (viewport.t1Ns - viewport.t0Ns)) / painter.widthPx,
    countsTasks: lane.kind !== 'thread',
    endNs: trace.watermarkNs,
    fromNs: fromPx > 0 ? timeAt(frame, painter, fromPx + 0.5) : viewport.t0Ns,
    topPx,
    fillY: topPx + metrics.fillY,
    fillEndY: topPx + metrics.fillEndY,
    labelled: true,
    seen: 0,
  };
  const endY = Math.round((row.yPx + row.heightPx) * dpr);
  paintGround(c, endY);
  if (lane.kind === 'lock') {
    paintLockLane(c, row.heightPx);
    return 0;
  }
  walkLane(c, paintSegment);
  if (ribbonPx > 0) paintRibbon(c, lane.subject, topPx + metrics.heightPx, endY);
  if (lane.kind === 'thread') paintPadlocks(c);
  if (lane.kind === 'cpu') paintInterrupts(c, lane.subject);
  return c.seen;
}

function timeAt({ viewport }: LanesFrame, painter: LanePainter, xPx: number): number {
  return viewport.t0Ns + (xPx * (viewport.t1Ns - viewport.t0Ns)) / painter.widthPx;
}

/** Ground where there are data, grid over it, a rule at the lane's foot. */
function paintGround(c: LaneContext, endY: number): void {
  const { painter, inks, frame } = c;
  const x0 = Math.max(0, Math.round(xOf(c, 0)));
  const x1 = Math.min(c.widthPx, Math.round(xOf(c, c.endNs)));
  painter.rect(inks.beyond, 0, c.topPx, x0, endY);
  painter.rect(inks.lane, x0, c.topPx, x1, endY);
  painter.rect(inks.beyond, Math.max(0, x1), c.topPx, c.widthPx, endY);
  const width = Math.max(1, Math.round(inks.dpr));
  for (const atNs of frame.gridNs) {
    const x = Math.round(xOf(c, atNs));
    painter.rect(inks.grid, x, c.topPx, x + width, endY);
  }
  painter.rect(inks.divider, 0, endY - width, c.widthPx, endY);
}
