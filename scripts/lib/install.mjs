// Installs the packages of package-lock.json when they are missing or others.

import { existsSync, readFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { inRoot, run, runNode } from './project.mjs';

/**
 * Makes node_modules what package-lock.json says. Shows npm's own messages on standard error.
 *
 * @returns true when the packages are there; false after a line that says why not
 */
export async function ensureInstalled() {
  if (isInstalled()) return true;
  return withLock('install', async () => {
    // Another call may have installed while this one waited.
    if (isInstalled()) return true;
    console.error('Installing packages (npm ci) …');
    const code = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code === 0) return true;
    console.error(
      `npm ci ended with code ${code}. Check the network and the npm registry, then run the command again.`,
    );
    return false;
  });
}

/**
 * True when what npm noted of its last install has every package of the lock file at its version.
 * Optional ones may be absent: most are for other systems. Times of files say nothing here; a checkout changes them.
 */
function isInstalled() {
  const installed = packagesOf(inRoot('node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  return Object.entries(packagesOf(inRoot('package-lock.json')) ?? {}).every(([path, wanted]) => {
    const found = installed[path];
    if (path === '' || (found === undefined && wanted.optional)) return true;
    return found?.version === wanted.version && found?.integrity === wanted.integrity;
  });
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    // Not there, or cut off by an install that was stopped.
    return undefined;
  }
}

async function npm(args) {
  const cli = process.env.npm_execpath;
  const options = { stdout: 2 };
  if (cli !== undefined && /\.[cm]?js$/.test(cli) && existsSync(cli)) return (await runNode(cli, args, options)).code;
  const windows = process.platform === 'win32';
  return (await run(windows ? 'npm.cmd' : 'npm', args, { ...options, shell: windows })).code;
}
