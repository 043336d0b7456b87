import { expect, test } from 'vitest';
import type { ThemeName } from './api.ts';
import { contrast } from './colour.ts';
import { hatchGround } from './inks.ts';
import { cssVariables, labelOn, THEMES, THREAD_COLOURS, type TokenName } from './tokens.ts';

const NAMES: readonly ThemeName[] = ['light', 'dark', 'projector', 'contrast'];

test('WCAG contrast follows its definition', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
  // 4.54:1 is the known value of #767676 on white.
  expect(contrast('#767676', '#FFFFFF')).toBeCloseTo(4.54, 2);
});

test.each(NAMES)('%s: all reading text has 7.6 : 1 on every surface', (theme) => {
  const t = THEMES[theme];
  for (const text of [t.text, t.text2]) {
    for (const ground of [t.canvas, t.surface, t.sunken, t.lane]) {
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(7.59);
    }
  }
});

test.each(NAMES)('%s: text on a tone has 6 : 1, marks 3 : 1', (theme) => {
  const t = THEMES[theme];
  expect(contrast(t.onAccent, t.accent)).toBeGreaterThanOrEqual(6);
  expect(contrast(t.onDanger, t.danger)).toBeGreaterThanOrEqual(6);
  expect(contrast(t.onOk, t.ok)).toBeGreaterThanOrEqual(6);
  expect(contrast(t.onWarn, t.warn)).toBeGreaterThanOrEqual(6);
  const marks: readonly TokenName[] = [
    'run',
    'spin',
    'wait',
    'block',
    'sleep',
    'throttle',
    'irq',
    'boost',
    'ghost',
    'lock',
    'accent',
  ];
  for (const mark of marks) expect(contrast(t[mark], t.lane), mark).toBeGreaterThanOrEqual(3);
});

test.each(NAMES)(
  '%s: a label reads on every thread colour, and every thread colour stands out from the lane',
  (theme) => {
    expect(THREAD_COLOURS[theme]).toHaveLength(12);
    for (const hue of THREAD_COLOURS[theme]) {
      expect(contrast(labelOn(hue), hue), hue).toBeGreaterThanOrEqual(4.5);
      expect(contrast(hue, THEMES[theme].lane), hue).toBeGreaterThanOrEqual(3);
    }
  },
);

test.each(NAMES)('%s: the stripes of a hatch stand out from their ground', (theme) => {
  // The edge in full hue helps where dark plum and navy reach 2.7 only.
  for (const hue of [...THREAD_COLOURS[theme], THEMES[theme].spin]) {
    expect(contrast(hue, hatchGround(theme, hue)), hue).toBeGreaterThanOrEqual(2.6);
  }
});

test('custom properties are in kebab case and carry the thread colours with their labels', () => {
  const variables = cssVariables('dark');
  expect(variables['--on-accent']).toBe('#0C0F14');
  expect(variables['--border-strong']).toBe('#6E7A8B');
  expect(variables['--thread-2']).toBe('#EBAF4F');
  expect(variables['--on-thread-2']).toBe('#0C0F14');
  expect(Object.values(variables).every((value) => value.length > 0)).toBe(true);
});
