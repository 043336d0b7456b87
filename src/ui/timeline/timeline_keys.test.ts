import { expect, test } from 'vitest';
import { type KeyPress, timelineKey } from './timeline_keys.ts';

const press = (key: string, code: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});

test.each([
  ['w', 'KeyW', 'zoomIn'],
  ['s', 'KeyS', 'zoomOut'],
  ['a', 'KeyA', 'panLeft'],
  ['d', 'KeyD', 'panRight'],
  [',', 'Comma', 'stepBack'],
  ['.', 'Period', 'step'],
  ['ArrowLeft', 'ArrowLeft', 'previousSegment'],
  ['ArrowDown', 'ArrowDown', 'laneDown'],
  ['0', 'Digit0', 'fit'],
  ['-', 'Minus', 'zoomOut'],
  ['f', 'KeyF', 'zoomToSelection'],
  [' ', 'Space', 'playPause'],
  ['y', 'KeyY', 'why'],
  ['[', 'BracketLeft', 'followBack'],
  ['Escape', 'Escape', 'escape'],
])('%s means %s', (key, code, meaning) => {
  expect(timelineKey(press(key, code))).toBe(meaning);
});

test('zoom and pan go by the place of the key: on AZERTY the key at W types z, at A types q', () => {
  expect(timelineKey(press('z', 'KeyW'))).toBe('zoomIn');
  expect(timelineKey(press('q', 'KeyA'))).toBe('panLeft');
});

test('characters go by what is typed: "?" and "+" lie elsewhere on other keyboards', () => {
  expect(timelineKey(press('?', 'Minus', { shiftKey: true }))).toBe('help');
  expect(timelineKey(press('+', 'BracketRight'))).toBe('zoomIn');
});

test('Shift+A and Shift+B place markers and do not pan', () => {
  expect(timelineKey(press('A', 'KeyA', { shiftKey: true }))).toBe('markerA');
  expect(timelineKey(press('B', 'KeyB', { shiftKey: true }))).toBe('markerB');
});

test('Alt with an arrow follows; Ctrl and Cmd stay the browser’s', () => {
  expect(timelineKey(press('ArrowLeft', 'ArrowLeft', { altKey: true }))).toBe('followBack');
  expect(timelineKey(press('r', 'KeyR', { ctrlKey: true }))).toBeUndefined();
  expect(timelineKey(press('d', 'KeyD', { ctrlKey: true }))).toBeUndefined();
  expect(timelineKey(press('d', 'KeyD', { metaKey: true }))).toBeUndefined();
});
