// The page by keyboard alone.

import { expect, simulationDone, test } from '../harness/test.ts';
import { lanes, playheadNs, verdict, why } from './parts.ts';

test('the timeline plays, steps, zooms, selects and explains by its keys', async ({ page, open }) => {
  await open('#/bmalloc-hang?at=8ms&t=4ms-14ms');
  await simulationDone(page);
  await lanes(page).focus();

  await page.keyboard.press('.');
  const steppedNs = await playheadNs(page);
  expect(steppedNs).toBeGreaterThan(8_000_000);
  await page.keyboard.press(',');
  expect(await playheadNs(page)).toBeLessThan(steppedNs);

  await page.keyboard.press('Space');
  await expect(page.locator('[data-play="playing"]')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.locator('[data-play="paused"]')).toBeVisible();

  await page.keyboard.press('ArrowDown');
  await expect(lanes(page).getByRole('row', { name: 'CPU 0' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(why(page).getByRole('heading').first()).toContainText(/\?$/);

  await page.keyboard.press('Shift+A');
  await page.keyboard.press('.');
  await page.keyboard.press('Shift+B');
  await expect(page.getByRole('status', { name: 'A–B' })).toHaveText(/\d/);

  await page.keyboard.press('w');
  await page.keyboard.press('f');
  await page.keyboard.press('0');
  await expect(page).toHaveURL(/t=0us-2s|t=0ns-2s/);

  await page.keyboard.press('y');
  await expect(why(page)).toBeFocused();
  await lanes(page).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Help' })).toHaveCount(0);
});

test('every control is reached by Tab, and a hang is cleared without a pointer', async ({ page, open }) => {
  await open();
  await simulationDone(page);
  const reached: string[] = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(nameOfFocus));
    if (reached.at(-1) === 'RT priorities') break;
  }
  expect(reached).toEqual(expect.arrayContaining(['Scenario', 'Kernel', 'CPUs', 'RT priorities']));
  await page.keyboard.press('Space');
  await simulationDone(page);
  await expect(verdict(page)).toHaveText(/^\s*No hang\b/);

  function nameOfFocus(): string {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  }
});
