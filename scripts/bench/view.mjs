// Frame time of the timeline at a million segments, beside a plain canvas that paints each visible segment.

import { UNTHROTTLED, withBenchPage } from './browser_page.mjs';
import { median, percentile, row } from './table.mjs';

const SEGMENTS = 1_000_000;
const FRAMES = 120;
/** The plain canvas takes a minute for what ours does in two seconds. */
const PLAIN_RUNS = 2;

export async function viewSection(runs) {
  const results = await withBenchPage('view', UNTHROTTLED, async (page) => {
    await page.waitForFunction(() => 'bench' in window);
    const all = [];
    // The first run warms the compiler up.
    for (let i = 0; i < runs + 1; i++) {
      all.push(
        await page.evaluate(
          ([count, frames, withPlain]) => window.bench.run(count, frames, withPlain),
          [SEGMENTS, FRAMES, i > 0 && i <= PLAIN_RUNS],
        ),
      );
    }
    return all.slice(1);
  });
  const of = (side, measure, share) =>
    results.filter((result) => result[side] !== undefined).map((result) => percentile(result[side][measure], share));
  const beside = (measure, share) => ({ name: 'plain canvas', value: median(of('plain', measure, share)) });
  return [
    row('frame interval p50, 1 M segments', 'ms', of('ours', 'intervalMs', 0.5), { beside: beside('intervalMs', 0.5) }),
    row('frame interval p95, 1 M segments', 'ms', of('ours', 'intervalMs', 0.95), {
      beside: beside('intervalMs', 0.95),
      goal: 'p95 ≤ 10 ms',
    }),
    row('frame interval p95, 1 M segments', 'ms', of('ours', 'intervalMs', 0.95), {
      beside: { name: 'one rectangle', value: median(of('floor', 'intervalMs', 0.95)) },
    }),
    row('script p50, 1 M segments', 'ms', of('ours', 'scriptMs', 0.5), { beside: beside('scriptMs', 0.5) }),
    row('script p95, 1 M segments', 'ms', of('ours', 'scriptMs', 0.95), {
      beside: beside('scriptMs', 0.95),
      goal: 'p95 ≤ 5 ms',
    }),
    row(
      'rows into lanes and levels of detail, 1 M',
      'ms',
      results.map((result) => result.appendMs),
    ),
  ];
}
