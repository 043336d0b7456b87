import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFolder } from './serve.mjs';

let outside = '';
let folder = '';
let server;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'spinlane-serve-'));
  folder = join(outside, 'dist');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(outside, 'dist-other'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'assets', 'a-12345678.js'), 'export {};');
  server = await serveFolder(folder);
});

afterAll(async () => {
  await server.close();
  rmSync(outside, { recursive: true, force: true });
});

test('the bare address is the page, asked for anew each time', async () => {
  const answer = await get('/');
  expect(answer).toMatchObject({ status: 200, body: '<p>page</p>' });
  expect(answer.headers['content-type']).toContain('text/html');
  expect(answer.headers['cache-control']).toBe('no-cache');
});

test('a script whose name has a hash may be kept, and comes as a script', async () => {
  const answer = await get('/assets/a-12345678.js');
  expect(answer.headers['content-type']).toContain('text/javascript');
  expect(answer.headers['cache-control']).toContain('immutable');
});

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/../../secret.txt',
  '/..%2fdist-other',
  '/%00',
  '/%',
  '/assets',
  '/nothing.js',
])('%s is not found', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('only reading is answered', async () => {
  expect((await get('/', 'POST')).status).toBe(405);
  expect(await get('/', 'HEAD')).toMatchObject({ status: 200, body: '' });
});

test('a busy port is named, and the next free one taken', async () => {
  const busy = [];
  const next = await serveFolder(folder, { port: server.port, onBusy: (port) => busy.push(port) });
  expect(busy[0]).toBe(server.port);
  expect(next.port).toBe(server.port + busy.length);
  expect(next.url).toBe(`http://localhost:${next.port}/`);
  await next.close();
});

test('a port that is busy on ::1 alone counts as busy: "localhost" means either', async (context) => {
  const other = createServer();
  const listens = await new Promise((done) => {
    other.once('error', () => done(false));
    other.listen(0, '::1', () => done(true));
  });
  // A machine without IPv6 has nothing to confuse.
  if (!listens) context.skip();
  const { port } = other.address();
  const busy = [];
  const mine = await serveFolder(folder, { port, onBusy: (each) => busy.push(each) });
  expect(busy).toContain(port);
  await mine.close();
  other.close();
});

/** Sends the path as it is; fetch would tidy it up. */
function get(path, method = 'GET') {
  return new Promise((done, fail) => {
    request({ host: '127.0.0.1', port: server.port, path, method }, (response) => {
      let body = '';
      response.on('data', (piece) => (body += piece));
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, body }));
    })
      .on('error', fail)
      .end();
  });
}
