// What `npm start` does after the version check.

import { spawn } from 'node:child_process';
import { DIST_DIR, ensurePageBuilt } from './build_page.mjs';
import { ensureInstalled } from './install.mjs';
import { serveFolder } from './serve.mjs';

const FIRST_PORT = 4173;

/**
 * Options: `--port N` (or the variable PORT) to start from another port, `--no-open` to open no browser.
 * Ends the process with code 1 when something is missing that it can't bring, 2 for a wrong option.
 */
export async function startPage(args) {
  const options = readOptions(args);
  if (options === undefined) process.exit(2);
  if (!(await ensureInstalled()) || !(await ensurePageBuilt())) process.exit(1);
  const server = await serveFolder(DIST_DIR, {
    port: options.port,
    onBusy: (port) => console.log(`Port ${port} is busy; trying ${port + 1}.`),
  });
  console.log(`Spinlane is at ${server.url}`);
  console.log('Ctrl+C ends it.');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      void server.close().then(() => process.exit(0));
    });
  }
  if (options.open && hasDisplay()) openBrowser(server.url);
}

function readOptions(args) {
  const options = { port: FIRST_PORT, open: true };
  const portText = process.env.PORT;
  const wanted = [...args];
  if (portText !== undefined && portText !== '') wanted.unshift('--port', portText);
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === '--no-open') options.open = false;
    else if (wanted[i] === '--port' && /^\d{1,5}$/.test(wanted[i + 1] ?? '')) options.port = Number(wanted[++i]);
    else {
      console.error(`Unknown option: ${wanted[i]}. npm start knows --port N and --no-open.`);
      return undefined;
    }
  }
  return options;
}

/** A browser that opens on a build machine or at the far end of an SSH session helps nobody. */
function hasDisplay() {
  const env = process.env;
  if (env.CI || env.SSH_CONNECTION || env.SSH_TTY) return false;
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

function openBrowser(url) {
  const opener = { darwin: ['open', url], win32: ['cmd', '/c', 'start', '', url] }[process.platform] ?? [
    'xdg-open',
    url,
  ];
  const child = spawn(opener[0], opener.slice(1), { stdio: 'ignore', detached: true });
  // No opener on this machine: the address above is enough.
  child.on('error', () => {});
  child.unref();
}
