// One at a time: two calls of a script in the same checkout must not install or build over each other.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_DIR } from './project.mjs';

const POLL_MS = 100;

/** Between making the folder and writing the pid lie microseconds; a folder without one that is older was left behind. */
const NAMELESS_MS = 5000;

/**
 * Runs `work` while no other process holds the lock of that name. Waits as long as the holder lives;
 * the lock of a process that died is taken over.
 */
export async function withLock(name, work) {
  const folder = join(BUILD_DIR, `${name}.lock`);
  const holderFile = join(folder, 'pid');
  mkdirSync(BUILD_DIR, { recursive: true });
  while (!take(folder, holderFile)) {
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function take(folder, holderFile) {
  try {
    mkdirSync(folder);
    writeFileSync(holderFile, String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (holderIsGone(folder, holderFile)) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

function holderIsGone(folder, holderFile) {
  let pid = 0;
  try {
    pid = Number(readFileSync(holderFile, 'utf8'));
  } catch {
    // No pid: see below.
  }
  if (pid === 0) {
    const made = statSync(folder, { throwIfNoEntry: false });
    return made !== undefined && Date.now() - made.mtimeMs > NAMELESS_MS;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
