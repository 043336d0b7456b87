// Browser tests run against the built page (dist/), served on a free port by e2e/harness/serve_page.ts:
// two checkouts may test at the same time.

import { cpus } from 'node:os';
import { defineConfig } from 'playwright/test';
import { BROWSER_ARGS, findBrowser } from './scripts/lib/browser.mjs';

// Looked up once; workers read this file again and find the answer in the environment.
const executablePath = (await findBrowser()) ?? '';
process.env.CHROMIUM_PATH = executablePath;

const TEST_TIMEOUT_MS = 60_000;
const EXPECT_TIMEOUT_MS = 15_000;

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  globalSetup: './e2e/harness/serve_page.ts',
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: EXPECT_TIMEOUT_MS },
  workers: Math.max(1, Math.floor(cpus().length / 2)),
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: BROWSER_ARGS },
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    screenshot: 'only-on-failure',
    trace: 'off',
    video: 'off',
  },
});
