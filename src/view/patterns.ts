// Tiles and glyphs as pixels, made once for a theme and a device pixel ratio. Coverage is sampled 6 x 6 to the
// pixel, so that the same tile comes out on every machine.

import { type Hex, mix, pixelOf } from './colour.ts';
import type { Glyph, SolidInk, TileInk } from './painter.ts';

/** Samples of a pixel in each direction. */
const SAMPLES = 6;

export function solidInk(name: string, colour: Hex): SolidInk {
  return { form: 'solid', name, pixel: pixelOf(colour) };
}

/** 45° stripes, `stripePx` of every `periodPx` measured across them, rising to the right. Sizes in device px. */
export function hatchInk(name: string, stripe: Hex, ground: Hex, periodPx: number, stripePx: number): TileInk {
  // Along a row the stripes are sqrt 2 further apart; the tile is whole pixels, so the period bends by < 5 %.
  const size = Math.max(3, Math.round(periodPx * Math.SQRT2));
  const run = (stripePx / periodPx) * size;
  return tile(name, `hatch ${run}`, size, size, ground, stripe, (x, y) => (x + y) % size < run);
}

/** Fine lines in both diagonal directions. */
export function crossHatchInk(name: string, line: Hex, ground: Hex, periodPx: number, linePx: number): TileInk {
  const size = Math.max(4, Math.round(periodPx * Math.SQRT2));
  const run = (linePx / periodPx) * size;
  return tile(
    name,
    `cross ${run}`,
    size,
    size,
    ground,
    line,
    (x, y) => (x + y) % size < run || (x - y + size) % size < run,
  );
}

/** Upright teeth, `onPx` wide with `offPx` of the ground between them: the edge of a class, the dots of an idle CPU. */
export function combInk(name: string, tooth: Hex, onPx: number, offPx: number): TileInk {
  const on = Math.max(1, Math.round(onPx));
  const size = on + Math.max(1, Math.round(offPx));
  const pixels = new Uint32Array(size);
  pixels.fill(pixelOf(tooth), 0, on);
  return { form: 'tile', name, widthPx: size, heightPx: 1, pixels, transparent: true };
}

function tile(
  name: string,
  shape: string,
  widthPx: number,
  heightPx: number,
  ground: Hex,
  over: Hex,
  inside: (x: number, y: number) => boolean,
): TileInk {
  const coverage = sampledOnce(shape, widthPx, heightPx, inside);
  // Few shares occur; mixing once for each of them makes seventeen hues cheap.
  const mixed = new Map<number, number>();
  const pixels = Uint32Array.from(coverage, (share) => {
    const known = mixed.get(share) ?? pixelOf(mix(ground, over, share / 255));
    mixed.set(share, known);
    return known;
  });
  return { form: 'tile', name, widthPx, heightPx, pixels, transparent: false };
}

/** A glyph of `widthPx` x `heightPx` CSS px at `scale` device px to one; `inside` is asked in CSS px. */
export function glyphOf(
  name: string,
  widthPx: number,
  heightPx: number,
  scale: number,
  inside: (x: number, y: number) => boolean,
): Glyph {
  const width = Math.ceil(widthPx * scale);
  const height = Math.ceil(heightPx * scale);
  const coverage = sampled(width, height, (x, y) => inside(x / scale, y / scale));
  return { name, widthPx: width, heightPx: height, coverage };
}

const shapes = new Map<string, Uint8Array<ArrayBuffer>>();

/** Coverage of a tile, which is the same for every hue. */
function sampledOnce(
  shape: string,
  widthPx: number,
  heightPx: number,
  inside: (x: number, y: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const key = `${shape} ${widthPx} ${heightPx}`;
  let coverage = shapes.get(key);
  if (coverage === undefined) {
    coverage = sampled(widthPx, heightPx, inside);
    shapes.set(key, coverage);
  }
  return coverage;
}

function sampled(
  widthPx: number,
  heightPx: number,
  inside: (x: number, y: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const coverage = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      let hits = 0;
      for (let sy = 0; sy < SAMPLES; sy++) {
        for (let sx = 0; sx < SAMPLES; sx++) {
          if (inside(x + (sx + 0.5) / SAMPLES, y + (sy + 0.5) / SAMPLES)) hits++;
        }
      }
      coverage[y * widthPx + x] = Math.round((hits * 255) / (SAMPLES * SAMPLES));
    }
  }
  return coverage;
}

/** Padlock of a taken lock, 11 x 12, with a shackle. `grow` widens it for the halo below it. */
export function padlockGlyph(scale: number, grow: number): Glyph {
  const size = grow * 2;
  return glyphOf(grow > 0 ? 'padlock halo' : 'padlock', 10 + size, 11 + size, scale, (px, py) => {
    const x = px - grow;
    const y = py - grow;
    const inBody = x >= -grow && x <= 10 + grow && y >= 4.6 - grow && y <= 11 + grow;
    const ring = Math.hypot(x - 5, y - 4);
    const inShackle = (y <= 4 && ring <= 3.6 + grow && (grow > 0 || ring >= 1.9)) || shackleLegs(x, y, grow);
    return inBody || inShackle;
  });
}

function shackleLegs(x: number, y: number, grow: number): boolean {
  if (y < 4 || y > 5.2) return false;
  const off = Math.abs(x - 5);
  return off <= 3.6 + grow && (grow > 0 || off >= 1.9);
}

/** Solid corner of a preempted segment: a right triangle at its top left. */
export function notchGlyph(scale: number): Glyph {
  return glyphOf('notch', 7, 7, scale, (x, y) => x + y <= 7);
}

/** Interrupt too short for a bar: a point hanging from the lane's top. */
export function irqGlyph(scale: number): Glyph {
  return glyphOf('interrupt', 6, 4, scale, (x, y) => Math.abs(x - 3) <= ((4 - y) / 4) * 2.6);
}

/** Start of a boost: a point on top of the ribbon. */
export function chevronGlyph(scale: number): Glyph {
  return glyphOf('boost', 8, 4, scale, (x, y) => Math.abs(x - 4) <= (y / 4) * 3.6);
}
