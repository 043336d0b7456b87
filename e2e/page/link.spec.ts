// The link carries everything, and whatever is wrong with one is said.

import { expect, simulationDone, test } from '../harness/test.ts';
import { expectHang, rerun, verdict } from './parts.ts';

test('a link opens the same hash in another browser', async ({ page, open, browser }) => {
  await open();
  await simulationDone(page);
  await rerun(page, () => page.getByRole('switch', { name: 'RT throttling' }).click());
  await rerun(page, () => page.getByRole('spinbutton', { name: /CPU time/ }).fill('3'));
  const hash = await simulationDone(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  const textbox = dialog.getByRole('textbox', { name: 'Link' });
  await expect(textbox).toHaveValue(/throttling=on/);
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible();
  const link = await textbox.inputValue();

  const fresh = await (await browser.newContext()).newPage();
  await fresh.goto(link);
  expect(await simulationDone(fresh)).toBe(hash);
  await fresh.context().close();
});

test('Back undoes a flip', async ({ page, open }) => {
  await open();
  const first = await simulationDone(page);
  const flipped = await rerun(page, () => page.getByRole('switch', { name: 'RT priorities' }).click());
  expect(flipped).not.toBe(first);
  await expect(page).toHaveURL(/rt=off/);
  await page.goBack();
  await expect(page.locator(`[data-hash="${first}"]`)).toBeVisible();
  await expectHang(page);
});

for (const [what, hash] of [
  ['names no scenario', '#/no-such-scene'],
  ['is cut short', '#/z=q1Yq'],
  ['lacks a unit', '#/bmalloc-hang?at=5'],
  ['is huge', `#/z=${'A'.repeat(600_000)}`],
  ['comes from the future', '#/z=9.AAAA'],
  ['holds markup', '#/<img src=x onerror=alert(1)>'],
] as const) {
  test(`a link that ${what} gives an alert with the reason, and a page that works`, async ({ page, open }) => {
    await open(hash);
    await expect(page.getByRole('alert')).toContainText(/link/i);
    await simulationDone(page);
    await expectHang(page);
    await page.getByRole('alert').getByRole('button', { name: 'Open the default scene' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await rerun(page, () => page.getByRole('switch', { name: 'RT priorities' }).click());
    await expect(verdict(page)).toHaveText(/^\s*No hang\b/);
  });
}

test('names from a document are text, never markup', async ({ page, open }) => {
  const name = '<b>x</b><img/>';
  const document = {
    version: 1,
    title: '<img src=x onerror="document.title=1">',
    duration: '10ms',
    threads: [{ name, program: [{ run: '1ms' }] }],
  };
  await open();
  await simulationDone(page);
  const file = { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(document)) };
  await page.getByLabel('Scenario file (JSON)').setInputFiles(file);
  await simulationDone(page);
  await expect(page.getByRole('treegrid').getByRole('row', { name, exact: true })).toBeVisible();
  await expect(page).toHaveTitle('Spinlane');
  expect(await page.locator('img').count()).toBe(0);
});

test('a bad document lists what is wrong, and the last good run stays', async ({ page, open }) => {
  await open();
  const good = await simulationDone(page);
  const document = {
    version: 1,
    duration: '10ms',
    threads: [{ name: 'a', policy: 'fifo', priority: 120, program: [{ run: 5 }, { unlock: 'm' }] }],
  };
  const file = { name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(document)) };
  await page.getByLabel('Scenario file (JSON)').setInputFiles(file);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('threads[0].priority');
  await expect(alert).toContainText('threads[0].program[0].run');
  await expect(page.locator(`[data-hash="${good}"]`)).toBeVisible();
});
