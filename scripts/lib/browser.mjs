// Finds a Chromium for the browser tests, or brings one.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { packageScript, run, runNode } from './project.mjs';

/** Tried in this order. Debian's own binary goes before its wrapper, which reads the system's settings. */
const FIXED_PATHS = [
  '/usr/lib/chromium/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Google', 'Chrome', 'Application', 'chrome.exe'),
];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** A browser without fonts draws boxes. */
const DEBIAN_PACKAGES = ['chromium', 'fonts-liberation', 'fonts-dejavu-core'];

const VERSION_TIMEOUT_MS = 30_000;
const APT_WAIT_S = 300;

/** What every start of the browser by a script of this project needs. Nothing it does leaves the machine. */
export const BROWSER_ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
];

/** Path of a Chromium that starts, or undefined. The variable CHROMIUM_PATH goes before everything. */
export async function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (await starts(named)) return named;
    console.error(`CHROMIUM_PATH is ${named}, which does not start. Looking for another browser.`);
  }
  const candidates = [...FIXED_PATHS, ...onPath(NAMES), await playwrightsOwn()];
  for (const path of candidates) {
    if (path !== undefined && (await starts(path))) return path;
  }
  return undefined;
}

/**
 * A Chromium found, else installed: Debian's package where apt and the rights are there, else Playwright's download.
 *
 * @returns its path, or undefined after one line that says what to do
 */
export async function ensureBrowser() {
  const found = await findBrowser();
  if (found !== undefined) return found;
  for (const bring of [installWithApt, installWithPlaywright]) {
    await bring();
    const brought = await findBrowser();
    if (brought !== undefined) return brought;
  }
  console.error(
    'No browser for the browser tests: install Chromium or Chrome, or set CHROMIUM_PATH to one, and run npm test again.',
  );
  return undefined;
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

async function playwrightsOwn() {
  try {
    const { chromium } = await import('playwright');
    return chromium.executablePath();
  } catch {
    // It throws where it knows no build for this system.
    return undefined;
  }
}

/** A path may name a stub that only tells how to install a browser (Ubuntu's snap): only a start proves it. */
async function starts(path) {
  if (!existsSync(path)) return false;
  // There, `--version` opens a window.
  if (process.platform === 'win32') return true;
  const { code, output } = await run(path, ['--version'], { capture: 'all', timeoutMs: VERSION_TIMEOUT_MS });
  return code === 0 && /\d+\.\d+\.\d+/.test(output);
}

async function installWithApt() {
  if (!onPath(['apt-get']).some((path) => existsSync(path))) return;
  const asRoot = await rootPrefix();
  if (asRoot === undefined) return;
  console.error(`Installing ${DEBIAN_PACKAGES[0]} (apt-get) …`);
  const apt = (...args) => {
    const [command, ...rest] = [
      ...asRoot,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-q',
      '-y',
      '-o',
      `DPkg::Lock::Timeout=${APT_WAIT_S}`,
      ...args,
    ];
    return run(command, rest, { capture: 'all' });
  };
  const install = () => apt('install', '--no-install-recommends', ...DEBIAN_PACKAGES);
  if ((await install()).code === 0) return;
  // A fresh machine has no package lists yet, or old ones.
  await apt('update');
  const { code, output } = await install();
  if (code !== 0) console.error(`apt-get ended with code ${code}: ${reasonIn(output)}`);
}

/** [] for root, sudo where it asks nothing, undefined without the rights. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const { code } = await run('sudo', ['-n', 'true'], { capture: 'all' });
  return code === 0 ? ['sudo', '-n'] : undefined;
}

async function installWithPlaywright() {
  console.error('Downloading Chromium (npx playwright install chromium) …');
  const { code, output } = await runNode(packageScript('playwright', 'cli.js'), ['install', 'chromium'], {
    capture: 'all',
  });
  if (code !== 0) console.error(`playwright install ended with code ${code}: ${reasonIn(output)}`);
}

/** The line of a tool's output that says what went wrong, else its last. */
function reasonIn(text) {
  const lines = text.trim().split('\n');
  return (lines.findLast((line) => /^\s*(e:|error|failed)/i.test(line)) ?? lines.at(-1) ?? '').trim();
}
