// All colours and fonts of page and drawing, of the four themes, in one place. Contrast, CIEDE2000 and colour
// blindness of these values are computed in tokens.test.ts; change a value there and here together.

import type { ThemeName } from './api.ts';
import { contrast, type Hex } from './colour.ts';

/** Names of colours by what they are for. */
export interface Tokens {
  /** Page behind everything. */
  readonly canvas: Hex;
  /** Bars, panels, gutter. */
  readonly surface: Hex;
  /** Group heads, verdict strip, empty plot. */
  readonly sunken: Hex;
  /** Ground of a lane. */
  readonly lane: Hex;
  /** Every other row of a table. */
  readonly laneAlt: Hex;
  /** All reading text. */
  readonly text: Hex;
  /** Labels, units, published rows. */
  readonly text2: Hex;
  /** Disabled switches only. */
  readonly text3: Hex;
  /** Dividers. */
  readonly border: Hex;
  /** Outlines of controls. */
  readonly borderStrong: Hex;
  /** Time grid, table rules. */
  readonly grid: Hex;
  /** On-state, links, playhead, view frame. */
  readonly accent: Hex;
  /** Text on accent. */
  readonly onAccent: Hex;
  /** Chosen option. */
  readonly accentSoft: Hex;
  /** Hang. */
  readonly danger: Hex;
  /** Text on danger. */
  readonly onDanger: Hex;
  /** Hang block. */
  readonly dangerSoft: Hex;
  /** No hang, marker A. */
  readonly ok: Hex;
  /** Text on ok. */
  readonly onOk: Hex;
  /** Clear block. */
  readonly okSoft: Hex;
  /** Stall, model off. */
  readonly warn: Hex;
  /** Text on warn. */
  readonly onWarn: Hex;
  /** Stall block. */
  readonly warnSoft: Hex;
  /** Running (thread lanes). */
  readonly run: Hex;
  /** Spinning. */
  readonly spin: Hex;
  /** Runnable, no CPU. */
  readonly wait: Hex;
  /** Blocked, waiting for a lock. */
  readonly block: Hex;
  /** Sleep line, idle dots. */
  readonly sleep: Hex;
  /** Throttled. */
  readonly throttle: Hex;
  /** Interrupt. */
  readonly irq: Hex;
  /** Inherited priority, marker B. */
  readonly boost: Hex;
  /** Previous run, unknown. */
  readonly ghost: Hex;
  /** Lock-held line. */
  readonly lock: Hex;
}

export type TokenName = keyof Tokens;

export const THEMES: Readonly<Record<ThemeName, Tokens>> = {
  light: {
    canvas: '#F3F5F8',
    surface: '#FFFFFF',
    sunken: '#E9EDF2',
    lane: '#FFFFFF',
    laneAlt: '#F8F9FB',
    text: '#12171F',
    text2: '#414A58',
    text3: '#5A6473',
    border: '#D8DDE5',
    borderStrong: '#828C9B',
    grid: '#E6EAEF',
    accent: '#2B49C8',
    onAccent: '#FFFFFF',
    accentSoft: '#E6EAFB',
    danger: '#B00D2E',
    onDanger: '#FFFFFF',
    dangerSoft: '#FCE8EB',
    ok: '#0A6647',
    onOk: '#FFFFFF',
    okSoft: '#DFF3EA',
    warn: '#835000',
    onWarn: '#FFFFFF',
    warnSoft: '#FDF0D8',
    run: '#177A8E',
    spin: '#CF4A0C',
    wait: '#6E4B00',
    block: '#56617A',
    sleep: '#8A94A3',
    throttle: '#74497C',
    irq: '#12171F',
    boost: '#6A39C9',
    ghost: '#6B7585',
    lock: '#12171F',
  },
  dark: {
    canvas: '#0C0F14',
    surface: '#141922',
    sunken: '#1C232E',
    lane: '#141922',
    laneAlt: '#171D27',
    text: '#EBEFF5',
    text2: '#BBC4D1',
    text3: '#97A2B2',
    border: '#2B3441',
    borderStrong: '#6E7A8B',
    grid: '#222A36',
    accent: '#93A9FF',
    onAccent: '#0C0F14',
    accentSoft: '#222C4D',
    danger: '#FF7B8B',
    onDanger: '#1A0408',
    dangerSoft: '#3B151D',
    ok: '#4CD6A2',
    onOk: '#03150E',
    okSoft: '#0F3328',
    warn: '#F2B44A',
    onWarn: '#1B1100',
    warnSoft: '#37290D',
    run: '#3FB2C9',
    spin: '#F9793D',
    wait: '#F5D06A',
    block: '#93A0BA',
    sleep: '#6E7A8B',
    throttle: '#C793CF',
    irq: '#EBEFF5',
    boost: '#B794FF',
    ghost: '#8894A6',
    lock: '#EBEFF5',
  },
  projector: {
    canvas: '#FFFFFF',
    surface: '#FFFFFF',
    sunken: '#E4E8EE',
    lane: '#FFFFFF',
    laneAlt: '#FFFFFF',
    text: '#000000',
    text2: '#20262F',
    text3: '#353D49',
    border: '#9AA3B0',
    borderStrong: '#4A5361',
    grid: '#CFD5DD',
    accent: '#0B2A9C',
    onAccent: '#FFFFFF',
    accentSoft: '#DCE3FA',
    danger: '#97001F',
    onDanger: '#FFFFFF',
    dangerSoft: '#FBDDE2',
    ok: '#00553A',
    onOk: '#FFFFFF',
    okSoft: '#CFEEDF',
    warn: '#6B3F00',
    onWarn: '#FFFFFF',
    warnSoft: '#FBE6BF',
    run: '#005F73',
    spin: '#B83A00',
    wait: '#4F3600',
    block: '#39435A',
    sleep: '#5A6473',
    throttle: '#5B2E64',
    irq: '#000000',
    boost: '#4F1FAE',
    ghost: '#4A5361',
    lock: '#000000',
  },
  contrast: {
    canvas: '#000000',
    surface: '#000000',
    sunken: '#1A1A1A',
    lane: '#000000',
    laneAlt: '#000000',
    text: '#FFFFFF',
    text2: '#FFFFFF',
    text3: '#E0E0E0',
    border: '#FFFFFF',
    borderStrong: '#FFFFFF',
    grid: '#4D4D4D',
    accent: '#FFE14D',
    onAccent: '#000000',
    accentSoft: '#333000',
    danger: '#FF8FA3',
    onDanger: '#000000',
    dangerSoft: '#4A0010',
    ok: '#6BFFC0',
    onOk: '#000000',
    okSoft: '#003D28',
    warn: '#FFC857',
    onWarn: '#000000',
    warnSoft: '#402C00',
    run: '#5FE3FF',
    spin: '#FF8A4A',
    wait: '#FFE38A',
    block: '#C9D4EC',
    sleep: '#B8B8B8',
    throttle: '#F0B3FA',
    irq: '#FFFFFF',
    boost: '#D4BBFF',
    ghost: '#C8C8C8',
    lock: '#FFFFFF',
  },
};

/** Names of the thread colours, for people who must say which one they mean. */
export const THREAD_SLOTS = [
  'blue',
  'amber',
  'teal',
  'magenta',
  'violet',
  'forest',
  'sky',
  'brown',
  'plum',
  'olive',
  'navy',
  'slate',
] as const;

/** Hues of threads by slot; the first six are furthest apart. Vivid red is missing on purpose: it means hang. */
export const THREAD_COLOURS: Readonly<Record<ThemeName, readonly Hex[]>> = {
  light: [
    '#3B46D1',
    '#B5820C',
    '#0E7461',
    '#D6286C',
    '#A065F5',
    '#2A460C',
    '#4B96B8',
    '#7E513B',
    '#4F1D41',
    '#726C03',
    '#070084',
    '#747582',
  ],
  dark: [
    '#5286FF',
    '#EBAF4F',
    '#35DBBB',
    '#FA5A90',
    '#B69DD0',
    '#57814E',
    '#B2D9FD',
    '#C04812',
    '#8C5A85',
    '#DDF03A',
    '#7157E4',
    '#93A4A6',
  ],
  projector: [
    '#2A33B4',
    '#8F6300',
    '#005C4B',
    '#B8104F',
    '#7C3BE0',
    '#1F3805',
    '#25708F',
    '#643A27',
    '#4F1D41',
    '#565100',
    '#070060',
    '#5B5C68',
  ],
  contrast: [
    '#5286FF',
    '#EBAF4F',
    '#35DBBB',
    '#FA5A90',
    '#B69DD0',
    '#57814E',
    '#B2D9FD',
    '#C04812',
    '#8C5A85',
    '#DDF03A',
    '#7157E4',
    '#93A4A6',
  ],
};

export const UI_FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "DejaVu Sans", sans-serif';
export const MONO_FONT = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Themes whose ground is dark: hatches stand on a stronger tint, bands are stronger. */
export function isDark(theme: ThemeName): boolean {
  return theme === 'dark' || theme === 'contrast';
}

const INK_LIGHT: Hex = '#FFFFFF';
const INK_DARK: Hex = '#0C0F14';

/** Colour of a label on a fill: white or near-black, whichever contrasts more. At least 4.5 : 1 on every thread colour. */
export function labelOn(fill: Hex): Hex {
  return contrast(fill, INK_LIGHT) >= contrast(fill, INK_DARK) ? INK_LIGHT : INK_DARK;
}

/**
 * Custom properties of a theme for a style attribute or a rule: `--accent`, `--on-accent`, `--border-strong`,
 * `--text2`, `--thread-1` .. `--thread-12` with `--on-thread-1` .. for text on them, `--ui`, `--mono`.
 */
export function cssVariables(theme: ThemeName): Readonly<Record<`--${string}`, string>> {
  const variables: Record<`--${string}`, string> = { '--ui': UI_FONT, '--mono': MONO_FONT };
  for (const [name, value] of Object.entries(THEMES[theme])) variables[`--${kebab(name)}`] = value;
  THREAD_COLOURS[theme].forEach((colour, slot) => {
    variables[`--thread-${slot + 1}`] = colour;
    variables[`--on-thread-${slot + 1}`] = labelOn(colour);
  });
  return variables;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}
