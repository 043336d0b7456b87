// The checkout keeps its own rules: what the compiler and the linter don't see.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importFaults, importsOf, MAY_IMPORT } from './testing/tidy/import_rule.ts';
import { ROOT, sourceFiles } from './testing/tidy/source_files.ts';

const files = sourceFiles();
const code = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file.path));

/** A reader still sees a file of this size as one subject. */
const LINES_GOOD = 400;
const LINES_MAX = 700;

test('every folder of src with code has a README, or a line in the README of the folder above', () => {
  const folders = new Set(code.filter((file) => file.path.startsWith('src/')).map((file) => dirname(file.path)));
  const readmeOf = (folder: string) => files.find((file) => file.path === `${folder}/README.md`)?.text;
  const missing = [...folders].filter(
    (folder) => readmeOf(folder) === undefined && !readmeOf(dirname(folder))?.includes(`\`${basename(folder)}/`),
  );
  expect(missing).toEqual([]);
});

test('relative links in Markdown lead to files', () => {
  const dead = files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) => linksOf(file.text).map((link) => ({ file: file.path, link })))
    .filter(({ file, link }) => !existsSync(join(ROOT, dirname(file), link)));
  expect(dead).toEqual([]);
});

test('a note of work to be done names its issue', () => {
  const note = new RegExp(`\\b(${'TO'}DO|${'FIX'}ME|${'XX'}X)\\b(?!\\(#\\d+\\))`);
  const nameless = linesThat((line) => note.test(line));
  expect(nameless).toEqual([]);
});

test('the project names no place or tool outside of itself', () => {
  // Put together here, so that this file does not contain them.
  const words = [
    ['/wo', 'rk/'],
    ['sha', 'red/'],
    ['fa', 'rm-'],
    ['before', '-stop'],
  ].map((parts) => parts.join(''));
  const found = linesThat((line) => words.some((word) => line.includes(word)));
  expect(found).toEqual([]);
});

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const lengths = code.map((file) => ({ path: file.path, lines: file.text.split('\n').length }));
  const long = lengths.filter(({ lines }) => lines > LINES_GOOD);
  if (long.length > 0) console.warn('Files that want a second subject moved out:', long);
  expect(lengths.filter(({ lines }) => lines > LINES_MAX)).toEqual([]);
});

test('every export is used somewhere', () => {
  const names = code.map((file) => new Set(file.text.match(/\b\w+\b/g)));
  const unused = code.flatMap((file) =>
    [...file.text.matchAll(/^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm)]
      .map((match) => match[1]!)
      .filter((name) => file.text.split(new RegExp(`\\b${name}\\b`)).length === 2)
      .filter((name) => !code.some((other, i) => other !== file && names[i]!.has(name)))
      .map((name) => `${file.path}: ${name}`),
  );
  expect(unused).toEqual([]);
});

test('imports go from the shells to the core, and into sim/ through its door only', () => {
  expect(importFaults(files)).toEqual([]);
});

test('the project references of the compiler are the import rule', () => {
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    const config = files.find((file) => file.path === `src/${folder}/tsconfig.json`);
    const references = (JSON.parse(config?.text ?? '{}').references ?? []) as { path: string }[];
    const named = references.map((reference) => reference.path.replace('../', ''));
    expect([folder, named.sort()]).toEqual([folder, [...allowed].sort()]);
  }
});

test('the import rule sees each kind of import that it forbids', () => {
  const planted = (path: string, text: string) => importFaults([{ path, text }]);
  expect(planted('src/base/a.ts', "import { x } from '../trace/ids.ts';")).toHaveLength(1);
  expect(planted('src/trace/a.ts', "export type { X } from '../scenario/scenario.ts';")).toHaveLength(1);
  expect(planted('src/trace/a.ts', "const x = await import('../sim/api.ts');")).toHaveLength(1);
  expect(planted('src/view/a.ts', "new Worker(new URL('../engine/sim.worker.ts', import.meta.url));")).toHaveLength(1);
  expect(planted('src/view/a.ts', "import {\n  x,\n  y,\n} from '../store/x.ts';")).toHaveLength(1);
  expect(planted('src/engine/a.ts', "import { Machine } from '../sim/machine.ts';")).toHaveLength(1);
  expect(planted('src/sim/a.ts', "import { html } from 'react';")).toHaveLength(1);
  expect(planted('src/sim/a.ts', "import { readFileSync } from 'node:fs';")).toHaveLength(1);
  expect(planted('src/elsewhere/a.ts', '')).toHaveLength(1);

  expect(planted('src/engine/a.ts', "import { advance } from '../sim/api.ts';")).toEqual([]);
  expect(planted('src/sim/sched/a.ts', "import { ns } from '../../base/units.ts';")).toEqual([]);
  expect(planted('src/base/a.ts', "// as in: import { x } from '../trace/ids.ts';")).toEqual([]);
});

test('imports are read from code, not from comments', () => {
  expect(importsOf("/* import 'a' */ import 'b'; // from 'c'\nexport * from './d.ts';")).toEqual(['./d.ts', 'b']);
});

function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

function linesThat(matches: (line: string) => boolean): string[] {
  return files.flatMap((file) =>
    file.text.split('\n').flatMap((line, i) => (matches(line) ? [`${file.path}:${i + 1}: ${line.trim()}`] : [])),
  );
}
