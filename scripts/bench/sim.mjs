// Events per second of the simulation in Node, beside a bare heap loop in the same process: the loop does no scheduling
// at all, so the ratio says what the semantics cost.

import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { ensureBundle } from '../lib/bundle.mjs';
import { bareHeapLoop } from './bare_loop.mjs';
import { row } from './table.mjs';

const BARE_EVENTS = 2_000_000;
/** Whole runs take seconds each and differ little. */
const MOST_RUNS = 3;

export async function simSection(runs) {
  const file = await ensureBundle('bench-sim', 'src/testing/bench/sim_bench.ts', 'testing');
  const { WORKLOADS, runWorkload } = await import(pathToFileURL(file).href);

  const bare = repeat(runs, () => {
    const { events, ms } = timed(() => bareHeapLoop(BARE_EVENTS));
    return perSecond(events, ms);
  });
  const beside = { name: 'bare heap loop', value: row('', '', bare).value };

  const rows = [];
  for (const workload of WORKLOADS) {
    const cold = timed(() => runWorkload(workload));
    const warm = repeat(Math.min(runs, MOST_RUNS), () => timed(() => runWorkload(workload)));
    rows.push(
      row(
        `${workload.name}: wake-ups, switches in and out`,
        '1/s',
        warm.map(({ decisions, ms }) => perSecond(decisions, ms)),
        { beside, goal: workload.goal },
      ),
      row(
        `${workload.name}: events of the machine`,
        '1/s',
        warm.map(({ events, ms }) => perSecond(events, ms)),
      ),
      row(
        `${workload.name}: ${cold.simulated}, whole run`,
        'ms',
        warm.map(({ ms }) => ms),
      ),
      row(`${workload.name}: first run, cold`, 'ms', [cold.ms], { goal: workload.coldGoal }),
    );
  }
  return rows;
}

function repeat(runs, work) {
  return Array.from({ length: runs }, work);
}

function timed(work) {
  const startMs = performance.now();
  const result = work();
  return { ...result, ms: performance.now() - startMs };
}

function perSecond(count, ms) {
  return (count / ms) * 1000;
}
