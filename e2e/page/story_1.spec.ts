// Story 1 as a visitor meets it: the hang forms, a switch is flipped, it clears; and the numbers beside the published ones.

import { expect, simulationDone, test } from '../harness/test.ts';
import { cellsOf, expectHang, expectNoHang, playheadNs, rerun, time, verdict, why } from './parts.ts';

test('the first thing a visitor sees is the hang, stopped just before it forms, with one obvious button', async ({
  page,
  open,
}) => {
  await open();
  await simulationDone(page);
  await expectHang(page);
  await expect(page.locator('[data-play="paused"]')).toBeVisible();
  // The fourth spinner starts at 9 ms and takes the last CPU.
  const beforeNs = await playheadNs(page);
  expect(beforeNs).toBeGreaterThan(5_000_000);
  expect(beforeNs).toBeLessThan(9_000_000);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.locator('[data-play="playing"]')).toBeVisible();
  await expect.poll(() => playheadNs(page)).toBeGreaterThan(9_500_000);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.locator('[data-play="paused"]')).toBeVisible();
  await expect(time(page)).toHaveAttribute('aria-valuetext', /ms$/);
});

test('each of the ways out clears the hang, and RT throttling makes it a stall', async ({ page, open }) => {
  await open();
  await simulationDone(page);
  const rt = page.getByRole('switch', { name: 'RT priorities' });
  await rerun(page, () => rt.click());
  await expectNoHang(page);
  await rerun(page, () => rt.click());
  await expectHang(page);

  const backoff = page.getByRole('radiogroup', { name: 'Back-off' });
  await rerun(page, () => backoff.getByRole('radio', { name: 'usleep', exact: true }).check());
  await expectNoHang(page);
  await rerun(page, () => page.getByRole('spinbutton', { name: 'Sleep (µs)' }).fill('125'));
  await expectNoHang(page);
  await rerun(page, () => backoff.getByRole('radio', { name: 'PI futex' }).check());
  await expectNoHang(page);
  await rerun(page, () => backoff.getByRole('radio', { name: 'sched_yield' }).check());
  await expectHang(page);

  const cpus = page.getByRole('spinbutton', { name: 'CPUs' });
  await rerun(page, () => cpus.fill('5'));
  await expectNoHang(page);
  await rerun(page, () => cpus.fill('4'));
  await expectHang(page);

  await rerun(page, () => page.getByRole('switch', { name: 'RT throttling' }).click());
  await expect(verdict(page)).toHaveText(/^\s*Stall\b.*\d/);
});

test('a switch flipped at the playhead while it plays clears the hang from there, and the link says so', async ({
  page,
  open,
}) => {
  await open('#/bmalloc-hang?at=15ms&t=4ms-24ms');
  await simulationDone(page);
  await expectHang(page);
  await page.getByRole('radiogroup', { name: 'Apply' }).getByRole('radio', { name: 'from here' }).check();
  await page.getByRole('button', { name: 'Play' }).click();
  const backoff = page.getByRole('radiogroup', { name: 'Back-off' });
  await rerun(page, () => backoff.getByRole('radio', { name: 'usleep', exact: true }).check());
  await expect(verdict(page)).not.toHaveText(/^\s*Hang\b/);
  await expect(page.locator('[data-play="playing"]')).toBeVisible();
  await expect(page).toHaveURL(/do=[.\d]+(ms|us):backoff=usleep150/);
  await page.getByRole('button', { name: 'Pause' }).click();
});

test('"Slow path" shows each call of the run, and the simulated calls beside the published ones', async ({
  page,
  open,
}) => {
  await open();
  await simulationDone(page);
  const table = page.getByRole('table', { name: 'Slow path' });
  for (const head of ['Runtime (µs)', 'Execution (µs)', 'Iterations', 'Execution / runtime (%)'])
    await expect(table.getByRole('columnheader', { name: head }).first()).toBeVisible();
  await expect(table.getByRole('row', { name: /as an RT thread/ })).toHaveCount(3);
  await expect(table.getByText('not yet run')).toHaveCount(0);

  const rows = await cellsOf(page, 'Slow path');
  const published = rows.filter((row) => /^(sched_yield|usleep)/.test(row[0] ?? ''));
  expect(published.map((row) => row.slice(0, 5))).toEqual([
    ['sched_yield', '4538', '4538', '1128', '100'],
    ['usleep(125)', '4230', '172', '27', '4.089'],
    ['usleep(150)', '5830', '223', '27', '3.818'],
    ['usleep(150)', '5830', '223', '27', '3.818'],
  ]);
  const simulated = rows.filter((row) => /^(as an RT thread|nice 0)/.test(row[0] ?? ''));
  const turns = simulated.map((row) => Number(row[3]));
  // Turns as the arithmetic of the published rows has them: 1 128 ± 1 %, 27–28, 32–33, 25–26.
  expect(turns[0]).toBeGreaterThan(1116);
  expect(turns[0]).toBeLessThan(1140);
  expect([27, 28]).toContain(turns[1]);
  expect([32, 33]).toContain(turns[2]);
  expect([25, 26]).toContain(turns[3]);
  expect(rows.filter((row) => row[0]?.includes('src')).length).toBeGreaterThanOrEqual(4);
});

test('"Why" tells from the start why it hangs, step by step, with each spinner and its instant', async ({
  page,
  open,
}) => {
  await open();
  await simulationDone(page);
  await expect(why(page).getByRole('heading', { name: 'Why does it hang?' })).toBeVisible();
  const steps = why(page).getByRole('list').first().getByRole('listitem');
  await expect(steps.first()).toContainText(/WebProcess takes heap\. 5\.000\s*ms/);
  for (const spinner of ['vqueue:src', 'multiqueue0:src', 'aqueue:src', 'multiqueue1:src'])
    await expect(steps.nth(1)).toContainText(spinner);
  await expect(steps.last()).toContainText('no CPU is ever free for it');
});

test('"Why" answers for the holder, with the proof as links, and offers what would clear it', async ({
  page,
  open,
}) => {
  await open('#/bmalloc-hang?at=12ms&t=4ms-14ms');
  await simulationDone(page);
  await page.getByRole('button', { name: 'Show the proof' }).click();
  await expect(why(page)).toContainText('WebProcess');
  await expect(
    why(page)
      .getByRole('button', { name: /\d ms$/ })
      .first(),
  ).toBeVisible();
  const fix = why(page).getByRole('button', { name: /usleep\(150\).*(clears|no hang)/ });
  await expect(fix).toBeVisible();
  await fix.click();
  await simulationDone(page);
  await expect(verdict(page)).not.toHaveText(/^\s*Hang\b/);
});
