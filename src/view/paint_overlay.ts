// What moves over the lanes without their being painted again: labels, bands of verdicts, veil, hover, selection,
// arrows, flags, markers, playhead.

import { lastRowAt } from '../trace/lane_search.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Band, Flag, Row, ThemeName, Viewport } from './api.ts';
import type { Arrow } from './arrows.ts';
import type { Hex } from './colour.ts';
import { withAlpha } from './colour.ts';
import { fontOf, type LabelList, paintLabels } from './labels.ts';
import { displayName } from './names.ts';
import type { Painter } from './painter.ts';
import { isDark, THEMES, type Tokens } from './tokens.ts';

export interface OverlayFrame {
  readonly trace: TraceStore | undefined;
  readonly rows: readonly Row[];
  readonly viewport: Viewport;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly theme: ThemeName;
  readonly labels: LabelList;
  readonly bands: readonly Band[];
  readonly flags: readonly Flag[];
  readonly playheadNs: number;
  readonly veilFromNs: number;
  readonly selection: { readonly laneId: number; readonly startNs: number } | undefined;
  readonly hover: { readonly laneId: number; readonly startNs: number } | undefined;
  readonly markers: { readonly aNs: number | undefined; readonly bNs: number | undefined };
  readonly arrows: readonly Arrow[];
  /** A stretch that is being dragged out, with its length as text. */
  readonly range: { readonly fromNs: number; readonly toNs: number; readonly text: string } | undefined;
  readonly snap: (px: number, lineWidth: number) => number;
}

/** Solid, dashed: the two forms of a line. */
const SOLID: readonly number[] = [];
const DASHED: readonly number[] = [4, 3];
export const PLAYHEAD_PX = 1.75;

export function paintOverlay(f: OverlayFrame, p: Painter): void {
  const t = THEMES[f.theme];
  p.clear();
  if (f.trace !== undefined) {
    paintLabels(f.labels, p, f.widthPx, obstaclesOf(f), xAt(f, f.veilFromNs));
    paintBands(f, p, t);
    paintVeil(f, p, t);
    paintFlags(f, p, t);
    if (f.hover !== undefined) paintHover(f, p, t, f.hover);
    if (f.selection !== undefined) paintSelection(f, p, t, f.selection);
    for (const arrow of f.arrows) paintArrow(f, p, t, arrow);
  }
  paintRange(f, p, t);
  paintMarkers(f, p, t);
  paintPlayhead(f, p, t);
}

function xAt(f: OverlayFrame, timeNs: number): number {
  return ((timeNs - f.viewport.t0Ns) / (f.viewport.t1Ns - f.viewport.t0Ns)) * f.widthPx;
}

const obstacles: number[] = [];

/** Lines that no label crosses, from left to right. */
function obstaclesOf(f: OverlayFrame): readonly number[] {
  obstacles.length = 0;
  const add = (timeNs: number | undefined): void => {
    if (timeNs === undefined) return;
    const x = xAt(f, timeNs);
    if (x > 0 && x < f.widthPx) obstacles.push(x);
  };
  add(f.playheadNs);
  add(f.markers.aNs);
  add(f.markers.bNs);
  for (const band of f.bands) add(band.fromNs);
  for (const flag of f.flags) add(flag.atNs);
  return obstacles.sort((a, b) => a - b);
}

/** Colour of a band and of what is written on it. */
export function toneColours(t: Tokens, tone: Band['tone']): { readonly fill: Hex; readonly text: Hex } {
  switch (tone) {
    case 'danger':
      return { fill: t.danger, text: t.onDanger };
    case 'warn':
      return { fill: t.warn, text: t.onWarn };
    case 'ok':
      return { fill: t.ok, text: t.onOk };
  }
}

function paintBands(f: OverlayFrame, p: Painter, t: Tokens): void {
  for (const band of f.bands) {
    const x0 = Math.max(0, xAt(f, band.fromNs));
    // What the veil covers is not told beforehand.
    const x1 = Math.min(f.widthPx, xAt(f, f.veilFromNs), band.forever ? f.widthPx : xAt(f, band.toNs));
    if (x1 <= 0 || x0 >= f.widthPx || x1 <= x0) continue;
    const { fill } = toneColours(t, band.tone);
    const alpha = band.tone === 'ok' ? (isDark(f.theme) ? 0.06 : 0.045) : isDark(f.theme) ? 0.1 : 0.075;
    p.fillRect(withAlpha(fill, alpha), x0, 0, x1 - x0, f.heightPx);
    if (xAt(f, band.fromNs) >= 0) line(f, p, fill, 2, xAt(f, band.fromNs), SOLID);
  }
}

/** Over the lanes only: heads with their legend are no part of the future. */
function paintVeil(f: OverlayFrame, p: Painter, t: Tokens): void {
  const x = Math.max(0, xAt(f, f.veilFromNs));
  if (!(x < f.widthPx)) return;
  const veil = withAlpha(t.canvas, 0.72);
  // What pinned rows cover is veiled by them, once.
  const pinnedY = f.rows.find((row) => row.pinned === true)?.yPx ?? Number.POSITIVE_INFINITY;
  for (const row of f.rows) {
    const heightPx = row.pinned === true ? row.heightPx : Math.min(row.heightPx, pinnedY - row.yPx);
    if (row.row === 'lane') p.fillRect(veil, x, row.yPx, f.widthPx - x, heightPx);
  }
}

function line(f: OverlayFrame, p: Painter, colour: string, width: number, x: number, dash: readonly number[]): void {
  const at = f.snap(x, width);
  p.line(colour, width, at, 0, at, f.heightPx, dash);
}

function paintMarkers(f: OverlayFrame, p: Painter, t: Tokens): void {
  const { aNs, bNs } = f.markers;
  if (aNs !== undefined && isInView(f, aNs)) line(f, p, t.ok, 1.5, xAt(f, aNs), SOLID);
  if (bNs !== undefined && isInView(f, bNs)) line(f, p, t.boost, 1.5, xAt(f, bNs), DASHED);
}

function paintPlayhead(f: OverlayFrame, p: Painter, t: Tokens): void {
  if (isInView(f, f.playheadNs)) line(f, p, t.accent, PLAYHEAD_PX, xAt(f, f.playheadNs), SOLID);
}

function isInView(f: OverlayFrame, timeNs: number): boolean {
  return timeNs >= f.viewport.t0Ns && timeNs <= f.viewport.t1Ns;
}

// --- hover and selection ---

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Narrowest outline: something must be seen around a segment of 1 px. */
const MIN_OUTLINE_PX = 6;

/** The segment that begins at or covers `startNs` on the lane, over the lane's whole height; undefined when it is not in view. */
function boxOf(f: OverlayFrame, of: { readonly laneId: number; readonly startNs: number }): Box | undefined {
  const row = f.rows.find((r) => r.row === 'lane' && r.laneId === of.laneId);
  const columns = f.trace?.columns[of.laneId];
  if (row === undefined || columns === undefined || f.trace === undefined) return undefined;
  const at = lastRowAt(columns, of.startNs);
  if (at < 0) return undefined;
  const endNs = at + 1 < columns.count ? columns.startNs[at + 1]! : f.trace.watermarkNs;
  const x0 = Math.max(-8, xAt(f, columns.startNs[at]!));
  const x1 = Math.min(f.widthPx + 8, xAt(f, endNs));
  if (x1 < -MIN_OUTLINE_PX || x0 > f.widthPx + MIN_OUTLINE_PX) return undefined;
  const width = Math.max(MIN_OUTLINE_PX, x1 - x0);
  return { x: (x0 + x1 - width) / 2, y: row.yPx, width, height: row.heightPx };
}

function paintHover(f: OverlayFrame, p: Painter, t: Tokens, of: { laneId: number; startNs: number }): void {
  const box = boxOf(f, of);
  if (box === undefined) return;
  p.strokeRound(t.text2, 1.25, box.x - 0.5, box.y + 1.5, box.width, box.height - 4, 3);
}

/** An outline round the whole lane with a halo, never a recolour. */
function paintSelection(f: OverlayFrame, p: Painter, t: Tokens, of: { laneId: number; startNs: number }): void {
  const box = boxOf(f, of);
  if (box === undefined) return;
  p.strokeRound(t.surface, 4.5, box.x - 1, box.y + 1, box.width + 1, box.height - 3, 4);
  p.strokeRound(t.text, 2, box.x - 1, box.y + 1, box.width + 1, box.height - 3, 4);
}

// --- arrows ---

function paintArrow(f: OverlayFrame, p: Painter, t: Tokens, arrow: Arrow): void {
  const from = f.rows.find((r) => r.row === 'lane' && r.laneId === arrow.fromLaneId);
  const to = f.rows.find((r) => r.row === 'lane' && r.laneId === arrow.toLaneId);
  if (from === undefined || to === undefined || from === to) return;
  const x0 = xAt(f, arrow.fromNs);
  const x1 = xAt(f, arrow.toNs);
  if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > f.widthPx) return;
  const down = to.yPx > from.yPx;
  const y0 = from.yPx + from.heightPx / 2;
  // The head ends on the near edge of the woken bar.
  const y1 = down ? to.yPx + 7 : to.yPx + to.heightPx - 6;
  const colour = arrow.kind === 'boost' ? t.boost : t.text;
  const bend = Math.max(4, Math.abs(y1 - y0) * 0.45) * (down ? 1 : -1);
  const back = down ? -5 : 5;
  const path = [x0, y0, x0, y0 + bend, x1, y1 + back - bend, x1, y1 + back];
  p.curve(t.surface, 4.5, path);
  p.curve(colour, 1.5, path);
  p.polygon(t.surface, [x1 - 6, y1 + back * 1.5, x1 + 6, y1 + back * 1.5, x1, y1 - back * 0.4]);
  p.polygon(colour, [x1 - 4, y1 + back * 1.3, x1 + 4, y1 + back * 1.3, x1, y1]);
  p.fillRound(t.surface, x0 - 3.5, y0 - 3.5, 7, 7, 3.5);
  p.fillRound(colour, x0 - 2.5, y0 - 2.5, 5, 5, 2.5);
}

// --- flags of interventions ---

const FLAG_FONT = fontOf(600, 11.5);
const FLAG_HEIGHT_PX = 17;

/** Flags stand in the first head, which has no bars to cover; without heads at the top of the lanes. */
function paintFlags(f: OverlayFrame, p: Painter, t: Tokens): void {
  const head = f.rows[0];
  let freeFromPx = 0;
  for (const flag of f.flags) {
    const x = xAt(f, flag.atNs);
    if (x < -1 || x > f.widthPx) continue;
    const text = displayName(flag.text);
    const width = p.measure(FLAG_FONT, text) + 16;
    if (head !== undefined && head.row === 'head' && freeFromPx === 0) {
      p.fillRect(t.sunken, 0, head.yPx, f.widthPx, head.heightPx - 1);
    }
    line(f, p, t.accent, 1, x, SOLID);
    const height = head?.row === 'head' ? head.heightPx : FLAG_HEIGHT_PX + 4;
    const y = (head?.yPx ?? 0) + (height - FLAG_HEIGHT_PX) / 2;
    const toRight = x + width + 8 <= f.widthPx;
    const left = toRight ? x + 8 : x - 8 - width;
    // Two flags at one place: the later one shows its line only; its words are in the table of events.
    if (left < freeFromPx || left < 0) continue;
    freeFromPx = left + width + 8;
    const tip = toRight
      ? [x, y + 8.5, left + 3, y + 2.5, left + 3, y + 14.5]
      : [x, y + 8.5, left + width - 3, y + 2.5, left + width - 3, y + 14.5];
    p.polygon(t.accent, tip);
    p.fillRound(t.accent, left, y, width, FLAG_HEIGHT_PX, 3);
    p.text(t.onAccent, FLAG_FONT, text, left + 8, y + 12.5, 'left');
  }
}

function paintRange(f: OverlayFrame, p: Painter, t: Tokens): void {
  if (f.range === undefined) return;
  const x0 = xAt(f, Math.min(f.range.fromNs, f.range.toNs));
  const x1 = xAt(f, Math.max(f.range.fromNs, f.range.toNs));
  p.fillRect(withAlpha(t.accent, 0.12), x0, 0, x1 - x0, f.heightPx);
  p.fillRect(t.accent, x0, 0, 1, f.heightPx);
  p.fillRect(t.accent, x1 - 1, 0, 1, f.heightPx);
  const width = p.measure(FLAG_FONT, f.range.text) + 16;
  const left = Math.max(2, Math.min(f.widthPx - width - 2, (x0 + x1 - width) / 2));
  p.fillRound(t.accent, left, 3, width, 18, 4);
  p.text(t.onAccent, FLAG_FONT, f.range.text, left + width / 2, 16, 'center');
}
