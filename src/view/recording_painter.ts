// Painters for tests: they write down what they are asked to paint, and measure text by a fixed rule.

import type { LanePainter, Painter } from './painter.ts';

/** A call on the lanes: what, with which ink or glyph, where in device px. */
export interface LaneCall {
  readonly call: 'rect' | 'bar' | 'glyph';
  readonly ink: string;
  readonly glyph?: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface RecordingLanePainter extends LanePainter {
  readonly calls: LaneCall[];
}

export function createRecordingLanePainter(widthPx: number, heightPx: number): RecordingLanePainter {
  const calls: LaneCall[] = [];
  const rect: LanePainter['rect'] = (ink, x0, y0, x1, y1) =>
    void calls.push({ call: 'rect', ink: ink.name, x0, y0, x1, y1 });
  return {
    calls,
    widthPx,
    heightPx,
    rect,
    // Noted as the rectangles it stands for.
    stack(x0, x1, floorY, a, aPx, b, bPx, c, cPx, d, dPx) {
      let y = floorY;
      for (const [ink, px] of [
        [a, aPx],
        [b, bPx],
        [c, cPx],
        [d, dPx],
      ] as const) {
        if (px > 0) rect(ink, x0, y - px, x1, y);
        y -= px;
      }
    },
    bar: (ink, x0, y0, x1, y1) => void calls.push({ call: 'bar', ink: ink.name, x0, y0, x1, y1 }),
    glyph: (glyph, ink, x, y) =>
      void calls.push({
        call: 'glyph',
        ink: ink.name,
        glyph: glyph.name,
        x0: x,
        y0: y,
        x1: x + glyph.widthPx,
        y1: y + glyph.heightPx,
      }),
  };
}

/** A call over the lanes, with its arguments. */
export interface OverlayCall {
  readonly call: keyof Painter;
  readonly args: readonly unknown[];
}

export interface RecordingPainter extends Painter {
  readonly calls: OverlayCall[];
  /** Texts in the order in which they were drawn. */
  texts(): readonly string[];
}

/** Every character is as wide as 0.55 of the font's size. */
export function createRecordingPainter(): RecordingPainter {
  const calls: OverlayCall[] = [];
  const note =
    (call: keyof Painter) =>
    (...args: unknown[]): void =>
      void calls.push({ call, args });
  return {
    calls,
    texts: () => calls.filter((c) => c.call === 'text').map((c) => String(c.args[2])),
    clear: note('clear'),
    fillRect: note('fillRect'),
    fillRound: note('fillRound'),
    strokeRound: note('strokeRound'),
    line: note('line'),
    polygon: note('polygon'),
    curve: note('curve'),
    text: note('text'),
    measure: measureByRule,
  };
}

export function measureByRule(font: string, text: string): number {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 12);
  return text.length * size * 0.55;
}
