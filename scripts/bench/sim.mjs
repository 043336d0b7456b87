// Scheduling events per CPU-second of the simulation in Node (wake-ups, switches in, switches out: what other simulators
// count), beside a bare loop in the same process that does the work of the first workload without any of the semantics:
// the ratio says what they cost. CPU time of all threads of the process, compiler and collector included.

import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBundle } from '../lib/bundle.mjs';
import { bareFixedPriority } from './bare_fp.mjs';
import { median, row } from './table.mjs';

const BARE_MS = 60_000;
const WARM_UPS = 2;
/** Rows of the fixed-priority run that are written once more, to see what recording costs. */
const RECORDED_ROWS = 1_000_000;

export async function simSection(runs) {
  const file = await ensureBundle('bench-sim', 'src/testing/bench/sim_bench.ts', 'testing');
  const bench = await import(pathToFileURL(file).href);
  const wireFile = await ensureBundle('bench-wire', 'src/engine/measure_wire.ts', 'engine');
  const wireBench = await import(pathToFileURL(wireFile).href);
  const rows = [];
  const rates = new Map();

  for (const workload of bench.WORKLOADS) {
    const cold = timed(() => bench.runWorkload(workload));
    for (let i = 1; i < WARM_UPS; i++) bench.runWorkload(workload);
    const warm = repeat(runs, () => timed(() => bench.runWorkload(workload)));
    rates.set(
      workload.name,
      warm.map(({ decisions, ms }) => perSecond(decisions, ms)),
    );
    const more = { goal: workload.goal };
    if (workload.isYardstick) more.beside = { name: 'bare loop', value: bareRate(runs) };
    rows.push(row(`${workload.name}: events a CPU-second`, '1/s', rates.get(workload.name), more));
    rows.push(row(`${workload.name}: first run of it`, 'ms', [cold.ms], { goal: workload.coldGoal }));
    if (workload.isYardstick) rows.push(recordingRow(bench, workload, warm));
    if (workload.goal !== undefined) rows.push(...wireRows(bench, wireBench, workload, rates.get(workload.name)));
  }
  rows.push(growthRow(rates));
  for (const [i, workload] of bench.COLD.entries()) rows.push(coldRow(file, workload, i));
  return rows;
}

function bareRate(runs) {
  repeat(WARM_UPS, () => bareFixedPriority(BARE_MS));
  return median(
    repeat(runs, () => timed(() => bareFixedPriority(BARE_MS))).map(({ events, ms }) => perSecond(events, ms)),
  );
}

/** Appending the same rows again, as a share of the run. Hashing is not in it. */
function recordingRow(bench, workload, warm) {
  const records = bench.recordsOf(workload, RECORDED_ROWS);
  repeat(WARM_UPS, () => bench.recordAgain(records));
  const perRow = median(repeat(5, () => timed(() => bench.recordAgain(records)).ms)) / records.count;
  const share = warm.map((run) => ((perRow * run.records) / run.ms) * 100);
  return row(`${workload.name}: writing the records`, '% of the run', share, { goal: '≤ 20' });
}

/** What the worker sends, beside the same columns as they are; and what packing costs the worker, unpacking the page. */
function wireRows(bench, wireBench, workload, rates) {
  const wire = wireBench.wireRunOf((see) => bench.watchRun(shorter(workload), see));
  repeat(WARM_UPS, () => [wireBench.packAgain(wire), wireBench.unpackAgain(wire)]);
  const packMs = repeat(5, () => timed(() => wireBench.packAgain(wire)).ms);
  const unpackMs = repeat(5, () => timed(() => wireBench.unpackAgain(wire)).ms);
  const runMs = (wire.decisions / median(rates)) * 1000;
  const share = packMs.map((ms) => (ms / runMs) * 100);
  const { name } = workload;
  return [
    row(`${name}: over the wire`, 'B/event', [wire.packedBytes / wire.decisions], {
      beside: { name: 'columns as they are', value: wire.columnBytes / wire.decisions },
      goal: '≤ 48',
    }),
    row(`${name}: packing`, '% of the run', share),
    row(
      `${name}: unpacking`,
      '1/s',
      unpackMs.map((ms) => perSecond(wire.values, ms)),
      { goal: '≥ 20 M/s' },
    ),
  ];
}

function growthRow(rates) {
  const [many, few] = ['64 fair', '8 fair'].map((start) => [...rates].find(([name]) => name.startsWith(start))[1]);
  const beside = { name: '8 threads', value: median(few) };
  return row('64 fair threads beside 8: events a CPU-second', '1/s', many, { beside, goal: '≥ 0.5' });
}

/** In processes of their own: nothing is compiled yet. */
function coldRow(file, workload, index) {
  const run = (...args) =>
    JSON.parse(execFileSync(process.execPath, [fileURLToPath(new URL('cold_run.mjs', import.meta.url)), ...args]));
  const ours = repeat(5, () => run(file, String(index)));
  const bare = repeat(5, () => run('bare', String(Number.parseInt(workload.document.duration, 10))));
  const beside = { name: 'bare loop', value: median(bare.map(({ ms }) => ms)) };
  const goal = `${workload.coldGoal} or ratio ≤ 4`;
  return row(
    workload.name,
    'ms',
    ours.map(({ ms }) => ms),
    { beside, goal },
  );
}

function shorter(workload) {
  return { ...workload, document: { ...workload.document, duration: '2s' } };
}

function repeat(runs, work) {
  return Array.from({ length: runs }, work);
}

function timed(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { ...result, ms: (user + system) / 1000 };
}

function perSecond(count, ms) {
  return (count / ms) * 1000;
}
