// Has anything changed since it was last built? Answered from names, sizes and times of files, in milliseconds.

import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.mjs';

/**
 * 16 hex digits that change when a file under `inputs` is added, removed, renamed or written.
 * Tests don't count: they are in no bundle.
 *
 * @param inputs files or folders, relative to the checkout; one that is not there counts as empty
 */
export function fingerprint(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) addPath(hash, input);
  return hash.digest('hex').slice(0, 16);
}

function addPath(hash, path) {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isFile()) {
    hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(join(ROOT, path)).sort()) {
    if (!/\.(test|bench)\.tsx?$|\.md$/.test(name)) addPath(hash, `${path}/${name}`);
  }
}
