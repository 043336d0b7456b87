// Labels of one frame: gathered while the lanes are painted, laid out and drawn with the overlay, because they
// make way for playhead and markers, which move without the lanes being painted again.

import type { Painter } from './painter.ts';
import { UI_FONT } from './tokens.ts';

export type LabelWeight = 400 | 500 | 600;

/** A label's place: CSS px. Objects are used again frame by frame. */
export interface Label {
  x0Px: number;
  x1Px: number;
  /** Where the stretch ends in device px; 0 for words of a head. */
  endPx: number;
  /** Top and bottom of the fill it stands on. */
  topPx: number;
  bottomPx: number;
  fontPx: number;
  weight: LabelWeight;
  colour: string;
  /** Ground of its plate; '' for none. */
  plate: string;
  /** Stands where it is, whatever line crosses it: words of a head. */
  fixed: boolean;
  /** Centred, on a plate that opens the line of a sleep. */
  centred: boolean;
  /** From the longest to the shortest. */
  forms: readonly string[];
  /** Room before the text. */
  padPx: number;
}

export interface LabelList {
  count: number;
  /** Stretches narrower than this can't get a label any more: enough wider ones have been gathered. */
  minPx: number;
  readonly items: Label[];
}

export function createLabels(): LabelList {
  return { count: 0, minPx: MIN_LABEL_PX, items: [] };
}

/** Begins a new picture. */
export function clearLabels(list: LabelList): void {
  list.count = 0;
  list.minPx = MIN_LABEL_PX;
}

/** Forgets the labels of stretches that end right of `fromPx` device px: those stretches are painted again. Returns how many. */
export function dropLabels(list: LabelList, fromPx: number): number {
  let kept = 0;
  for (let i = 0; i < list.count; i++) {
    const label = list.items[i] as Label;
    if (label.endPx > fromPx) continue;
    // The objects are used again: they change places.
    list.items[i] = list.items[kept] as Label;
    list.items[kept++] = label;
  }
  const dropped = list.count - kept;
  list.count = kept;
  return dropped;
}

/** Forgets labels that reach into what begins at `yPx`, CSS px, from above: it is painted over them. */
export function dropLabelsAcross(list: LabelList, yPx: number): void {
  let kept = 0;
  for (let i = 0; i < list.count; i++) {
    const label = list.items[i] as Label;
    if (label.topPx < yPx && label.bottomPx > yPx) continue;
    list.items[i] = list.items[kept] as Label;
    list.items[kept++] = label;
  }
  list.count = kept;
}

/** The next label, to be filled in whole. */
export function nextLabel(list: LabelList): Label {
  if (list.count > 0 && list.count % (2 * MOST_LABELS) === 0) list.minPx = widthThreshold(list);
  const at = list.count++;
  const old = list.items[at];
  if (old !== undefined) return old;
  const fresh: Label = {
    x0Px: 0,
    x1Px: 0,
    endPx: 0,
    topPx: 0,
    bottomPx: 0,
    fontPx: 0,
    weight: 500,
    colour: '',
    plate: '',
    fixed: false,
    centred: false,
    forms: [],
    padPx: 0,
  };
  list.items.push(fresh);
  return fresh;
}

/** Narrowest stretch that may carry a label at all: a code of one letter needs 16 px. */
export const MIN_LABEL_PX = 15;

/** More labels than this in one picture are confetti: only the widest stretches keep theirs. */
const MOST_LABELS = 260;

/** Font of a weight and size, kept so that no string is made in a frame. */
export function fontOf(weight: number, sizePx: number): string {
  const key = weight * 1000 + sizePx;
  let font = fonts.get(key);
  if (font === undefined) {
    font = `${weight} ${sizePx}px ${UI_FONT}`;
    fonts.set(key, font);
  }
  return font;
}

const fonts = new Map<number, string>();

/** Lines that no label may cross (playhead, markers, starts of bands), x in CSS px, ascending. */
export type Obstacles = readonly number[];

const NO_LINES: Obstacles = [];
const CLEARANCE_PX = 4;

/** Draws the labels of `list` within [0, widthPx), around `obstacles`. Nothing is written beyond `endPx` (a veil). */
export function paintLabels(
  list: LabelList,
  painter: Painter,
  widthPx: number,
  obstacles: Obstacles,
  endPx = Number.POSITIVE_INFINITY,
): void {
  const minPx = widthThreshold(list);
  // By weight: changing a context's font costs more than drawing a word.
  for (const weight of WEIGHTS) {
    for (let i = 0; i < list.count; i++) {
      const label = list.items[i] as Label;
      if (label.weight !== weight || (!label.fixed && label.x1Px - label.x0Px < minPx)) continue;
      paintLabel(label, painter, label.fixed ? widthPx : Math.min(widthPx, endPx), obstacles);
    }
  }
}

const WEIGHTS: readonly LabelWeight[] = [400, 500, 600];

function widthThreshold(list: LabelList): number {
  if (list.count <= MOST_LABELS) return MIN_LABEL_PX;
  const widths = new Float64Array(list.count);
  for (let i = 0; i < list.count; i++) widths[i] = (list.items[i] as Label).x1Px - (list.items[i] as Label).x0Px;
  widths.sort();
  return Math.max(MIN_LABEL_PX, widths[list.count - MOST_LABELS] as number);
}

/** The longest form that fits at the start; else a longer one right of the lines in its way; else the shortest. */
function paintLabel(label: Label, painter: Painter, endPx: number, obstacles: Obstacles): void {
  const lines = label.fixed ? NO_LINES : obstacles;
  const last = label.forms.length - 1;
  for (let i = 0; i < last; i++) if (placeForm(label, painter, endPx, lines, i, false)) return;
  for (let i = 0; i <= last; i++) if (placeForm(label, painter, endPx, lines, i, true)) return;
}

function placeForm(
  label: Label,
  painter: Painter,
  endPx: number,
  lines: Obstacles,
  form: number,
  mayMove: boolean,
): boolean {
  const text = label.forms[form] as string;
  const font = fontOf(label.weight, label.fontPx);
  const width = painter.measure(font, text);
  const x0 = Math.max(0, label.x0Px);
  const x1 = Math.min(endPx, label.x1Px);
  const pad = label.x0Px < 0 && label.plate === '' ? Math.max(label.padPx, 6) : label.padPx;
  const room = width + pad + (label.plate === '' ? 3 : platePad(label) + 2);
  if (x1 - x0 < room) return false;
  const wished = label.centred ? (x0 + x1 - room) / 2 : x0;
  const isFree = freePlace(wished, x1, room, lines) === wished;
  const x = isFree ? wished : mayMove ? freePlace(label.centred ? x0 + 6 : x0, x1, room, lines) : undefined;
  if (x === undefined) return false;
  drawLabel(label, painter, font, text, x + pad, width);
  return true;
}

/** First place at which [x, x + room) holds no obstacle: at the start, or right of the obstacles in its way. */
function freePlace(x0: number, x1: number, room: number, obstacles: Obstacles): number | undefined {
  let x = x0;
  for (const line of obstacles) {
    if (line <= x || line >= x + room) continue;
    x = line + CLEARANCE_PX - 1;
  }
  return x + room <= x1 ? x : undefined;
}

/** Ground on both sides of a text on a plate. */
function platePad(label: Label): number {
  return label.fontPx * 0.45;
}

function drawLabel(label: Label, painter: Painter, font: string, text: string, x: number, width: number): void {
  if (label.plate !== '') {
    const pad = platePad(label);
    const inset = label.centred ? 0 : label.fontPx > 20 ? 2 : 1;
    painter.fillRect(
      label.plate,
      x - pad,
      label.topPx + inset,
      width + 2 * pad,
      label.bottomPx - label.topPx - 2 * inset,
    );
  }
  // Capital letters are about 0.72 em high: this puts their middle on the middle of the fill.
  const baseline = (label.topPx + label.bottomPx) / 2 + label.fontPx * 0.36;
  painter.text(label.colour, font, text, x, Math.round(baseline * 2) / 2, 'left');
}
