import { expect, test } from 'vitest';
import { pixelOf } from './colour.ts';
import { Corner } from './painter.ts';
import { combInk, crossHatchInk, glyphOf, hatchInk, notchGlyph, solidInk } from './patterns.ts';
import { createRasterPainter } from './raster_painter.ts';

const WHITE = pixelOf('#FFFFFF');
const BLACK = pixelOf('#000000');
const black = solidInk('black', '#000000');
const surface = (width: number, height: number) =>
  createRasterPainter(new Uint32Array(width * height).fill(WHITE), width, height);

const picture = (p: ReturnType<typeof surface>): string[] =>
  Array.from({ length: p.heightPx }, (_, y) =>
    Array.from({ length: p.widthPx }, (_, x) => {
      const pixel = p.pixels[y * p.widthPx + x];
      return pixel === WHITE ? '.' : pixel === BLACK ? '#' : '+';
    }).join(''),
  );

test('a rectangle fills its half-open box and nothing else', () => {
  const p = surface(6, 4);
  p.rect(black, 1, 1, 4, 3);
  expect(picture(p)).toEqual(['......', '.###..', '.###..', '......']);
});

test('what lies outside the surface is left out', () => {
  const p = surface(4, 3);
  p.rect(black, -5, -5, 2, 2);
  p.rect(black, 3, 2, 900, 900);
  p.rect(black, 2, 2, 2, 3);
  expect(picture(p)).toEqual(['##..', '##..', '...#']);
});

test('a wide span and a narrow one are filled alike', () => {
  const p = surface(100, 2);
  p.rect(black, 0, 0, 100, 1);
  p.rect(black, 0, 1, 5, 2);
  expect(picture(p)[0]).toBe('#'.repeat(100));
  expect(picture(p)[1]).toBe(`#####${'.'.repeat(95)}`);
});

test('the corners of a bar let the ground through, softly', () => {
  const p = surface(20, 6);
  p.bar(black, 2, 1, 18, 5, 1.5, Corner.both);
  expect(picture(p)[1]).toBe(`..+${'#'.repeat(14)}+..`);
  expect(picture(p)[2]).toBe(`..${'#'.repeat(16)}..`);
  p.bar(black, 2, 1, 18, 5, 1.5, Corner.none);
  expect(picture(p)[1]).toBe(`..${'#'.repeat(16)}..`);
});

test('a comb is two on, two off, and lets the ground through', () => {
  const p = surface(12, 1);
  p.rect(combInk('comb', '#000000', 2, 2), 0, 0, 12, 1);
  expect(picture(p)).toEqual(['##..##..##..']);
});

test('patterns move along with their origin', () => {
  const p = surface(8, 1);
  p.originX = -1;
  p.rect(combInk('comb', '#000000', 2, 2), 0, 0, 8, 1);
  expect(picture(p)).toEqual(['#..##..#']);
  p.pixels.fill(WHITE);
  p.originX = 1e9 + 1;
  p.rect(combInk('comb', '#000000', 2, 2), 0, 0, 8, 1);
  expect(picture(p)).toEqual(['.##..##.']);
});

test('a long hatched span repeats its tile without a seam', () => {
  const ink = hatchInk('hatch', '#000000', '#FFFFFF', 7, 3.1);
  const p = surface(237, 1);
  p.rect(ink, 3, 0, 237, 1);
  for (let x = 3; x + ink.widthPx < 237; x++) expect(p.pixels[x + ink.widthPx]).toBe(p.pixels[x]);
});

test('a hatch covers the share of its ground that stripe and period say', () => {
  const ink = hatchInk('hatch', '#000000', '#FFFFFF', 7, 3.1);
  const dark = ink.pixels.reduce((sum, pixel) => sum + (255 - (pixel & 255)) / 255, 0);
  expect(dark / ink.pixels.length).toBeCloseTo(3.1 / 7, 1);
});

test('hatch rises to the right, cross-hatch goes both ways', () => {
  const hatch = hatchInk('hatch', '#000000', '#FFFFFF', 7, 3.1);
  const at = (x: number, y: number) => hatch.pixels[y * hatch.widthPx + x];
  expect(at(4, 0)).toBe(at(0, 4));
  const cross = crossHatchInk('cross', '#000000', '#FFFFFF', 6, 0.85);
  const n = cross.widthPx;
  // Mirrored left to right it is the same pattern.
  const row = (y: number) => Array.from({ length: n }, (_, x) => cross.pixels[y * n + x]);
  expect([...row(0)].sort()).toEqual([...row(0)].reverse().sort());
});

test('a stack stands on its floor and leaves parts of no height out', () => {
  const p = surface(3, 6);
  const red = solidInk('red', '#FF0000');
  p.stack(1, 2, 6, black, 2, red, 0, black, 1, red, 1);
  expect(picture(p)).toEqual(['...', '...', '.+.', '.#.', '.#.', '.#.']);
});

test('a glyph blends at its edges and is cut at the surface', () => {
  const p = surface(7, 7);
  p.glyph(notchGlyph(1), black, 0, 0);
  expect(picture(p)[0]).toBe('######+');
  expect(picture(p)[6]).toBe('+......');
  const dot = glyphOf('dot', 4, 4, 1, () => true);
  p.pixels.fill(WHITE);
  p.glyph(dot, black, -2, 5);
  expect(picture(p)[5]).toBe('##.....');
});
