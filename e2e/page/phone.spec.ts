// The page on a phone: everything in reach, nothing that scrolls sideways.

import { devices } from 'playwright/test';
import { expect, simulationDone, test } from '../harness/test.ts';
import { expectNoHang, rerun, verdict, why } from './parts.ts';

const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];

for (const width of [360, 390]) {
  test.describe(`${width} px wide`, () => {
    test.use({ userAgent, deviceScaleFactor, isMobile, hasTouch, viewport: { width, height: 800 } });

    test('no sideways scroll, and every switch can be pressed', async ({ page, open }) => {
      await open();
      await simulationDone(page);
      await expect(verdict(page)).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await expect(page.getByRole('button', { name: 'Play' })).toBeInViewport();
      await rerun(page, () => page.getByRole('switch', { name: 'RT priorities' }).tap());
      await expectNoHang(page);
    });

    test('"Why" is a sheet that unfolds, and tables open over the whole screen', async ({ page, open }) => {
      await open('#/bmalloc-hang?at=12ms&t=4ms-14ms');
      await simulationDone(page);
      await page.getByRole('button', { name: 'Unfold why' }).tap();
      await expect(why(page).getByRole('heading').first()).toBeInViewport();
      await page.getByRole('button', { name: 'Fold why' }).tap();
      await page.getByRole('tab', { name: 'Threads' }).tap();
      await expect(page.getByRole('table', { name: 'Threads' })).toBeInViewport();
      await page.getByRole('button', { name: 'Close table' }).tap();
      await expect(page.getByRole('button', { name: 'Play' })).toBeInViewport();
    });
  });
}
