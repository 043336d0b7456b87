import { expect, test } from 'vitest';
import { quoted } from './problems.ts';

test('what cannot be seen in a quoted text is written out, so that it cannot turn the message around', () => {
  expect(quoted('\u202egnp')).toBe('"\\u202egnp"');
  expect(quoted('a\u200bb\ufeff')).toBe('"a\\u200bb\\ufeff"');
  expect(quoted('line\u0000\n')).toBe('"line\\u0000\\n"');
});

test('letters of any script stay as they are', () => {
  expect(quoted('漢字 مرحبا é 😀')).toBe('"漢字 مرحبا é 😀"');
});
