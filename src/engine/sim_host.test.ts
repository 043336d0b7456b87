import { expect, test } from 'vitest';
import type { ThreadResult } from '../analysis/result.ts';
import { LIBRARY } from '../scenario/library/library.ts';
import { SegKind } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { RunSummary } from './protocol.ts';
import type { ChunkSizes } from './pump.ts';
import { createSimHost } from './sim_host.ts';
import { collectingSink } from './testkit/run_in_node.ts';

const yieldTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

async function run(name: string, sizes: Partial<ChunkSizes> = {}, settings: Record<string, string> = {}) {
  const entry = LIBRARY.find((one) => one.name === name)!;
  const sink = collectingSink();
  const host = createSimHost({ nowMs: () => performance.now(), yieldTurn, sizes });
  const summary = await host.start({ runId: 1, document: entry.document, settings, interventions: [] }, sink);
  return { summary: summary as RunSummary, store: sink.store!, chunks: sink.seqs.length };
}

/** Time that a lane spends in each kind, from its rows. */
function timesOf(store: TraceStore, lane: number): number[] {
  const cols = store.columns[lane]!;
  const times = new Array<number>(16).fill(0);
  for (let row = 0; row < cols.count; row++) {
    const end = row + 1 < cols.count ? cols.startNs[row + 1]! : store.watermarkNs;
    times[cols.kind[row]!]! += end - cols.startNs[row]!;
  }
  return times;
}

const NAMES = LIBRARY.map((entry) => entry.name);

test.each(NAMES)('%s: what stands on the lanes is what the result counts', async (name) => {
  const { summary, store } = await run(name);
  expect(summary.outcome).toBe('done');
  // The result takes interrupts off the running thread and calls them waiting; on the lane they are part of its stint.
  const states = (thread: ThreadResult) => [
    thread.run_ns + thread.spin_ns + thread.runnable_ns,
    thread.blocked_ns,
    thread.sleep_ns,
  ];
  const lanes = store.tasks.map((_, task) => timesOf(store, store.laneOf.thread[task]!));
  const fromLanes = lanes.map((t) => [
    t[SegKind.run]! + t[SegKind.spin]! + t[SegKind.runnable]!,
    t[SegKind.blocked]!,
    t[SegKind.sleep]!,
  ]);
  expect(fromLanes).toEqual(summary.result.threads.map(states));
  const inInterruptsNs = summary.result.threads.map((thread, task) => {
    const times = lanes[task]!;
    return times[SegKind.run]! + times[SegKind.spin]! - thread.run_ns - thread.spin_ns;
  });
  const irqNs = summary.result.cpus.reduce((sum, cpu) => sum + cpu.irq_ns, 0);
  expect(Math.min(...inInterruptsNs)).toBeGreaterThanOrEqual(0);
  expect(inInterruptsNs.reduce((sum, ns) => sum + ns, 0)).toBeLessThanOrEqual(irqNs);
});

test.each(NAMES)(
  '%s: on every lane rows are in order; each task is on one CPU at most, and both lanes agree',
  async (name) => {
    const { store } = await run(name);
    let unordered = 0;
    for (const cols of store.columns) {
      for (let row = 1; row < cols.count; row++) if (!(cols.startNs[row]! > cols.startNs[row - 1]!)) unordered++;
    }
    expect(unordered).toBe(0);
    const onCpu = new Array<number>(store.tasks.length).fill(0);
    for (let cpu = 0; cpu < store.meta.cpus; cpu++) {
      const cols = store.columns[cpu]!;
      for (let row = 0; row < cols.count; row++) {
        const end = row + 1 < cols.count ? cols.startNs[row + 1]! : store.watermarkNs;
        const who = cols.who[row]!;
        if (who >= 0) onCpu[who]! += end - cols.startNs[row]!;
      }
    }
    const byThread = store.tasks.map((_, task) => {
      const times = timesOf(store, store.laneOf.thread[task]!);
      return times[SegKind.run]! + times[SegKind.spin]!;
    });
    expect(byThread).toEqual(onCpu);
  },
);

test.each(NAMES)('%s: hash, result and rows are the same whatever the size of chunks', async (name) => {
  const small = await run(name, { firstRows: 1, maxRows: 64, growth: 1, firstMs: 0, maxMs: 0 });
  const large = await run(name, { firstRows: 1e7, maxRows: 1e7, firstMs: 1e7, maxMs: 1e7 });
  expect(large.chunks).toBe(1);
  expect(small.summary.hash).toBe(large.summary.hash);
  expect(small.summary.result).toEqual(large.summary.result);
  const rows = (store: TraceStore) => store.columns.map((cols) => [...cols.startNs.subarray(0, cols.count)]);
  expect(rows(small.store)).toEqual(rows(large.store));
});
