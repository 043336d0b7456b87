// Story 2 as a visitor meets it: what the PI reweight patch does to the holder's share.

import { expect, simulationDone, test } from '../harness/test.ts';
import { cellsOf, rerun, verdict } from './parts.ts';

test('the patch gives the boosted holder its share', async ({ page, open }) => {
  await open();
  await simulationDone(page);
  await rerun(page, async () => {
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('pi-reweight');
  });
  await page.getByRole('tab', { name: 'Threads' }).click();
  const share = async (thread: string): Promise<number> => {
    const row = (await cellsOf(page, 'Threads')).find((cells) => cells[0] === thread);
    return Number(row?.[2]);
  };
  const inView = async (thread: string): Promise<number> => {
    const [head, ...rows] = await cellsOf(page, 'Threads');
    return Number(rows.find((cells) => cells[0] === thread)?.[head?.indexOf('In view (%)') ?? -1]);
  };
  // Without the patch weights decide: 110 / (1024 + 110) = 9.7 %.
  expect(Math.abs((await share('low')) - 9.7)).toBeLessThan(1);
  expect(Math.abs((await inView('low')) - 9.7)).toBeLessThan(1);
  await expect(verdict(page)).toContainText(/low gets 9\.\d\s*% of CPU 0 while high waits/);
  await expect(verdict(page)).not.toHaveText(/^\s*No hang\b/);

  const patch = page.getByRole('switch', { name: 'PI reweight patch' });
  await expect(patch).toHaveAttribute('aria-checked', 'false');
  await rerun(page, () => patch.click());
  await expect(patch).toHaveAttribute('aria-checked', 'true');
  // From 300 ms to 2.3 s half of the CPU, before and after 9.7 %: (2.0 · 50 + 1.3 · 9.7) / 3.3 = 34 %.
  expect(Math.abs((await share('low')) - 34)).toBeLessThan(2);
  // In sight is 200 ms to 2.4 s: (2.0 · 50 + 0.2 · 9.7) / 2.2 = 46 %.
  expect(Math.abs((await inView('low')) - 46)).toBeLessThan(2);
  await expect(verdict(page)).toHaveText(/^\s*No hang\b/);
});

test('the lanes are named as people call them', async ({ page, open }) => {
  await open('#/pi-reweight');
  await simulationDone(page);
  for (const name of ['CPU 0', 'main', 'low', 'high', 'lock m'])
    await expect(page.getByRole('treegrid').getByRole('row', { name, exact: true })).toBeVisible();
});
