import { expect, test } from 'vitest';
import { createLabels, type Label, nextLabel, paintLabels } from './labels.ts';
import { createRecordingPainter } from './recording_painter.ts';

const BASE: Label = {
  x0Px: 100,
  x1Px: 300,
  endPx: 300,
  topPx: 7,
  bottomPx: 23,
  fontPx: 10,
  weight: 600,
  colour: '#FFFFFF',
  plate: '',
  fixed: false,
  centred: false,
  forms: ['multiqueue0:src', 'multiq0', 'm0'],
  padPx: 5,
};

/** Labels drawn over [0, 1000); a character is 5.5 px wide, so the forms are 82.5, 38.5 and 11 px. */
function drawn(label: Partial<Label>, lines: readonly number[] = [], endPx = 1000) {
  const list = createLabels();
  Object.assign(nextLabel(list), BASE, label);
  const painter = createRecordingPainter();
  paintLabels(list, painter, 1000, lines, endPx);
  const call = painter.calls.find((c) => c.call === 'text');
  return call === undefined ? undefined : { text: call.args[2], x: call.args[3], calls: painter.calls };
}

test('the longest form that fits is taken, then none', () => {
  expect(drawn({ x1Px: 191 })?.text).toBe('multiqueue0:src');
  expect(drawn({ x1Px: 190 })?.text).toBe('multiq0');
  expect(drawn({ x1Px: 120 })?.text).toBe('m0');
  expect(drawn({ x1Px: 118 })).toBeUndefined();
});

test('no form is ever cut or ends in an ellipsis', () => {
  for (let x1Px = 100; x1Px < 320; x1Px++) {
    const text = drawn({ x1Px })?.text;
    if (text !== undefined) expect(BASE.forms).toContain(text);
  }
});

test('a label stays at the left edge while its segment scrolls out', () => {
  expect(drawn({ x0Px: -500, x1Px: 300 })?.x).toBe(6);
  expect(drawn({ x0Px: 100 })?.x).toBe(105);
});

test('a label never crosses a line: a shorter form before it, else right of it', () => {
  expect(drawn({}, [160])).toMatchObject({ text: 'multiq0', x: 105 });
  const moved = drawn({}, [120]);
  expect(moved?.text).toBe('multiqueue0:src');
  expect(moved?.x).toBeGreaterThan(120);
  for (let line = 90; line < 310; line += 0.5) {
    const label = drawn({}, [line]);
    if (label === undefined) continue;
    const x = Number(label.x);
    expect(line <= x || line >= x + String(label.text).length * 5.5).toBe(true);
  }
});

test('nothing is written under the veil', () => {
  expect(drawn({}, [], 150)?.text).toBe('multiq0');
  expect(drawn({}, [], 110)).toBeUndefined();
});

test('on a hatch the plate begins 4 px in, so that the pattern shows at the start', () => {
  const label = drawn({ plate: '#FFFFFF', padPx: 9 });
  const plate = label?.calls.find((c) => c.call === 'fillRect');
  expect(plate?.args[1]).toBeGreaterThanOrEqual(104);
  expect(plate?.args[1]).toBeLessThan(106);
  expect(label?.x).toBe(109);
});

test('where there are too many labels the widest stretches keep theirs', () => {
  const list = createLabels();
  for (let i = 0; i < 1000; i++) Object.assign(nextLabel(list), BASE, { x0Px: 0, x1Px: 20 + i / 10, forms: ['m0'] });
  const painter = createRecordingPainter();
  paintLabels(list, painter, 1000, []);
  expect(painter.texts().length).toBeGreaterThan(100);
  expect(painter.texts().length).toBeLessThanOrEqual(300);
});

test('objects of the last frame are used again', () => {
  const list = createLabels();
  const first = nextLabel(list);
  list.count = 0;
  expect(nextLabel(list)).toBe(first);
});
