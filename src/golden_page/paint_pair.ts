// Paints lanes of stints: recorded above simulated, a pair a CPU, on one axis.

import { axisUnit, formatTimeAxis } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import type { Stint } from '../testing/golden/observation.ts';
import { ticksFor } from '../view/ticks.ts';

export const AXIS_PX = 24;
export const LANE_PX = 34;
const GAP_PX = 12;
/** Below this a stint is a part of its column. */
const THIN_PX = 2;
const TICK_SPACING_PX = 110;
/** Room that a name needs beside its letters. */
const LABEL_MARGIN_PX = 10;

export interface Range {
  readonly t0Ns: Ns;
  readonly t1Ns: Ns;
}

export interface PlotLane {
  readonly side: 'recorded' | 'simulated';
  readonly cpu: number;
  readonly stints: readonly Stint[];
  readonly topPx: number;
}

export interface PairPicture {
  readonly lanes: readonly PlotLane[];
  readonly range: Range;
  /** Where phases begin. */
  readonly startsNs: readonly Ns[];
  readonly threads: readonly string[];
  readonly colours: Readonly<Record<string, string>>;
  /** Of the page, not of the device. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Where the lanes stand: pairs by CPU. */
export function lanesOf(recorded: readonly Stint[], simulated: readonly Stint[], cpus: number): PlotLane[] {
  const lanes: PlotLane[] = [];
  for (let cpu = 0; cpu < cpus; cpu++) {
    const topPx = AXIS_PX + 6 + cpu * (2 * LANE_PX + GAP_PX);
    lanes.push({ side: 'recorded', cpu, stints: recorded.filter((s) => s.cpu === cpu), topPx });
    lanes.push({ side: 'simulated', cpu, stints: simulated.filter((s) => s.cpu === cpu), topPx: topPx + LANE_PX });
  }
  return lanes;
}

export function plotHeightPx(cpus: number): number {
  return AXIS_PX + 6 + cpus * (2 * LANE_PX + GAP_PX);
}

/** The custom property's number that a thread is drawn with; `coloursCount` of them exist. */
export function slotOf(threads: readonly string[], thread: string, coloursCount: number): number {
  return (threads.indexOf(thread) % coloursCount) + 1;
}

/** How many hues of threads a theme has. */
export function hueCount(colours: Readonly<Record<string, string>>): number {
  return Object.keys(colours).filter((name) => /^--thread-\d+$/.test(name)).length;
}

/** The stint of a lane at an instant, by bisection. */
export function stintAt(lane: PlotLane, atNs: Ns): Stint | undefined {
  let low = 0;
  let high = lane.stints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.stints[middle]!.fromNs <= atNs) low = middle + 1;
    else high = middle;
  }
  const stint = lane.stints[low - 1];
  return stint !== undefined && stint.toNs >= atNs ? stint : undefined;
}

/** `c` is scaled to page pixels. Cost: the stints, and columns x threads. */
export function paintPair(c: CanvasRenderingContext2D, p: PairPicture): void {
  c.fillStyle = p.colours['--surface'] ?? '';
  c.fillRect(0, 0, p.widthPx, p.heightPx);
  paintAxis(c, p);
  for (const lane of p.lanes) paintLane(c, p, lane);
  paintStarts(c, p);
}

function xOf(p: PairPicture, ns: Ns): number {
  return ((ns - p.range.t0Ns) / (p.range.t1Ns - p.range.t0Ns)) * p.widthPx;
}

function paintAxis(c: CanvasRenderingContext2D, p: PairPicture): void {
  const { atNs, stepNs } = ticksFor(p.range, p.widthPx, TICK_SPACING_PX);
  const unit = axisUnit(stepNs, p.range.t1Ns);
  c.font = `11px ${p.colours['--ui'] ?? 'sans-serif'}`;
  c.textBaseline = 'middle';
  for (const ns of atNs) {
    const x = Math.round(xOf(p, ns));
    c.fillStyle = p.colours['--grid'] ?? '';
    c.fillRect(x, AXIS_PX - 6, 1, p.heightPx);
    const text = formatTimeAxis(ns, stepNs, unit);
    if (x + 4 + c.measureText(text).width > p.widthPx) continue;
    c.fillStyle = p.colours['--text2'] ?? '';
    c.fillText(text, x + 4, AXIS_PX / 2);
  }
}

function paintStarts(c: CanvasRenderingContext2D, p: PairPicture): void {
  c.fillStyle = p.colours['--text'] ?? '';
  for (const ns of p.startsNs) {
    const x = Math.round(xOf(p, ns));
    if (x >= 0 && x < p.widthPx) c.fillRect(x, AXIS_PX, 1, p.heightPx - AXIS_PX);
  }
}

function paintLane(c: CanvasRenderingContext2D, p: PairPicture, lane: PlotLane): void {
  const top = lane.topPx + 2;
  const height = LANE_PX - 4;
  c.fillStyle = p.colours['--sunken'] ?? '';
  c.fillRect(0, top, p.widthPx, height);
  const hues = hueCount(p.colours);
  const threads = p.threads.length;
  const columns = new Float64Array(Math.ceil(p.widthPx) * threads);
  const wide: Stint[] = [];
  for (const stint of lane.stints) {
    const from = Math.max(0, xOf(p, stint.fromNs));
    const to = Math.min(p.widthPx, xOf(p, stint.toNs));
    if (to <= 0 || from >= p.widthPx) continue;
    if (to - from >= THIN_PX) wide.push(stint);
    else addThin(columns, threads, p.threads.indexOf(stint.thread), from, to);
  }
  for (let x = 0; x * threads < columns.length; x++) {
    let y = top + height;
    for (let i = 0; i < threads; i++) {
      const part = columns[x * threads + i]!;
      if (part === 0) continue;
      c.fillStyle = p.colours[`--thread-${(i % hues) + 1}`] ?? '';
      // A hair is still to be seen.
      const tall = Math.max(1, part * height);
      y = Math.max(top, y - tall);
      c.fillRect(x, y, 1, tall);
    }
  }
  c.font = `500 11px ${p.colours['--ui'] ?? 'sans-serif'}`;
  c.textBaseline = 'middle';
  for (const stint of wide) {
    const from = Math.max(0, xOf(p, stint.fromNs));
    const width = Math.min(p.widthPx, xOf(p, stint.toNs)) - from;
    const slot = slotOf(p.threads, stint.thread, hues);
    c.fillStyle = p.colours[`--thread-${slot}`] ?? '';
    c.fillRect(from, top, Math.max(1, width - (width > 6 ? 1 : 0)), height);
    if (width < 24 || width < c.measureText(stint.thread).width + LABEL_MARGIN_PX) continue;
    c.fillStyle = p.colours[`--on-thread-${slot}`] ?? '';
    c.fillText(stint.thread, from + LABEL_MARGIN_PX / 2, top + height / 2 + 0.5);
  }
}

/** A part of one column, or of two where it lies across their edge. */
function addThin(columns: Float64Array, threads: number, thread: number, from: number, to: number): void {
  for (let x = Math.floor(from); x < to; x++) {
    const at = x * threads + thread;
    if (at >= 0 && at < columns.length) columns[at]! += Math.min(to, x + 1) - Math.max(from, x);
  }
}
