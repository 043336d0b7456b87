// A million rows from the real worker into the page and onto its canvas, beside the same rows as cloned objects.

import { withBenchPage } from './browser_page.mjs';
import { median, row } from './table.mjs';

const ROWS = 1_000_000;
/** Objects take ten times as long, and little depends on how exactly they are measured. */
const OBJECT_RUNS = 2;

export async function transportSection(runs) {
  const { ours, objects } = await withBenchPage('transport', [], async (page) => {
    await page.waitForFunction(() => 'bench' in window);
    const ours = [];
    const objects = [];
    // The first round warms the compiler up.
    for (let i = 0; i < runs + 1; i++) {
      ours.push(await page.evaluate((rows) => window.bench.run(rows), ROWS));
      if (i <= OBJECT_RUNS) objects.push(await page.evaluate((rows) => window.bench.runObjects(rows), ROWS));
    }
    return { ours: ours.slice(1), objects: objects.slice(1) };
  });
  const of = (measure) => ours.map((result) => result[measure]);
  return [
    row('1 M rows into the store', 'ms', of('storedMs'), {
      beside: { name: 'cloned objects', value: median(objects) },
    }),
    row('1 M rows stored and painted', 'ms', of('paintedMs'), { goal: '≤ 200 ms' }),
    row('longest gap of the main thread', 'ms', of('longestGapMs'), {
      beside: { name: 'idle page', value: median(of('idleGapMs')) },
      goal: '≤ 16 ms',
    }),
    row('first rows on the page', 'ms', of('firstChunkMs')),
    row(
      'rows a second into the store',
      '1/s',
      ours.map(({ rows, storedMs }) => (rows / storedMs) * 1000),
    ),
  ];
}
