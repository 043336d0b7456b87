// Ruler and verdict strip over the lanes, as SVG: d3's axis with the project's own units, the flags of verdicts,
// the plates of playhead and markers.

import { axisBottom, type ScaleLinear, type Selection, scaleLinear, select } from 'd3';
import { AXIS_UNIT_NS, axisUnit, formatMs, formatShort, formatTimeAxis } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import type { Band, ThemeName, Viewport } from './api.ts';
import { fontOf } from './labels.ts';
import { displayName } from './names.ts';
import { PLAYHEAD_PX, toneColours } from './paint_overlay.ts';
import { ticksFor } from './ticks.ts';
import { THEMES, UI_FONT } from './tokens.ts';

/** Sizes of the strip over the lanes, CSS px. */
export interface AxisSize {
  readonly rulerPx: number;
  /** Height of the verdict strip; 0: none. */
  readonly stripPx: number;
  readonly tickFontPx: number;
  readonly plateFontPx: number;
  /** Distance of labelled ticks. */
  readonly spacingPx: number;
  /** Units stand at the ticks; else the page says the unit once. */
  readonly units: boolean;
}

export const AXIS_SIZES = {
  desk: { rulerPx: 25, stripPx: 19, tickFontPx: 11.5, plateFontPx: 12, spacingPx: 92, units: true },
  phone: { rulerPx: 25, stripPx: 19, tickFontPx: 12, plateFontPx: 13, spacingPx: 62, units: false },
  present: { rulerPx: 52, stripPx: 0, tickFontPx: 22, plateFontPx: 24, spacingPx: 220, units: true },
} as const satisfies Readonly<Record<string, AxisSize>>;

export interface AxisFrame {
  readonly viewport: Viewport;
  readonly widthPx: number;
  readonly theme: ThemeName;
  readonly size: AxisSize;
  readonly bands: readonly Band[];
  readonly playheadNs: Ns;
  /** Verdicts later than this are not told yet. */
  readonly veilFromNs: Ns;
  readonly markers: { readonly aNs: Ns | undefined; readonly bNs: Ns | undefined };
  readonly measure: (font: string, text: string) => number;
}

export interface Axis {
  /** Everything. */
  paint(frame: AxisFrame): void;
  /** Playhead, markers and verdicts only; called every frame while it plays. */
  paintPlates(frame: AxisFrame): void;
  destroy(): void;
}

type Group = Selection<SVGGElement, unknown, null, undefined>;

export function createAxis(svg: SVGSVGElement): Axis {
  const root = select(svg);
  const layer = (name: string): Group => root.append('g').attr('data-part', name);
  const strip = layer('strip');
  const minor = layer('minor');
  const major = layer('major');
  const bands = layer('bands');
  const markers = layer('markers');
  const playhead = layer('playhead');
  svg.setAttribute('aria-hidden', 'true');
  let tickXs: readonly { readonly x: number; readonly half: number; readonly node: SVGTextElement }[] = [];

  const paintPlates = (frame: AxisFrame): void => {
    paintBands(bands, frame);
    const plates = [...paintMarkers(markers, frame), ...paintPlayhead(playhead, frame)];
    // A tick's label under a plate would show at its sides.
    for (const tick of tickXs) {
      const covered = plates.some((plate) => tick.x + tick.half > plate.x0 - 3 && tick.x - tick.half < plate.x1 + 3);
      tick.node.setAttribute('visibility', covered ? 'hidden' : 'visible');
    }
  };

  return {
    paint(frame) {
      const height = frame.size.rulerPx + frame.size.stripPx;
      root
        .attr('width', frame.widthPx)
        .attr('height', height)
        .attr('viewBox', `0 0 ${frame.widthPx} ${height}`)
        .style('font-family', UI_FONT)
        .style('font-variant-numeric', 'tabular-nums lining-nums')
        .style('display', 'block');
      paintStrip(strip, frame);
      tickXs = paintTicks(major, minor, frame);
      paintPlates(frame);
    },
    paintPlates,
    destroy() {
      root.selectAll('*').remove();
    },
  };
}

function scaleOf(frame: AxisFrame): ScaleLinear<number, number> {
  return scaleLinear([frame.viewport.t0Ns, frame.viewport.t1Ns], [0, frame.widthPx]);
}

function paintStrip(group: Group, frame: AxisFrame): void {
  const t = THEMES[frame.theme];
  const { rulerPx, stripPx } = frame.size;
  group
    .selectAll<SVGRectElement, number>('rect')
    .data(stripPx > 0 ? [stripPx] : [])
    .join('rect')
    .attr('x', 0)
    .attr('y', rulerPx)
    .attr('width', frame.widthPx)
    .attr('height', stripPx)
    .attr('fill', t.sunken);
}

function paintTicks(
  major: Group,
  minor: Group,
  frame: AxisFrame,
): readonly { readonly x: number; readonly half: number; readonly node: SVGTextElement }[] {
  const t = THEMES[frame.theme];
  const { rulerPx, tickFontPx, units, spacingPx } = frame.size;
  const scale = scaleOf(frame);
  const ticks = ticksFor(frame.viewport, frame.widthPx, spacingPx);
  const unit = axisUnit(ticks.stepNs, Math.abs(frame.viewport.t1Ns));
  const large = rulerPx / 3.2;
  const axis = axisBottom(scale)
    .tickValues(ticks.atNs)
    .tickSize(-large)
    .tickPadding(0)
    .tickFormat((ns) => formatTimeAxis(Number(ns), Number(ns) === 0 ? AXIS_UNIT_NS[unit] : ticks.stepNs, unit, units));
  major.attr('transform', `translate(0, ${rulerPx})`).call(axis);
  major.attr('font-family', null).attr('font-size', tickFontPx);
  major.select('.domain').remove();
  major.selectAll('line').attr('stroke', t.borderStrong).attr('shape-rendering', 'crispEdges');
  paintMinorTicks(minor, frame, ticks.minorNs, -large / 2);
  const placed: Placed[] = [];
  const font = fontOf(400, tickFontPx);
  major.selectAll<SVGTextElement, number>('text').each(function (ns) {
    const width = frame.measure(font, this.textContent ?? '');
    const x = scale(ns);
    // Labels at the ends move inwards instead of being cut.
    const shift =
      Math.max(2, x - width / 2) - (x - width / 2) + Math.min(frame.widthPx - 2, x + width / 2) - (x + width / 2);
    select(this)
      .attr('fill', t.text2)
      .attr('y', -large - tickFontPx * 0.35)
      .attr('dy', 0)
      .attr('x', shift)
      .attr('display', null);
    placed.push({ x: x + shift, half: width / 2, node: this });
  });
  hideIfTouching(placed.at(0), placed.at(1));
  hideIfTouching(placed.at(-1), placed.at(-2));
  return placed;
}

/** One path: a hundred elements that come and go in every frame of a zoom cost more than the lanes. */
function paintMinorTicks(group: Group, frame: AxisFrame, atNs: readonly Ns[], heightPx: number): void {
  const scale = scaleOf(frame);
  // Where d3 puts the ticks of its axes.
  const offset = window.devicePixelRatio > 1 ? 0 : 0.5;
  let d = '';
  for (const ns of atNs) d += `M${scale(ns) + offset},0V${heightPx}`;
  group
    .selectAll<SVGPathElement, string>('path')
    .data([d])
    .join((enter) => enter.append('path').attr('fill', 'none').attr('shape-rendering', 'crispEdges'))
    .attr('transform', `translate(0, ${frame.size.rulerPx})`)
    .attr('stroke', THEMES[frame.theme].borderStrong)
    .attr('d', d);
}

/** A tick's label: its middle, half its width. */
interface Placed {
  readonly x: number;
  readonly half: number;
  readonly node: SVGTextElement;
}

const LABEL_GAP_PX = 6;

/** A label that was moved inwards at an end makes way for its neighbour, which stands at its own tick. */
function hideIfTouching(end: Placed | undefined, neighbour: Placed | undefined): void {
  if (end === undefined || neighbour === undefined || end === neighbour) return;
  const touches = Math.abs(end.x - neighbour.x) < end.half + neighbour.half + LABEL_GAP_PX;
  select(end.node).attr('display', touches ? 'none' : null);
}

function paintBands(group: Group, frame: AxisFrame): void {
  const visible = frame.size.stripPx > 0 ? frame.bands.filter((band) => isVisible(band, frame)) : [];
  group
    .selectAll<SVGGElement, Band>('g')
    .data(visible)
    .join((enter) => {
      const g = enter.append('g');
      g.append('path');
      g.append('text');
      return g;
    })
    .each(function (band) {
      paintBand(select<SVGGElement, Band>(this), band, frame);
    });
}

function isVisible(band: Band, frame: AxisFrame): boolean {
  const { t0Ns, t1Ns } = frame.viewport;
  return band.fromNs < Math.min(t1Ns, frame.veilFromNs) && (band.forever || band.toNs > t0Ns);
}

function paintBand(g: Selection<SVGGElement, Band, null, undefined>, band: Band, frame: AxisFrame): void {
  const t = THEMES[frame.theme];
  const scale = scaleOf(frame);
  const x0 = Math.max(0, scale(band.fromNs));
  const isCut = frame.veilFromNs < (band.forever ? frame.viewport.t1Ns : band.toNs);
  const endPx = isCut ? scale(frame.veilFromNs) : band.forever ? frame.widthPx : scale(band.toNs);
  const x1 = Math.max(x0 + 2, Math.min(frame.widthPx, endPx));
  const { rulerPx, stripPx } = frame.size;
  const colours = toneColours(t, band.tone);
  g.select('path')
    .attr('d', flagPath(x0, rulerPx, x1, stripPx, band.forever && !isCut))
    .attr('fill', colours.fill);
  const { text, x } = placeBandText(band, frame, x0, x1 - (band.forever ? 6 : 0));
  g.select('text')
    .text(text)
    .attr('x', x)
    .attr('y', rulerPx + stripPx / 2 + 4.2)
    .attr('font-size', 11.5)
    .attr('font-weight', 600)
    .attr('fill', colours.text);
}

/** The longest words that fit before the playhead's line where that crosses the flag, else right of it. */
function placeBandText(
  band: Band,
  frame: AxisFrame,
  x0: number,
  x1: number,
): { readonly text: string; readonly x: number } {
  const font = fontOf(600, 11.5);
  const line = scaleOf(frame)(frame.playheadNs);
  const isCrossed = line > x0 + 4 && line < x1;
  const texts = bandTexts(band);
  const fitting = (from: number, to: number): string | undefined =>
    texts.find((text) => frame.measure(font, text) <= to - from - 12);
  const before = fitting(x0, isCrossed ? line : x1);
  // One word before the line or all of them after it: the longer one says more.
  const after = isCrossed ? fitting(line, x1) : undefined;
  const isAfter =
    after !== undefined &&
    texts.indexOf(after) < texts.indexOf(before ?? '') + (before === undefined ? texts.length + 1 : 0);
  return isAfter ? { text: after, x: line + 7 } : { text: before ?? '', x: x0 + 7 };
}

/** From the whole text to its first word; a stall that doesn't say how long it lasts gets its length. */
export function bandTexts(band: Band): readonly string[] {
  const full = displayName(band.text);
  const isStall = band.tone === 'warn' && !band.forever && Number.isFinite(band.toNs);
  const withLength = isStall && !/\d/.test(full) ? `${full}, ${formatShort(band.toNs - band.fromNs)}` : full;
  const beforeProof = full.split('(', 1)[0]?.trim() ?? '';
  const firstPart = full.split(/[,:(]/u, 1)[0]?.trim() ?? '';
  const firstWord = full.split(/\s/u, 1)[0] ?? '';
  return [withLength, full, beforeProof, firstPart, firstWord.replace(/[,:]$/u, '')];
}

/** A flag: an arrow to the right for ever, square where it ends. */
function flagPath(x0: number, y: number, x1: number, height: number, forever: boolean): string {
  const top = y + 1;
  const end = y + height;
  if (!forever || x1 - x0 < 12) return `M${x0},${top}H${x1}V${end}H${x0}Z`;
  return `M${x0},${top}H${x1 - 7}L${x1},${(top + end) / 2}L${x1 - 7},${end}H${x0}Z`;
}

// --- plates ---

/** Stretch of the ruler that a plate covers. */
interface Covered {
  readonly x0: number;
  readonly x1: number;
}

function paintPlayhead(group: Group, frame: AxisFrame): readonly Covered[] {
  const t = THEMES[frame.theme];
  const { rulerPx, stripPx, plateFontPx, units } = frame.size;
  const x = scaleOf(frame)(frame.playheadNs);
  const isShown = x >= -0.5 && x <= frame.widthPx + 0.5;
  group.attr('display', isShown ? null : 'none');
  if (!isShown) return [];
  if (group.select('rect').empty()) {
    group.append('line');
    group.append('rect');
    group.append('text');
  }
  const whole = formatMs(frame.playheadNs);
  const text = units ? whole : whole.replace(/[^\d]*ms$/u, '');
  const width = frame.measure(fontOf(600, plateFontPx), text) + 14;
  const height = Math.round(plateFontPx * 1.45);
  const left = Math.max(0, Math.min(frame.widthPx - width, x - width / 2));
  const top = Math.max(1, Math.round((rulerPx - height) / 4));
  group
    .select('line')
    .attr('x1', x)
    .attr('x2', x)
    .attr('y1', top + height - 2)
    .attr('y2', rulerPx + stripPx)
    .attr('stroke', t.accent)
    .attr('stroke-width', PLAYHEAD_PX);
  group
    .select('rect')
    .attr('x', left)
    .attr('y', top)
    .attr('width', width)
    .attr('height', height)
    .attr('rx', 4)
    .attr('fill', t.accent);
  group
    .select('text')
    .text(text)
    .attr('x', left + width / 2)
    .attr('y', top + height / 2 + plateFontPx * 0.36)
    .attr('text-anchor', 'middle')
    .attr('font-size', plateFontPx)
    .attr('font-weight', 600)
    .attr('fill', t.onAccent);
  return [{ x0: left, x1: left + width }];
}

/** A: square flag with a cut corner to the left, solid line. B: round flag to the right, dashed line. */
function paintMarkers(group: Group, frame: AxisFrame): readonly Covered[] {
  const t = THEMES[frame.theme];
  const shown = [
    { letter: 'A', atNs: frame.markers.aNs, fill: t.ok, text: t.onOk },
    { letter: 'B', atNs: frame.markers.bNs, fill: t.boost, text: t.onAccent },
  ].filter((m): m is typeof m & { atNs: number } => {
    return m.atNs !== undefined && m.atNs >= frame.viewport.t0Ns && m.atNs <= frame.viewport.t1Ns;
  });
  const scale = scaleOf(frame);
  const { rulerPx, stripPx } = frame.size;
  group
    .selectAll<SVGGElement, (typeof shown)[number]>('g')
    .data(shown, (m) => m.letter)
    .join((enter) => {
      const g = enter.append('g');
      g.append('line');
      g.append('path');
      g.append('text');
      return g;
    })
    .each(function (m) {
      const g = select(this);
      const x = scale(m.atNs);
      const isA = m.letter === 'A';
      g.attr('data-marker', m.letter);
      g.select('line')
        .attr('x1', x)
        .attr('x2', x)
        .attr('y1', 4)
        .attr('y2', rulerPx + stripPx)
        .attr('stroke', m.fill)
        .attr('stroke-width', 1.5)
        .attr('stroke-dasharray', isA ? null : '4 3');
      g.select('path')
        .attr('d', isA ? squareFlag(x) : roundFlag(x))
        .attr('fill', m.fill);
      g.select('text')
        .text(m.letter)
        .attr('x', isA ? x - 8.5 : x + 8.5)
        .attr('y', 15.2)
        .attr('text-anchor', 'middle')
        .attr('font-size', 11)
        .attr('font-weight', 700)
        .attr('fill', m.text);
    });
  return shown.map((m) => {
    const x = scale(m.atNs);
    return m.letter === 'A' ? { x0: x - 17, x1: x + 1 } : { x0: x, x1: x + 17 };
  });
}

function squareFlag(x: number): string {
  return `M${x + 0.75},3V19H${x - 12}L${x - 17},14V3Z`;
}

function roundFlag(x: number): string {
  return `M${x},11a8.5,8.5 0 1,1 17,0a8.5,8.5 0 1,1 -17,0Z`;
}
