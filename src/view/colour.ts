// Arithmetic on colours: hex to parts, contrast, mixing, and the 32-bit pixels that the raster painter writes.

/** `#RRGGBB`. */
export type Hex = `#${string}`;

/** WCAG contrast of two colours, 1..21. */
export function contrast(a: Hex, b: Hex): number {
  const la = luminance(a);
  const lb = luminance(b);
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
}

/** `ratio` of `over` laid on `ground`; 0 gives the ground, 1 the colour. */
export function mix(ground: Hex, over: Hex, ratio: number): Hex {
  const a = parts(ground);
  const b = parts(over);
  const channel = (i: 0 | 1 | 2): string =>
    Math.round(a[i] + (b[i] - a[i]) * ratio)
      .toString(16)
      .padStart(2, '0');
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}

/** CSS colour with opacity. */
export function withAlpha(colour: Hex, alpha: number): string {
  const [r, g, b] = parts(colour);
  return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

/** Opaque pixel as ImageData keeps it (little endian: ABGR). */
export function pixelOf(colour: Hex): number {
  const [r, g, b] = parts(colour);
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

/** Red, green, blue, 0..255. */
export function parts(colour: Hex): readonly [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance(colour: Hex): number {
  const [r, g, b] = parts(colour);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}
