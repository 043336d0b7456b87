import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from './lock.mjs';
import { BUILD_DIR } from './project.mjs';

const NAME = `test-${process.pid}`;

test('work under one lock never runs twice at a time, and each gets its turn', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside++;
    most = Math.max(most, inside);
    await new Promise((wake) => setTimeout(wake, 5));
    inside--;
    return 'done';
  };
  const all = await Promise.all([withLock(NAME, work), withLock(NAME, work), withLock(NAME, work)]);
  expect(all).toEqual(['done', 'done', 'done']);
  expect(most).toBe(1);
});

test('the lock of a process that died is taken over', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  mkdirSync(join(BUILD_DIR, `${NAME}.lock`), { recursive: true });
  writeFileSync(join(BUILD_DIR, `${NAME}.lock`, 'pid'), String(dead));
  expect(await withLock(NAME, async () => 'mine')).toBe('mine');
});

test('work that throws gives the lock back', async () => {
  const failing = withLock(NAME, async () => {
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(await withLock(NAME, async () => 'next')).toBe('next');
});
