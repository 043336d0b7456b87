// Bundles a Node program of src/ into .build/ when its sources are newer. Node 20 runs no TypeScript.
// The folder's name is the fingerprint of the sources, so parallel calls can't disturb each other:
// each builds aside and renames, and the second to come finds it done.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint } from './fingerprint.mjs';
import { BUILD_DIR, inRoot } from './project.mjs';

/** What the command line and the golden comparison are made of. */
const CORE = ['base', 'trace', 'scenario', 'sim', 'explain', 'analysis', 'formats'];

const KEEP_MS = 3_600_000;

/**
 * @param name of the bundle, e.g. 'sim'
 * @param entry relative to the checkout, e.g. 'src/cli/main.ts'
 * @param folder of src/ that the entry lies in
 * @returns the bundled file's path
 * @throws with the bundler's message when the sources don't build
 */
export async function ensureBundle(name, entry, folder) {
  const inputs = [...CORE, folder].map((each) => `src/${each}`).concat('package-lock.json', 'scripts/lib/bundle.mjs');
  const target = join(BUILD_DIR, `${name}-${fingerprint(inputs)}`);
  const file = join(target, 'main.mjs');
  if (existsSync(file)) return file;
  mkdirSync(BUILD_DIR, { recursive: true });
  const aside = join(BUILD_DIR, `${name}.tmp-${process.pid}`);
  await bundle(entry, aside);
  moveTo(aside, target);
  dropOld(name, target);
  return file;
}

async function bundle(entry, outDir) {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: inRoot(),
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: inRoot(entry),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      rollupOptions: { output: { entryFileNames: 'main.mjs' } },
    },
  });
}

function moveTo(aside, target) {
  try {
    renameSync(aside, target);
  } catch (error) {
    // Another call was first; its bundle is of the same sources.
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  const now = new Date();
  utimesSync(target, now, now);
}

/** Removes bundles of older sources, but none that a running call may still read. */
function dropOld(name, target) {
  for (const entry of readdirSync(BUILD_DIR)) {
    const path = join(BUILD_DIR, entry);
    if (!new RegExp(`^${name}(-[0-9a-f]{16}|\\.tmp-\\d+)$`).test(entry) || path === target) continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > KEEP_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Bundles if needed and runs the program in this process, with this process's arguments.
 * Standard output stays the program's own: whatever is said on the way goes to standard error.
 */
export async function runBundle(name, entry, folder) {
  let file;
  try {
    file = await ensureBundle(name, entry, folder);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    return;
  }
  process.argv[1] = file;
  await import(pathToFileURL(file).href);
}
