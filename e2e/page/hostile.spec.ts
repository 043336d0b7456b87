// What a hostile or a hurried person does to the page: it says what is wrong, and goes on working.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expect, simulationDone, test } from '../harness/test.ts';
import { expectHang, rerun, time, verdict } from './parts.ts';

const choose = (page: Page, text: string) =>
  page
    .getByLabel('Scenario file (JSON)')
    .setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) });

test('a link with settings that cannot be lists them and shows the default scene', async ({ page, open }) => {
  await open('#/bmalloc-hang?rt=maybe&cpus=0');
  await simulationDone(page);
  await expectHang(page);
  await expect(page.getByRole('alert')).toContainText('settings.rt');
  await expect(page.getByRole('alert')).toContainText('settings.cpus');
  await rerun(page, () => page.getByRole('switch', { name: 'RT priorities' }).click());
  await expect(verdict(page)).toHaveText(/^\s*No hang\b/);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a file that breaks off says where, and the next flip runs what is still shown', async ({ page, open }) => {
  await open();
  const good = await simulationDone(page);
  await choose(page, '{"version": 1,\n "threads": oops}');
  await expect(page.getByRole('alert')).toContainText('line 2, column 13');
  await choose(page, '{"version": 1, "duration": "1ms", "threads": [], "thraeds": []}');
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByRole('alert')).toContainText('thraeds');
  await expect(page.locator(`[data-hash="${good}"]`)).toBeVisible();
  await rerun(page, () => page.getByRole('switch', { name: 'RT priorities' }).click());
  await expect(verdict(page)).toHaveText(/^\s*No hang\b/);
});

test('the link after "Restart" can be opened again', async ({ page, open }) => {
  await open();
  const hash = await simulationDone(page);
  await page.getByRole('button', { name: 'Restart' }).click();
  await expect(page).toHaveURL(/at=0us&t=0us-/);
  await page.reload();
  expect(await simulationDone(page)).toBe(hash);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(time(page)).toHaveValue('0');
});

test('a file that "Save…" wrote gives the same hash', async ({ page, open }) => {
  await open('#/bmalloc-hang?backoff=usleep37&throttling=412.5ms&do=12ms:rt=off');
  const hash = await simulationDone(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save…' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  await open('#/pi-reweight');
  await simulationDone(page);
  await rerun(page, () => choose(page, text));
  await expect(page.locator(`[data-hash="${hash}"]`)).toBeVisible();
});

test('a worker that dies is replaced, and the page says so', async ({ page, open }) => {
  await page.addInitScript(() => {
    const made: Worker[] = [];
    Object.assign(window, { made });
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        made.push(this);
      }
    };
  });
  await open();
  await simulationDone(page);
  await page.evaluate(() => {
    for (const worker of (window as unknown as { made: Worker[] }).made) worker.terminate();
  });
  await rerun(page, () => page.getByRole('switch', { name: 'RT priorities' }).click());
  await expect(verdict(page)).toHaveText(/^\s*No hang\b/);
  await expect(page.getByRole('note')).toContainText('A new worker has taken over');
});

test('every switch flipped in haste while it plays ends in the run that the link describes', async ({
  page,
  open,
  browser,
}) => {
  await open();
  await simulationDone(page);
  await page.getByRole('button', { name: 'Play' }).click();
  for (const [backoff, kernel, cpus] of [
    ['futex', '6.12', '3'],
    ['PI futex', '7.2', '1'],
    ['sched_yield', '6.12', '5'],
    ['backoff + nanosleep', '6.1', '4'],
  ] as const) {
    await page.getByRole('switch', { name: 'RT priorities' }).click();
    await page.getByRole('radio', { name: backoff, exact: true }).check();
    await page.getByRole('combobox', { name: 'Kernel' }).selectOption(kernel);
    await page.getByRole('spinbutton', { name: 'CPUs' }).fill(cpus);
  }
  await page.getByRole('button', { name: 'Pause' }).click();
  const hash = await simulationDone(page);
  await expect(page).toHaveURL(/at=/);
  const fresh = await (await browser.newContext()).newPage();
  await fresh.goto(page.url());
  expect(await simulationDone(fresh)).toBe(hash);
  await fresh.context().close();
});
