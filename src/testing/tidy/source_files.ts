// The checkout as the tidy tests see it: files that git would keep, with their texts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The checkout's root. The tests run from there. */
export const ROOT = process.cwd();

/** Made by tools, or not ours. */
const NOT_OURS = new Set(['node_modules', 'dist', '.build', '.git', 'test-results', 'playwright-report', 'artefacts']);

const TEXT = /\.(ts|tsx|mjs|md|json|html|css|grit|svg|txt)$|^(run|LICENSE|\.gitignore)$/;

/** Recorded kernels and other data that came as they are. */
const DATA = /(^|\/)(fixtures|recorded|data)\//;

export interface SourceFile {
  /** Relative to the checkout, with forward slashes: `src/base/units.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Every text file below `folder` ('' for the whole checkout) that people wrote, sorted by path. */
export function sourceFiles(folder = ''): SourceFile[] {
  return pathsBelow(folder)
    .filter((path) => TEXT.test(path.slice(path.lastIndexOf('/') + 1)) && !DATA.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function pathsBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? pathsBelow(path) : [path];
    })
    .sort();
}
