// Pages for benches in headless Chromium: e2e/bench/ bundled by vite with the page's own modules, or dist/ itself.

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_ARGS, ensureBrowser } from '../lib/browser.mjs';
import { DIST_DIR, ensurePageBuilt } from '../lib/build_page.mjs';
import { fingerprint } from '../lib/fingerprint.mjs';
import { BUILD_DIR, inRoot } from '../lib/project.mjs';
import { serveFolder } from '../lib/serve.mjs';

const INPUTS = ['src', 'e2e/bench', 'vite.config.ts', 'package-lock.json'];

/** Frames come as fast as they are painted, so that intervals are true costs. */
export const UNTHROTTLED = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/** Opens e2e/bench/NAME.html, calls `work(page)`, closes everything. */
export async function withBenchPage(name, args, work) {
  return withPage(await benchBuild(name), `e2e/bench/${name}.html`, args, work);
}

/** Opens the page that people get. */
export async function withRealPage(hash, args, work) {
  if (!(await ensurePageBuilt())) throw new Error('the page does not build');
  return withPage(DIST_DIR, hash, args, work);
}

async function withPage(folder, path, args, work) {
  const executablePath = await ensureBrowser();
  if (executablePath === undefined) throw new Error('no browser');
  const { chromium } = await import('playwright');
  const server = await serveFolder(folder);
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGS, ...args] });
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
    page.on('pageerror', (error) => console.error('bench page:', error));
    page.on('console', (message) => message.type() === 'error' && console.error('bench page:', message.text()));
    await page.goto(`${server.url}${path}`);
    return await work(page);
  } finally {
    await browser.close();
    await server.close();
  }
}

async function benchBuild(name) {
  const target = join(BUILD_DIR, `bench-${name}-${fingerprint(INPUTS)}`);
  if (existsSync(target)) return target;
  const aside = `${target}.tmp-${process.pid}`;
  const { build } = await import('vite');
  await build({
    root: inRoot(),
    configFile: inRoot('vite.config.ts'),
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir: aside,
      emptyOutDir: true,
      rollupOptions: { input: inRoot('e2e', 'bench', `${name}.html`) },
    },
  });
  if (existsSync(target)) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, target);
  return target;
}
