import { expect, test } from 'vitest';
import { displayName, nameForms, shortName } from './names.ts';

const forms = (...names: string[]) => nameForms(names.map((name) => ({ name })));

test('a name shortens to what stands before the colon, then to its code', () => {
  expect(forms('multiqueue0:src')[0]).toEqual(['multiqueue0:src', 'multiq0', 'm0']);
  expect(forms('WebProcess')[0]).toEqual(['WebProcess', 'WebProc', 'W']);
  expect(forms('vqueue:src')[0]).toEqual(['vqueue:src', 'vqueue', 'v']);
  expect(forms('low')[0]).toEqual(['low', 'l']);
});

test('a short form never stands for two threads', () => {
  const [video, vqueue] = forms('video', 'vqueue:src');
  expect(video).toEqual(['video', 'vi']);
  expect(vqueue).toEqual(['vqueue:src', 'vqueue', 'vq']);
  const [a, b] = forms('worker:one', 'worker:two');
  expect(a).toEqual(['worker:one']);
  expect(b).toEqual(['worker:two']);
});

test('threads of one name share its forms', () => {
  expect(forms('kworker', 'kworker')[1]).toEqual(['kworker', 'k']);
});

test('control characters and bidi overrides never reach the drawing', () => {
  expect(displayName('a\u202Eb\nc\u0000')).toBe('a·b·c·');
  expect(displayName('')).toBe('(no name)');
  expect(displayName(' \t ')).toBe('·');
});

test('markup stays text', () => {
  expect(displayName('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
});

test('a right-to-left name is isolated from the words around it', () => {
  expect(displayName('שלום')).toBe('\u2068שלום\u2069');
});

test('an emoji is never cut in two', () => {
  const family = '👨‍👩‍👧‍👦';
  expect(shortName(`${family.repeat(9)}:src`)).toBe(family.repeat(7));
  expect(forms(`${family}0:src`)[0]?.at(-1)).toBe(`${family}0`);
});
