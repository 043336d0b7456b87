// The page of recordings: a recorded and a simulated lane under each other, with the measures.

import { expect, test } from '../harness/test.ts';

test('a recorded and a simulated lane stand under each other, with their measures', async ({ page, open }) => {
  await open('#golden/pi-reweight-short/6.12.117-deb');
  await expect(page.locator('html[data-status="done"]')).toBeVisible();
  await expect(page.getByText('Recorded', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Simulated', { exact: true }).first()).toBeVisible();
  const measures = page.getByRole('table', { name: 'Measures' });
  // From golden/recorded/6.12.117-deb/pi-reweight-short.json: 0.903771 of the CPU.
  await expect(measures.getByRole('row', { name: /^share\/contended\/main 90\.38 %/ })).toBeVisible();
  const lanes = page.getByRole('img', { name: /^Recorded and simulated lanes/ });
  const whole = (await lanes.getAttribute('aria-label')) ?? '';
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(lanes).not.toHaveAttribute('aria-label', whole);
  await page.getByRole('button', { name: 'Whole run' }).click();
  await expect(lanes).toHaveAttribute('aria-label', whole);

  await page.getByRole('combobox', { name: 'Workload' }).selectOption('bmalloc-hang-fifo');
  await expect(page.locator('html[data-status="done"]')).toBeVisible();
  await expect(page.getByText('CPU 3')).toHaveCount(2);
  await expect(measures.getByRole('row', { name: /^outcome hang hang/ })).toBeVisible();
  await expect(page).toHaveURL(/#golden\/bmalloc-hang-fifo\/6\.12\.117-deb$/);
});

test('help leads to the recordings, and they lead back', async ({ page, open }) => {
  await open();
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('link', { name: 'Recorded kernels beside the simulation' }).click();
  await expect(page.getByRole('heading', { name: 'Recorded and simulated' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Spinlane' }).click();
  await expect(page.getByRole('combobox', { name: 'Scenario' })).toBeVisible();
});
