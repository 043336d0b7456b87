// `Painter` on a 2D context, in CSS px whatever the device pixel ratio.

import type { Painter } from './painter.ts';

export interface CanvasPainter extends Painter {
  /** Sizes the canvas and clears it. */
  resize(widthPx: number, heightPx: number, devicePixelRatio: number): void;
  /** Crisp position of a line `lineWidth` px wide: its edges fall on device pixels. */
  snap(px: number, lineWidth: number): number;
}

/** Texts whose width is remembered, per font; more and the memory starts anew. */
const MOST_MEASURED = 4_000;

export function createCanvasPainter(canvas: HTMLCanvasElement): CanvasPainter {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('bug: it must hold that a canvas has a 2D context');
  const g = context;
  let dpr = 1;
  let font = '';

  const setFont = (wanted: string): void => {
    if (font === wanted) return;
    font = wanted;
    g.font = wanted;
  };
  const roundRect = (x: number, y: number, width: number, height: number, radius: number): void => {
    g.beginPath();
    g.roundRect(x, y, width, height, Math.max(0, Math.min(radius, width / 2, height / 2)));
  };

  return {
    resize(widthPx, heightPx, devicePixelRatio) {
      dpr = devicePixelRatio;
      canvas.width = Math.max(1, Math.round(widthPx * dpr));
      canvas.height = Math.max(1, Math.round(heightPx * dpr));
      canvas.style.width = `${widthPx}px`;
      canvas.style.height = `${heightPx}px`;
      g.setTransform(dpr, 0, 0, dpr, 0, 0);
      g.textBaseline = 'alphabetic';
      g.lineJoin = 'round';
      font = '';
    },
    snap(px, lineWidth) {
      const half = (Math.round(lineWidth * dpr) % 2) / 2;
      return (Math.round(px * dpr - half) + half) / dpr;
    },
    clear() {
      g.clearRect(0, 0, canvas.width / dpr, canvas.height / dpr);
    },
    fillRect(colour, x, y, width, height) {
      g.fillStyle = colour;
      g.fillRect(x, y, width, height);
    },
    fillRound(colour, x, y, width, height, radius) {
      g.fillStyle = colour;
      roundRect(x, y, width, height, radius);
      g.fill();
    },
    strokeRound(colour, lineWidth, x, y, width, height, radius) {
      g.strokeStyle = colour;
      g.lineWidth = lineWidth;
      g.setLineDash([]);
      roundRect(x, y, width, height, radius);
      g.stroke();
    },
    line(colour, lineWidth, x0, y0, x1, y1, dash) {
      g.strokeStyle = colour;
      g.lineWidth = lineWidth;
      g.setLineDash(dash as number[]);
      g.beginPath();
      g.moveTo(x0, y0);
      g.lineTo(x1, y1);
      g.stroke();
    },
    polygon(colour, points) {
      g.fillStyle = colour;
      g.beginPath();
      for (let i = 0; i + 1 < points.length; i += 2) g.lineTo(points[i]!, points[i + 1]!);
      g.closePath();
      g.fill();
    },
    curve(colour, lineWidth, p) {
      g.strokeStyle = colour;
      g.lineWidth = lineWidth;
      g.setLineDash([]);
      g.beginPath();
      g.moveTo(p[0]!, p[1]!);
      g.bezierCurveTo(p[2]!, p[3]!, p[4]!, p[5]!, p[6]!, p[7]!);
      g.stroke();
    },
    text(colour, wanted, text, x, y, align) {
      setFont(wanted);
      g.fillStyle = colour;
      g.textAlign = align;
      g.fillText(text, x, y);
    },
    measure: measureText,
  };
}

interface Ruler {
  readonly context: CanvasRenderingContext2D;
  readonly widths: Map<string, number>;
}

// A context a font: setting a context's font costs more than measuring a word.
const rulers = new Map<string, Ruler>();

/** Width of `text` in CSS px, remembered by font and text. */
export function measureText(font: string, text: string): number {
  let ruler = rulers.get(font);
  if (ruler === undefined) {
    ruler = makeRuler(font);
    rulers.set(font, ruler);
  }
  const known = ruler.widths.get(text);
  if (known !== undefined) return known;
  if (ruler.widths.size > MOST_MEASURED) ruler.widths.clear();
  const { width } = ruler.context.measureText(text);
  ruler.widths.set(text, width);
  return width;
}

function makeRuler(font: string): Ruler {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('bug: it must hold that a canvas has a 2D context');
  context.font = font;
  return { context, widths: new Map() };
}
