// The parts of the page as the page contract names them, and how tests read them.

import { expect, type Locator, type Page } from 'playwright/test';
import { simulationDone } from '../harness/test.ts';

export const verdict = (page: Page): Locator => page.getByRole('status', { name: 'Verdict' });
export const timeline = (page: Page): Locator => page.getByRole('region', { name: 'Timeline' });
export const lanes = (page: Page): Locator => timeline(page).getByRole('treegrid');
export const why = (page: Page): Locator => page.getByRole('region', { name: 'Why' });
export const time = (page: Page): Locator => page.getByRole('slider', { name: 'Time' });

/** Playhead in ns, read from the slider "Time". */
export async function playheadNs(page: Page): Promise<number> {
  return Number(await time(page).inputValue());
}

/** Does something that changes the run, and waits until the new run is done. */
export async function rerun(page: Page, act: () => Promise<void>): Promise<string> {
  await act();
  return simulationDone(page);
}

/** Texts of a table's body rows, cell by cell, without the narrow spaces between thousands. */
export async function cellsOf(page: Page, table: string): Promise<string[][]> {
  const rows = await page.getByRole('table', { name: table }).getByRole('row').all();
  return Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('th, td').allInnerTexts();
      return cells.map((text) => text.replaceAll('\u202f', '').trim());
    }),
  );
}

export async function expectHang(page: Page): Promise<void> {
  await expect(verdict(page)).toHaveText(/^\s*Hang\b/);
}

export async function expectNoHang(page: Page): Promise<void> {
  await expect(verdict(page)).toHaveText(/^\s*No hang\b/);
}
