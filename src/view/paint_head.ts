// Heads of the groups: a quiet band, a hint how to read the group, and the legend, which lists only what is on screen.

import type { Row } from './api.ts';
import type { Inks } from './inks.ts';
import { fontOf, type Label, nextLabel } from './labels.ts';
import { type LanesFrame, Seen } from './lane_context.ts';
import type { Ink, LanePainter } from './painter.ts';
import { Corner } from './painter.ts';

const HEAD_FONT_PX = 11.5;
const SWATCH_PX = 22;
const GAP_PX = 6;
const ITEM_GAP_PX = 16;

const HINTS: Readonly<Record<string, string>> = {
  cpus: 'colour says which thread',
  locks: 'bar: holder \u00b7 lines: who waits, hatched while spinning',
};

export function paintHead(
  frame: LanesFrame,
  painter: LanePainter,
  inks: Inks,
  row: Row & { readonly row: 'head' },
  seen: number,
): void {
  const { dpr } = frame;
  const y0 = Math.round(row.yPx * dpr);
  const y1 = Math.round((row.yPx + row.heightPx) * dpr);
  painter.rect(inks.sunken, 0, y0, painter.widthPx, y1);
  if (row.key === 'threads') paintLegend(frame, painter, inks, row, seen);
  const hint = HINTS[row.key];
  if (hint !== undefined) headLabel(frame, inks, row, 8, hint);
}

function headLabel(frame: LanesFrame, inks: Inks, row: Row, xPx: number, text: string): number {
  const width = frame.measure(fontOf(400, HEAD_FONT_PX), text);
  const label: Label = nextLabel(frame.labels);
  label.x0Px = xPx;
  label.x1Px = xPx + width + 20;
  label.endPx = 0;
  label.topPx = row.yPx;
  label.bottomPx = row.yPx + row.heightPx;
  label.fontPx = HEAD_FONT_PX;
  label.weight = 400;
  label.colour = inks.tokens.text2;
  label.plate = '';
  label.fixed = true;
  label.centred = false;
  label.forms = [text];
  label.padPx = 0;
  return width;
}

type Swatch = (p: LanePainter, inks: Inks, x0: number, y0: number, x1: number, y1: number) => void;

const ITEMS: readonly { readonly bit: number; readonly text: string; readonly swatch: Swatch }[] = [
  { bit: Seen.run, text: 'runs', swatch: (p, inks, ...box) => bar(p, inks, inks.run.solid, box) },
  {
    bit: Seen.spin,
    text: 'spins',
    swatch: (p, inks, ...box) => edged(p, inks, inks.spinState.solid, inks.spinState.spin, box),
  },
  {
    bit: Seen.runnable,
    text: 'runnable, no CPU',
    swatch: (p, inks, ...box) => edged(p, inks, inks.wait.solid, inks.waitTint, box),
  },
  {
    bit: Seen.blocked,
    text: 'waits for a lock',
    swatch: (p, inks, ...box) => edged(p, inks, inks.block.solid, inks.block.cross, box),
  },
  { bit: Seen.throttled, text: 'throttled', swatch: throttled },
  { bit: Seen.sleep, text: 'sleeps', swatch: sleeps },
  {
    bit: Seen.realTime,
    text: 'real-time',
    swatch: (p, inks, ...box) => edges(p, inks, box, inks.run.rtComb, undefined),
  },
  {
    bit: Seen.deadline,
    text: 'deadline',
    swatch: (p, inks, ...box) => edges(p, inks, box, inks.run.deadlineComb, undefined),
  },
  {
    bit: Seen.boosted,
    text: 'inherits priority',
    swatch: (p, inks, ...box) => edges(p, inks, box, inks.boost, undefined),
  },
  { bit: Seen.holdsLock, text: 'holds a lock', swatch: (p, inks, ...box) => edges(p, inks, box, undefined, inks.lock) },
  {
    bit: Seen.unknown,
    text: 'unknown',
    swatch: (p, inks, ...box) => edges(p, inks, box, inks.ghostDash, inks.ghostDash),
  },
];

function paintLegend(frame: LanesFrame, painter: LanePainter, inks: Inks, row: Row, seen: number): void {
  const { dpr } = frame;
  const middle = row.yPx + row.heightPx / 2;
  let x = 8;
  for (const item of ITEMS) {
    if ((seen & item.bit) === 0) continue;
    const width = frame.measure(fontOf(400, HEAD_FONT_PX), item.text);
    if (x + SWATCH_PX + GAP_PX + width > frame.widthPx - 8) return;
    item.swatch(
      painter,
      inks,
      Math.round(x * dpr),
      Math.round((middle - 5.5) * dpr),
      Math.round((x + SWATCH_PX) * dpr),
      Math.round((middle + 5.5) * dpr),
    );
    x += SWATCH_PX + GAP_PX;
    x += headLabel(frame, inks, row, x, item.text) + ITEM_GAP_PX;
  }
}

type Box = readonly [number, number, number, number];

function bar(p: LanePainter, inks: Inks, ink: Ink, [x0, y0, x1, y1]: Box): void {
  p.bar(ink, x0, y0, x1, y1, 1.5 * inks.dpr, Corner.both);
}

function edged(p: LanePainter, inks: Inks, edge: Ink, fill: Ink, [x0, y0, x1, y1]: Box): void {
  const edgePx = Math.max(1, Math.round(inks.dpr * 1.2));
  p.bar(edge, x0, y0, x1, y1, 1.5 * inks.dpr, Corner.both);
  p.rect(fill, x0 + edgePx, y0 + edgePx, x1 - edgePx, y1 - edgePx);
}

function throttled(p: LanePainter, inks: Inks, x0: number, y0: number, x1: number, y1: number): void {
  edged(p, inks, inks.throttle.solid, inks.throttle.tint, [x0, y0, x1, y1]);
  const step = Math.max(2, Math.round(3 * inks.dpr));
  for (let y = y0 + step; y < y1 - 1; y += step)
    p.rect(inks.throttle.solid, x0, y, x1, y + Math.max(1, Math.round(inks.dpr)));
}

function sleeps(p: LanePainter, inks: Inks, x0: number, y0: number, x1: number, y1: number): void {
  const middle = (y0 + y1) >> 1;
  p.rect(inks.sleep, x0, middle - Math.max(1, Math.round(inks.dpr)), x1, middle + Math.max(1, Math.round(inks.dpr)));
}

/** An empty bar with the edge that is meant. */
function edges(p: LanePainter, inks: Inks, [x0, y0, x1, y1]: Box, top: Ink | undefined, foot: Ink | undefined): void {
  const edgePx = Math.max(1, Math.round(inks.dpr));
  p.rect(inks.ghost, x0, y0 + 3 * edgePx, x1, y1);
  p.rect(inks.lane, x0 + edgePx, y0 + 4 * edgePx, x1 - edgePx, y1 - edgePx);
  if (top !== undefined) p.rect(top, x0, y0 - edgePx, x1, y0 + 2 * edgePx);
  if (foot !== undefined) p.rect(foot, x0, y1 - edgePx, x1, y1 + 2 * edgePx);
}
