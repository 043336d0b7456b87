// Installs the packages of package-lock.json when they are missing or older than it.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { withLock } from './lock.mjs';
import { inRoot, run, runNode } from './project.mjs';

const STAMP = inRoot('node_modules', '.spinlane-lock');

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
    if (code !== 0) {
      console.error(
        `npm ci ended with code ${code}. Check the network and the npm registry, then run the command again.`,
      );
      return false;
    }
    writeFileSync(STAMP, lockHash());
    return true;
  });
}

function isInstalled() {
  if (existsSync(STAMP)) return readFileSync(STAMP, 'utf8') === lockHash();
  // Installed by hand: npm notes the tree it made, at the time when it made it.
  const made = statSync(inRoot('node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  return made !== undefined && made.mtimeMs >= statSync(inRoot('package-lock.json')).mtimeMs;
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');
}

async function npm(args) {
  const cli = process.env.npm_execpath;
  const options = { stdout: 2 };
  if (cli !== undefined && /\.[cm]?js$/.test(cli) && existsSync(cli)) return (await runNode(cli, args, options)).code;
  const windows = process.platform === 'win32';
  return (await run(windows ? 'npm.cmd' : 'npm', args, { ...options, shell: windows })).code;
}
