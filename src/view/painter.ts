// What drawing code may ask of a surface. Two surfaces, because their needs differ by a factor of a hundred in
// the number of calls: `LanePainter` for the lanes (whole device pixels, rectangles and glyphs only, written by
// raster_painter.ts), `Painter` for the little that lies over them (CSS px, text and shapes, by canvas_painter.ts).
// recording_painter.ts implements both for tests.

/** One colour, as a pixel and as text. */
export interface SolidInk {
  readonly form: 'solid';
  readonly name: string;
  readonly pixel: number;
}

/** A tile that repeats in both directions; pixels of value 0 let the ground through. */
export interface TileInk {
  readonly form: 'tile';
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixels: Uint32Array<ArrayBuffer>;
  readonly transparent: boolean;
}

export type Ink = SolidInk | TileInk;

/** A small shape as coverage 0..255 a pixel, row by row. */
export interface Glyph {
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly coverage: Uint8Array<ArrayBuffer>;
}

/** Corners of a bar that are rounded. */
export const Corner = { none: 0, left: 1, right: 2, both: 3 } as const;

/** Whole device pixels from the top left; parts outside the surface are left out. */
export interface LanePainter {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Fills columns [x0, x1) of rows [y0, y1). */
  rect(ink: Ink, x0: number, y0: number, x1: number, y1: number): void;
  /**
   * Up to four rectangles on one another from row `floorY` upwards, each `…Px` high (0: left out). One call instead
   * of four: dense lanes are made of nothing else.
   */
  stack(
    x0: number,
    x1: number,
    floorY: number,
    first: Ink,
    firstPx: number,
    second: Ink,
    secondPx: number,
    third: Ink,
    thirdPx: number,
    fourth: Ink,
    fourthPx: number,
  ): void;
  /** `rect` with corners of `radiusPx` at the ends that `corners` names. */
  bar(ink: Ink, x0: number, y0: number, x1: number, y1: number, radiusPx: number, corners: number): void;
  /** Lays `ink` over what is there where the glyph covers it. */
  glyph(glyph: Glyph, ink: SolidInk, x: number, y: number): void;
}

export type TextAlign = 'left' | 'center' | 'right';

/** CSS px from the top left. Colours are CSS colours. */
export interface Painter {
  clear(): void;
  fillRect(colour: string, x: number, y: number, width: number, height: number): void;
  fillRound(colour: string, x: number, y: number, width: number, height: number, radius: number): void;
  strokeRound(
    colour: string,
    lineWidth: number,
    x: number,
    y: number,
    width: number,
    height: number,
    radius: number,
  ): void;
  /** Straight line; `dash` in px, empty for a solid line. */
  line(
    colour: string,
    lineWidth: number,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    dash: readonly number[],
  ): void;
  /** Closed and filled, `points` as x, y, x, y… */
  polygon(colour: string, points: readonly number[]): void;
  /** Cubic curve through its four points x, y. */
  curve(colour: string, lineWidth: number, points: readonly number[]): void;
  /** Baseline at y. */
  text(colour: string, font: string, text: string, x: number, y: number, align: TextAlign): void;
  /** Width in px; cached by font and text. */
  measure(font: string, text: string): number;
}
