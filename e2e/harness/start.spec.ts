// What a newcomer meets: `npm start`, as a process.

import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from './test.ts';

const FIRST_LINE_TIMEOUT_MS = 30_000;

test('npm start says where the page is, steps aside for a busy port, and ends with Ctrl+C', async ({ page }) => {
  const blocker = createServer();
  const port = await new Promise<number>((done) => {
    blocker.listen(0, '127.0.0.1', () => done((blocker.address() as { port: number }).port));
  });
  const start = spawn(process.execPath, ['scripts/start.mjs', '--no-open', '--port', String(port)]);
  const lines = await linesUntil(start, /^Spinlane is at /);
  expect(lines[0]).toBe(`Port ${port} is busy; trying ${port + 1}.`);

  const url = lines.at(-1)!.replace('Spinlane is at ', '');
  expect(new URL(url).hostname).toBe('localhost');
  const answer = await page.request.get(url);
  expect(await answer.text()).toContain('<title>Spinlane</title>');

  start.kill('SIGINT');
  expect(await new Promise((done) => start.on('exit', (code) => done(code)))).toBe(0);
  blocker.close();
});

test('a wrong option gets one line and exit code 2', async () => {
  const start = spawn(process.execPath, ['scripts/start.mjs', '--prot', '1']);
  const said = await new Promise<string>((done) => start.stderr.once('data', (piece) => done(String(piece))));
  expect(said).toBe('Unknown option: --prot. npm start knows --port N and --no-open.\n');
  expect(await new Promise((done) => start.on('exit', (code) => done(code)))).toBe(2);
});

function linesUntil(child: ChildProcess, last: RegExp): Promise<string[]> {
  return new Promise((done, fail) => {
    let text = '';
    const timer = setTimeout(() => fail(new Error(`not said within 30 s: ${last}\n${text}`)), FIRST_LINE_TIMEOUT_MS);
    child.stdout!.on('data', (piece) => {
      text += piece;
      const lines = text.split('\n').filter((line) => line !== '');
      const at = lines.findIndex((line) => last.test(line));
      if (at < 0) return;
      clearTimeout(timer);
      done(lines.slice(0, at + 1));
    });
  });
}
