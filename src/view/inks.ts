// Every ink and glyph of the lanes for one theme, device pixel ratio and size, made once and kept.

import type { ThemeName } from './api.ts';
import { type Hex, mix } from './colour.ts';
import type { Glyph, SolidInk, TileInk } from './painter.ts';
import {
  chevronGlyph,
  combInk,
  crossHatchInk,
  hatchInk,
  irqGlyph,
  notchGlyph,
  padlockGlyph,
  solidInk,
} from './patterns.ts';
import { isDark, labelOn, THEMES, THREAD_COLOURS, type Tokens } from './tokens.ts';

/** What one hue can be drawn as. */
export interface HueInks {
  readonly hue: Hex;
  readonly solid: SolidInk;
  /** Ground of `spin`: a tint of the hue. */
  readonly tint: SolidInk;
  readonly spin: TileInk;
  /** The same for lines a few px high, where the wide hatch would not show. */
  readonly fineSpin: TileInk;
  readonly cross: TileInk;
  readonly rtComb: TileInk;
  readonly deadlineComb: TileInk;
  /** Colour of a label on `solid`. */
  readonly label: Hex;
}

export interface Inks {
  readonly theme: ThemeName;
  readonly tokens: Tokens;
  /** Device px to one CSS px. */
  readonly dpr: number;
  readonly lane: SolidInk;
  readonly sunken: SolidInk;
  readonly beyond: SolidInk;
  readonly grid: SolidInk;
  readonly divider: SolidInk;
  /** By thread slot. */
  readonly threads: readonly HueInks[];
  readonly run: HueInks;
  readonly spinState: HueInks;
  readonly wait: HueInks;
  readonly waitTint: SolidInk;
  /** Second pixel of a 1.5 px edge. */
  readonly waitEdgeSoft: SolidInk;
  /** Share of a dense bin in which threads wait for a CPU. */
  readonly waitDense: SolidInk;
  readonly block: HueInks;
  readonly throttle: HueInks;
  readonly sleep: SolidInk;
  readonly idleDots: TileInk;
  readonly irq: SolidInk;
  readonly ghost: SolidInk;
  readonly ghostDash: TileInk;
  readonly boost: SolidInk;
  readonly boostTint: SolidInk;
  readonly boostDash: TileInk;
  readonly lock: SolidInk;
  /** Edge of every segment in high contrast, else undefined. */
  readonly segmentEdge: SolidInk | undefined;
  readonly padlock: Glyph;
  readonly padlockHalo: Glyph;
  readonly notch: Glyph;
  readonly irqNotch: Glyph;
  readonly chevron: Glyph;
}

const kept = new Map<string, Inks>();

/** Inks of `theme` at `dpr`; `scale` enlarges patterns and glyphs for a projector (1 or 2.3). */
export function inksFor(theme: ThemeName, dpr: number, scale: number): Inks {
  const key = `${theme} ${dpr} ${scale}`;
  let inks = kept.get(key);
  if (inks === undefined) {
    inks = makeInks(theme, dpr, scale);
    kept.set(key, inks);
  }
  return inks;
}

/** Ground of a hatch: 8 % of the hue, on dark grounds 20 %. */
export function hatchGround(theme: ThemeName, hue: Hex): Hex {
  return mix(THEMES[theme].lane, hue, isDark(theme) ? 0.2 : 0.08);
}

function makeInks(theme: ThemeName, dpr: number, scale: number): Inks {
  const t = THEMES[theme];
  const k = dpr * scale;
  const hue = (name: string, colour: Hex): HueInks => hueInks(theme, name, colour, k);
  const waitTint = mix(t.lane, t.wait, isDark(theme) ? 0.1 : 0.07);
  return {
    theme,
    tokens: t,
    dpr,
    lane: solidInk('lane', t.lane),
    sunken: solidInk('sunken', t.sunken),
    beyond: solidInk('canvas', t.canvas),
    grid: solidInk('grid', t.grid),
    divider: solidInk('grid', t.grid),
    threads: THREAD_COLOURS[theme].map((colour, slot) => hue(`thread ${slot + 1}`, colour)),
    run: hue('run', t.run),
    spinState: hue('spin', t.spin),
    wait: hue('wait', t.wait),
    waitTint: solidInk('wait tint', waitTint),
    waitEdgeSoft: solidInk('wait edge', mix(waitTint, t.wait, 0.5)),
    waitDense: solidInk('wait dense', mix(t.lane, t.wait, isDark(theme) ? 0.45 : 0.3)),
    block: hue('block', t.block),
    throttle: hue('throttle', t.throttle),
    sleep: solidInk('sleep', t.sleep),
    idleDots: combInk('idle', t.sleep, dpr, 4 * dpr),
    irq: solidInk('irq', t.irq),
    ghost: solidInk('ghost', t.ghost),
    ghostDash: combInk('unknown', t.ghost, 3 * k, 2 * k),
    boost: solidInk('boost', t.boost),
    boostTint: solidInk('boost tint', mix(t.lane, t.boost, 0.16)),
    boostDash: combInk('boost dash', t.boost, 3 * k, 3 * k),
    lock: solidInk('lock', t.lock),
    segmentEdge: theme === 'contrast' ? solidInk('edge', t.text) : undefined,
    padlock: padlockGlyph(k, 0),
    padlockHalo: padlockGlyph(k, 1.25),
    notch: notchGlyph(k),
    irqNotch: irqGlyph(k),
    chevron: chevronGlyph(k),
  };
}

function hueInks(theme: ThemeName, name: string, hue: Hex, k: number): HueInks {
  const lane = THEMES[theme].lane;
  const ground = hatchGround(theme, hue);
  return {
    hue,
    solid: solidInk(name, hue),
    tint: solidInk(`${name} tint`, ground),
    spin: hatchInk(`${name} hatch`, hue, ground, 7 * k, 3.1 * k),
    fineSpin: hatchInk(`${name} fine hatch`, hue, ground, 4.2 * k, 2.1 * k),
    cross: crossHatchInk(
      `${name} cross-hatch`,
      mix(lane, hue, isDark(theme) ? 0.7 : 0.62),
      mix(lane, hue, 0.06),
      6 * k,
      0.85 * k,
    ),
    rtComb: combInk(`${name} comb`, hue, 2 * k, 2 * k),
    deadlineComb: combInk(`${name} deadline comb`, hue, 4 * k, k),
    label: labelOn(hue),
  };
}
