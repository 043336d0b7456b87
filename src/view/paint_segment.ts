// One wide segment of a CPU or thread lane: its fill by state, its top edge by priority, its bottom edge by lock.
// The forms are those of the encoding sheet; each can be told from the others without colour.

import { NONE } from '../trace/ids.ts';
import { lastRowAt } from '../trace/lane_search.ts';
import { SegFlag, SegKind } from '../trace/segments.ts';
import { hueOf } from './hues.ts';
import type { HueInks } from './inks.ts';
import { labelSegment } from './label_segment.ts';
import { type LaneContext, Seen } from './lane_context.ts';
import { Corner } from './painter.ts';

/** Paints row `row` of the lane over [left, right) whole device px; its ends may lie outside the view. */
export function paintSegment(c: LaneContext, row: number, left: number, right: number): void {
  const kind = c.columns.kind[row]!;
  if (kind === SegKind.absent || kind === SegKind.free) return;
  const end = Math.max(left + 1, right - c.metrics.gapPx);
  switch (kind) {
    case SegKind.run:
      paintRun(c, hueOf(c, row, kind), left, end);
      c.seen |= Seen.run;
      break;
    case SegKind.spin:
      paintSpin(c, hueOf(c, row, kind), left, end);
      c.seen |= Seen.spin;
      break;
    case SegKind.runnable:
      paintRunnable(c, row, left, end);
      c.seen |= Seen.runnable;
      break;
    case SegKind.blocked:
      paintBlocked(c, left, end);
      c.seen |= Seen.blocked;
      break;
    case SegKind.throttled:
      paintThrottled(c, left, end);
      c.seen |= Seen.throttled;
      break;
    case SegKind.sleep:
      paintSleep(c, left, right);
      c.seen |= Seen.sleep;
      break;
    case SegKind.idle:
      c.painter.rect(c.inks.idleDots, left, c.fillEndY - Math.max(1, Math.round(c.inks.dpr)), right, c.fillEndY);
      break;
    case SegKind.irq:
      c.painter.rect(c.inks.irq, left, c.topPx + c.metrics.hollowPx, right, c.topPx + c.metrics.heightPx - 1);
      break;
    case SegKind.unknown:
      paintUnknown(c, left, end);
      c.seen |= Seen.unknown;
      break;
  }
  paintTopEdge(c, row, kind, left, right);
  if ((c.columns.flags[row]! & SegFlag.holdsLock) !== 0) paintLockLine(c, row, left, right);
  if (c.labelled) labelSegment(c, row, left, right);
}

function paintRun(c: LaneContext, hue: HueInks, x0: number, x1: number): void {
  const { segmentEdge } = c.inks;
  const { radiusPx, edgePx } = c.metrics;
  if (segmentEdge === undefined || x1 - x0 < c.metrics.edgedFromPx) {
    c.painter.bar(hue.solid, x0, c.fillY, x1, c.fillEndY, radiusPx, Corner.both);
    return;
  }
  c.painter.bar(segmentEdge, x0, c.fillY, x1, c.fillEndY, radiusPx, Corner.both);
  c.painter.rect(hue.solid, x0 + edgePx, c.fillY + edgePx, x1 - edgePx, c.fillEndY - edgePx);
}

function paintSpin(c: LaneContext, hue: HueInks, x0: number, x1: number): void {
  const { radiusPx, edgePx, edgedFromPx } = c.metrics;
  if (x1 - x0 < edgedFromPx) {
    c.painter.rect(hue.spin, x0, c.fillY, x1, c.fillEndY);
    return;
  }
  const edge = c.inks.segmentEdge ?? hue.solid;
  c.painter.bar(edge, x0, c.fillY, x1, c.fillEndY, radiusPx, Corner.both);
  c.painter.rect(hue.spin, x0 + edgePx, c.fillY + edgePx, x1 - edgePx, c.fillEndY - edgePx);
}

/** Hollow, a little higher than a fill, edge 1.5 px: the second pixel of the edge is half as strong. */
function paintRunnable(c: LaneContext, row: number, x0: number, x1: number): void {
  const { hollowPx, radiusPx, scale } = c.metrics;
  const edge = 1.5 * scale * c.inks.dpr;
  const whole = Math.floor(edge);
  const y0 = c.fillY - hollowPx;
  const y1 = c.fillEndY + hollowPx;
  c.painter.bar(c.inks.wait.solid, x0, y0, x1, y1, radiusPx * 1.3, Corner.both);
  let inset = whole;
  if (edge - whole > 0.2) {
    c.painter.rect(c.inks.waitEdgeSoft, x0 + inset, y0 + inset, x1 - inset, y1 - inset);
    inset++;
  }
  c.painter.rect(c.inks.waitTint, x0 + inset, y0 + inset, x1 - inset, y1 - inset);
  if ((c.columns.flags[row]! & SegFlag.preempted) !== 0 && x1 - x0 > c.metrics.edgedFromPx) {
    c.painter.glyph(c.inks.notch, c.inks.wait.solid, x0 + whole, y0 + whole);
  }
}

function paintBlocked(c: LaneContext, x0: number, x1: number): void {
  const { radiusPx, edgePx, edgedFromPx } = c.metrics;
  const { block } = c.inks;
  if (x1 - x0 < edgedFromPx) {
    c.painter.rect(block.cross, x0, c.fillY, x1, c.fillEndY);
    return;
  }
  c.painter.bar(block.solid, x0, c.fillY, x1, c.fillEndY, radiusPx, Corner.both);
  c.painter.rect(block.cross, x0 + edgePx, c.fillY + edgePx, x1 - edgePx, c.fillEndY - edgePx);
}

/** Level bars with a period of 4 px that end at the floor, and an edge. */
function paintThrottled(c: LaneContext, x0: number, x1: number): void {
  const { edgePx, edgedFromPx, scale } = c.metrics;
  const { throttle } = c.inks;
  c.painter.rect(throttle.tint, x0, c.fillY, x1, c.fillEndY);
  const period = Math.max(3, Math.round(4 * scale * c.inks.dpr));
  const bar = Math.max(1, Math.round(1.6 * scale * c.inks.dpr));
  for (let y = c.fillEndY; y > c.fillY; y -= period) {
    c.painter.rect(throttle.solid, x0, Math.max(c.fillY, y - bar), x1, y);
  }
  if (x1 - x0 < edgedFromPx) return;
  c.painter.rect(throttle.solid, x0, c.fillY, x1, c.fillY + edgePx);
  c.painter.rect(throttle.solid, x0, c.fillY, x0 + edgePx, c.fillEndY);
  c.painter.rect(throttle.solid, x1 - edgePx, c.fillY, x1, c.fillEndY);
}

export function paintSleep(c: LaneContext, x0: number, x1: number): void {
  const y = c.topPx + c.metrics.midY - (c.metrics.sleepPx >> 1);
  c.painter.rect(c.inks.sleep, x0, y, x1, y + c.metrics.sleepPx);
}

function paintUnknown(c: LaneContext, x0: number, x1: number): void {
  const { edgePx } = c.metrics;
  const { ghostDash, ghost } = c.inks;
  c.painter.rect(ghostDash, x0, c.fillY, x1, c.fillY + edgePx);
  c.painter.rect(ghostDash, x0, c.fillEndY - edgePx, x1, c.fillEndY);
  const dash = Math.round(3 * c.inks.dpr);
  for (let y = c.fillY; y < c.fillEndY; y += dash + Math.round(2 * c.inks.dpr)) {
    const end = Math.min(c.fillEndY, y + dash);
    c.painter.rect(ghost, x0, y, x0 + edgePx, end);
    c.painter.rect(ghost, x1 - edgePx, y, x1, end);
  }
}

/** Comb of a real-time or deadline thread, or the ribbon of an inherited priority. */
function paintTopEdge(c: LaneContext, row: number, kind: number, x0: number, x1: number): void {
  const flags = c.columns.flags[row]!;
  if ((flags & (SegFlag.rt | SegFlag.dl | SegFlag.boosted)) === 0 || !hasTopEdge(kind)) return;
  const { metrics: m, inks } = c;
  if ((flags & SegFlag.boosted) !== 0) {
    c.seen |= Seen.boosted;
    c.painter.rect(inks.boost, x0, c.topPx + m.ribbonY, x1, c.topPx + m.ribbonEndY);
    if (boostStartsAt(c, row)) {
      c.painter.glyph(inks.chevron, inks.boost, x0, c.topPx + m.ribbonY - inks.chevron.heightPx + 1);
    }
    return;
  }
  const hue = kind === SegKind.runnable ? inks.wait : kind === SegKind.throttled ? inks.throttle : hueOf(c, row, kind);
  const isDeadline = (flags & SegFlag.dl) !== 0;
  c.seen |= isDeadline ? Seen.deadline : Seen.realTime;
  c.painter.rect(isDeadline ? hue.deadlineComb : hue.rtComb, x0, c.topPx + m.combY, x1, c.topPx + m.combEndY);
}

function hasTopEdge(kind: number): boolean {
  return (
    kind === SegKind.run ||
    kind === SegKind.spin ||
    kind === SegKind.runnable ||
    kind === SegKind.throttled ||
    kind === SegKind.blocked
  );
}

/** On a CPU lane the row before must show the same thread: else the boost may have begun while it was elsewhere. */
function boostStartsAt(c: LaneContext, row: number): boolean {
  if (row === 0) return true;
  const { flags, who } = c.columns;
  if (c.kind === 'cpu' && who[row - 1] !== who[row]) return false;
  return (flags[row - 1]! & SegFlag.boosted) === 0;
}

/** The held lock's line, under waiting stretches too: a holder off the CPU is the story. Two locks: two thin lines. */
function paintLockLine(c: LaneContext, row: number, x0: number, x1: number): void {
  const { metrics: m, inks } = c;
  const top = c.topPx + m.lockLineY;
  const bottom = c.topPx + m.lockLineEndY;
  c.seen |= Seen.holdsLock;
  if (locksHeld(c, row) < 2 || bottom - top < 3) {
    c.painter.rect(inks.lock, x0, top, x1, bottom);
    return;
  }
  const thin = Math.max(1, Math.floor((bottom - top) * 0.4));
  c.painter.rect(inks.lock, x0, top, x1, top + thin);
  c.painter.rect(inks.lock, x0, bottom - thin, x1, bottom);
}

function locksHeld(c: LaneContext, row: number): number {
  const { trace, lockLaneIds } = c.frame;
  if (lockLaneIds.length < 2) return lockLaneIds.length;
  const task = c.kind === 'thread' ? trace.lanes[c.laneId]!.subject : c.columns.who[row]!;
  const atNs = c.columns.startNs[row]!;
  let held = 0;
  for (let i = 0; i < lockLaneIds.length && held < 2; i++) {
    const lock = trace.columns[lockLaneIds[i]!]!;
    const lockRow = lastRowAt(lock, atNs);
    if (lockRow >= 0 && lock.who[lockRow] === task && task !== NONE) held++;
  }
  return held;
}
