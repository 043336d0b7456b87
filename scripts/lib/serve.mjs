// A static server for a built page, on this machine only. Used by `npm start`, the browser tests and the benches.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.dat': 'application/octet-stream',
  '.wasm': 'application/wasm',
};

const LAST_PORT = 65535;

/**
 * Serves `folder` on 127.0.0.1 and, where there is one, on ::1, so that "localhost" means this server in every browser.
 *
 * @param options.port 0 for any free one; else this one or, when it is busy, the next free one
 * @param options.onBusy told each port that is busy
 * @returns { port, url, close() }
 * @throws when no port is free
 */
export async function serveFolder(folder, options = {}) {
  let port = options.port ?? 0;
  for (;;) {
    const server = await listen(folder, port, '127.0.0.1');
    if (server !== undefined) {
      const taken = server.address().port;
      const second = await listen(folder, taken, '::1');
      if (second !== undefined) return handle(taken, second === 'absent' ? [server] : [server, second]);
      // Free here, busy there: "localhost" would be somebody else's page in half of the browsers.
      await stop(server);
    }
    if (port !== 0) {
      options.onBusy?.(port);
      port += 1;
      if (port > LAST_PORT) throw new Error('No free port.');
    }
  }
}

function handle(port, servers) {
  return {
    port,
    url: `http://localhost:${port}/`,
    close: async () => {
      await Promise.all(servers.map(stop));
    },
  };
}

/** A server, undefined when the port is busy, 'absent' when this machine has no such address. */
function listen(folder, port, host) {
  const server = createServer((request, response) => answer(folder, request, response));
  return new Promise((done, fail) => {
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') done(undefined);
      else if (host === '::1') done('absent');
      else fail(error);
    });
    server.listen({ port, host }, () => done(server));
  });
}

function stop(server) {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

function answer(folder, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const file = fileFor(folder, request.url ?? '/');
  const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n');
    return;
  }
  // Names under assets/ carry a hash of their content; everything else is asked for again.
  const hashed = file.includes(`${sep}assets${sep}`);
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': stat.size,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** The file that a URL means, or undefined for one that leaves the folder or can't be read. */
function fileFor(folder, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0')) return undefined;
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  return file.startsWith(folder + sep) ? file : undefined;
}
