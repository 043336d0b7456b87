import { expect, test } from 'vitest';
import { LIBRARY, libraryDocument } from './library/library.ts';
import { resolve } from './resolve.ts';
import type { Scenario } from './scenario.ts';

function scenario(name: string, settings: Record<string, string> = {}): Scenario {
  const result = resolve(libraryDocument(name)!, settings);
  if (!result.ok) throw new Error(JSON.stringify(result.error, null, 1));
  return result.value;
}

test('every library scenario resolves', () => {
  for (const { name } of LIBRARY) console.log(JSON.stringify(scenario(name).settings), scenario(name).notes);
  expect(LIBRARY.length).toBe(3);
});
