// Builds the page into dist/ when its sources are newer, and swaps it in whole: a server that runs sees old or new.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { BUILD_DIR, inRoot, packageScript, runNode } from './project.mjs';

export const DIST_DIR = inRoot('dist');

const STAMP = join(BUILD_DIR, 'page.stamp');
const INPUTS = ['src', 'golden', 'public', 'index.html', 'vite.config.ts', 'package-lock.json'];

/** @returns true when dist/ holds the page of these sources; false after the bundler's own message */
export async function ensurePageBuilt(options = {}) {
  if (!options.force && isBuilt()) return true;
  return withLock('page', async () => {
    if (!options.force && isBuilt()) return true;
    console.error('Building the page …');
    const made = join(BUILD_DIR, `page-${process.pid}`);
    // Taken before the build: a file saved while it runs makes the next call build again.
    const stamp = fingerprint(INPUTS);
    const { code } = await runNode(
      packageScript('vite', 'bin', 'vite.js'),
      ['build', '--outDir', made, '--emptyOutDir', '--logLevel', 'error'],
      { stdout: 2 },
    );
    if (code !== 0) {
      rmSync(made, { recursive: true, force: true });
      console.error(`The build ended with code ${code}.`);
      return false;
    }
    swapIn(made);
    writeFileSync(STAMP, stamp);
    return true;
  });
}

function isBuilt() {
  return (
    existsSync(join(DIST_DIR, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint(INPUTS)
  );
}

function swapIn(made) {
  const old = join(BUILD_DIR, `page-old-${process.pid}`);
  mkdirSync(BUILD_DIR, { recursive: true });
  if (existsSync(DIST_DIR)) renameSync(DIST_DIR, old);
  renameSync(made, DIST_DIR);
  rmSync(old, { recursive: true, force: true });
}
