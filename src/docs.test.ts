// What README.md and docs/ show is so: each command on the command line ends well, each whole document runs, each link opens.

import { expect, test } from 'vitest';
import { memoryIo } from './cli/memory_io.ts';
import { runCli } from './cli/run_cli.ts';
import { libraryDocument } from './scenario/library/library.ts';
import { SIM } from './sim/api.ts';
import { sourceFiles } from './testing/tidy/source_files.ts';

const pages = sourceFiles().filter((file) => file.path === 'README.md' || /^docs\/.*\.md$/.test(file.path));
const text = pages.map((page) => page.text).join('\n');

const commands = [...text.matchAll(/^npm run -s sim -- (.*)$/gm)].map((match) => match[1]!.trim());
const documents = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1]!);
const links = [...text.matchAll(/http:\/\/localhost:\d+\/#\/([^)\s?]+)/g)].map((match) => match[1]!);

test('there is something to try', () => {
  expect(commands.length).toBeGreaterThan(2);
  expect(documents.length).toBeGreaterThan(0);
  expect(links.length).toBeGreaterThan(1);
});

test.each(commands)('sim %s', async (command) => {
  const io = memoryIo();
  expect([await runCli(command.split(/\s+/), io, SIM), io.err]).toEqual([0, '']);
  expect(io.out).not.toBe('');
});

test.each(documents)('the document %#', async (document) => {
  const io = memoryIo({ 'document.json': document });
  expect([await runCli(['check', 'document.json'], io, SIM), io.err]).toEqual([0, '']);
});

test.each(links)('the link to %s names a scenario of the library', (name) => {
  expect(libraryDocument(name)).toBeDefined();
});
