// The `test` and `expect` of every browser test. A page under test may not fail in silence: an error on its
// console, an exception, or a request to another machine fails the test that caused it.

import { test as base, expect, type Page } from 'playwright/test';
import { PAGE_URL_VARIABLE } from './serve_page.ts';

interface Fixtures {
  /** Opens the page at a link's hash ("#/bmalloc-hang?rt=off"; "" for the bare address) and waits until it stands. */
  readonly open: (hash?: string) => Promise<void>;
  /** Texts of console errors that this test expects; matching ones are let through. */
  readonly expectedErrors: RegExp[];
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern.
  baseURL: async ({}, use) => {
    await use(pageUrl());
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above.
  expectedErrors: async ({}, use) => {
    await use([]);
  },

  page: async ({ page, expectedErrors }, use) => {
    const errors = watchErrors(page);
    await use(page);
    const unexpected = errors.filter((text) => !expectedErrors.some((pattern) => pattern.test(text)));
    expect(unexpected, 'errors of the page under test').toEqual([]);
  },

  open: async ({ page }, use) => {
    await use(async (hash = '') => {
      await page.goto(`${pageUrl()}${hash}`);
      await expect(page.locator('[data-status]')).toBeVisible();
    });
  },
});

export { expect };

/** Waits until the simulation of what the page shows is done; gives its hash. */
export async function simulationDone(page: Page): Promise<string> {
  const root = page.locator('[data-status="done"]');
  await expect(root).toBeVisible();
  return (await root.getAttribute('data-hash')) ?? '';
}

function pageUrl(): string {
  const url = process.env[PAGE_URL_VARIABLE];
  if (url === undefined)
    throw new Error(`${PAGE_URL_VARIABLE} is not set: run the tests through playwright.config.ts.`);
  return url;
}

function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => errors.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    const local = ['data:', 'blob:', 'about:'].includes(url.protocol) || url.href.startsWith(pageUrl());
    if (!local) errors.push(`request to another machine: ${request.url()}`);
  });
  return errors;
}
