// Labels of one frame: gathered while the lanes are painted, laid out and drawn with the overlay, because they
// make way for playhead and markers, which move without the lanes being painted again.

import type { Painter } from './painter.ts';
import { UI_FONT } from './tokens.ts';

export type LabelWeight = 400 | 500 | 600;

/** A label's place: CSS px. Objects are used again frame by frame. */
export interface Label {
  x0Px: number;
  x1Px: number;
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
  readonly items: Label[];
}

export function createLabels(): LabelList {
  return { count: 0, items: [] };
}

/** The next label, to be filled in whole. */
export function nextLabel(list: LabelList): Label {
  const at = list.count++;
  const old = list.items[at];
  if (old !== undefined) return old;
  const fresh: Label = {
    x0Px: 0,
    x1Px: 0,
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
const PLATE_PAD_PX = 6;
const CLEARANCE_PX = 4;

/** Draws the labels of `list` within [0, widthPx), around `obstacles`. */
export function paintLabels(list: LabelList, painter: Painter, widthPx: number, obstacles: Obstacles): void {
  const minPx = widthThreshold(list);
  for (let i = 0; i < list.count; i++) {
    const label = list.items[i] as Label;
    if (label.x1Px - label.x0Px >= minPx) paintLabel(label, painter, widthPx, obstacles);
  }
}

function widthThreshold(list: LabelList): number {
  if (list.count <= MOST_LABELS) return MIN_LABEL_PX;
  const widths = new Float64Array(list.count);
  for (let i = 0; i < list.count; i++) widths[i] = (list.items[i] as Label).x1Px - (list.items[i] as Label).x0Px;
  widths.sort();
  return Math.max(MIN_LABEL_PX, widths[list.count - MOST_LABELS] as number);
}

function paintLabel(label: Label, painter: Painter, widthPx: number, obstacles: Obstacles): void {
  const font = fontOf(label.weight, label.fontPx);
  const x0 = Math.max(0, label.x0Px);
  const x1 = Math.min(widthPx, label.x1Px);
  const pad = label.x0Px < 0 && label.plate === '' ? Math.max(label.padPx, 6) : label.padPx;
  const after = label.plate === '' ? 3 : PLATE_PAD_PX + 2;
  for (const form of label.forms) {
    const width = painter.measure(font, form);
    const room = width + pad + after;
    if (x1 - x0 < room) continue;
    const lines = label.fixed ? NO_LINES : obstacles;
    const x = label.centred ? centredPlace(x0, x1, room, lines) : freePlace(x0, x1, room, lines);
    if (x === undefined) continue;
    drawLabel(label, painter, font, form, x + pad, width);
    return;
  }
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

function centredPlace(x0: number, x1: number, room: number, obstacles: Obstacles): number | undefined {
  const x = (x0 + x1 - room) / 2;
  return obstacles.some((line) => line > x && line < x + room) ? freePlace(x0 + 6, x1, room, obstacles) : x;
}

function drawLabel(label: Label, painter: Painter, font: string, text: string, x: number, width: number): void {
  if (label.plate !== '') {
    const inset = label.centred ? 0 : 1;
    painter.fillRect(
      label.plate,
      x - PLATE_PAD_PX + 1,
      label.topPx + inset,
      width + 2 * PLATE_PAD_PX - 1,
      label.bottomPx - label.topPx - 2 * inset,
    );
  }
  // Capital letters are about 0.72 em high: this puts their middle on the middle of the fill.
  const baseline = (label.topPx + label.bottomPx) / 2 + label.fontPx * 0.36;
  painter.text(label.colour, font, text, x, Math.round(baseline * 2) / 2, 'left');
}
