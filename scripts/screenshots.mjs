// `npm run screenshots`: pictures of both stories in both settings, light and dark, from phone to wall, made from the
// built page into e2e/artefacts/ (not kept in git), and the README's one into docs/.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_ARGS, ensureBrowser } from './lib/browser.mjs';
import { DIST_DIR, ensurePageBuilt } from './lib/build_page.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot } from './lib/project.mjs';
import { serveFolder } from './lib/serve.mjs';

const STORIES = {
  // The holder's wait is selected: the panel says why.
  'hang-forms': '#/bmalloc-hang?at=20ms&t=0us-30ms&sel=4@9ms',
  'hang-clears': '#/bmalloc-hang?backoff=usleep150&at=20ms&t=0us-30ms',
  'pi-without-patch': '#/pi-reweight?reweight=off&at=2.4s',
  'pi-with-patch': '#/pi-reweight?reweight=on&at=2.4s',
};
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
const SCHEMES = ['light', 'dark'];

/** The README's picture: this one of them. */
const README_PICTURE = { story: 'hang-forms', scheme: 'light', width: 1440 };

/** Patience for what the page counts beside the run that it shows. */
const ASIDES_MS = 10_000;
const ASIDES_QUIET_MS = 600;
const POLL_MS = 100;

const ARTEFACTS = inRoot('e2e', 'artefacts');

if (!(await ensureInstalled()) || !(await ensurePageBuilt())) process.exit(1);
const executablePath = await ensureBrowser();
if (executablePath === undefined) process.exit(1);
mkdirSync(ARTEFACTS, { recursive: true });
const { chromium } = await import('playwright');
const server = await serveFolder(DIST_DIR);
const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });
for (const scheme of SCHEMES) for (const size of SIZES) await picturesOf(scheme, size);
await browser.close();
await server.close();

async function picturesOf(colorScheme, viewport) {
  const phone = viewport.width < 600;
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', hasTouch: phone });
  for (const [story, hash] of Object.entries(STORIES)) {
    const page = await context.newPage();
    await page.goto(`${server.url}${hash}`);
    await page.locator('[data-status="done"]').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await asidesDone(page);
    // Two frames: the last chunk's rows are on the canvas after one.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const path = join(ARTEFACTS, `${story}-${colorScheme}-${viewport.width}.png`);
    await page.screenshot({ path });
    console.log(path);
    if (isReadmePicture(story, colorScheme, viewport))
      await page.screenshot({ path: inRoot('docs', 'screenshot.png') });
    await page.close();
  }
  await context.close();
}

/** The panel "Why" tries the other settings in the background and says so until it knows: wait until it has and no more come. */
async function asidesDone(page) {
  const pending = page.getByRole('region', { name: 'Why' }).getByText('not yet run');
  let quiet = 0;
  for (let waited = 0; waited < ASIDES_MS && quiet < ASIDES_QUIET_MS; waited += POLL_MS) {
    await page.waitForTimeout(POLL_MS);
    quiet = (await pending.count()) === 0 ? quiet + POLL_MS : 0;
  }
}

function isReadmePicture(story, scheme, { width }) {
  return story === README_PICTURE.story && scheme === README_PICTURE.scheme && width === README_PICTURE.width;
}
