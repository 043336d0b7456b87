import { expect, test } from 'vitest';
import type { TraceStore } from '../trace/trace_store.ts';
import { chunkBytes } from './chunker.ts';
import { createFakeSim, TURN_NS } from './testkit/fake_sim.ts';
import { collectingSink, fakeHost, requestOf } from './testkit/run_in_node.ts';

const TURNS = 20_000;

function cpuLane(store: TraceStore | undefined): [number, number][] {
  const cols = store!.columns[0]!;
  return Array.from({ length: cols.count }, (_, row) => [cols.startNs[row]!, cols.who[row]!]);
}

test('a run tells its tables first, then its whole trace, then its summary', async () => {
  const sink = collectingSink();
  const summary = await fakeHost().start(requestOf(1, TURNS * TURN_NS), sink);
  expect(sink.starts.map((start) => start.ok)).toEqual([true]);
  expect(summary).toMatchObject({ runId: 1, outcome: 'done', endNs: TURNS * TURN_NS, events: TURNS });
  expect(sink.seqs).toEqual(sink.seqs.map((_, i) => i));
  // A row a turn on the CPU's lane, by the two tasks in turns.
  expect(cpuLane(sink.store)).toEqual(Array.from({ length: TURNS }, (_, i) => [i * TURN_NS, i % 2]));
  expect(sink.store!.records.count).toBe(TURNS);
  expect(sink.store!.watermarkNs).toBe(TURNS * TURN_NS);
  expect(summary!.result.events).toBe(TURNS);
});

test('hash and trace are the same whatever the size of chunks and slices', async () => {
  const sizes = [
    { firstRows: 1, maxRows: 1, growth: 1 },
    { firstRows: 7, maxRows: 100, growth: 3 },
    { firstRows: 1e6, maxRows: 1e6, firstMs: 1e6, maxMs: 1e6 },
  ];
  const runs = [];
  for (const size of sizes) {
    const sink = collectingSink();
    const summary = await fakeHost({ sizes: size }).start(requestOf(1, 3000 * TURN_NS), sink);
    runs.push({ hash: summary!.hash, lane: cpuLane(sink.store), chunks: sink.seqs.length });
  }
  expect(runs[0]!.chunks).toBeGreaterThan(10);
  expect(runs[2]!.chunks).toBe(1);
  for (const run of runs) {
    expect(run.hash).toBe(runs[0]!.hash);
    expect(run.lane).toEqual(runs[0]!.lane);
  }
});

test('a bad document is told with its problems and ends without a summary', async () => {
  const sink = collectingSink();
  const request = { ...requestOf(1, 1), document: { bad: true } };
  expect(await fakeHost().start(request, sink)).toBeUndefined();
  expect(sink.starts).toMatchObject([{ ok: false, problems: [{ code: 'unknown-key', path: 'bad' }] }]);
  expect(sink.seqs).toEqual([]);
});

test('a cancel stops the stream at once and resolves without a summary', async () => {
  const host = fakeHost({ sizes: { firstRows: 10, maxRows: 100 } });
  const sink = collectingSink((seq) => {
    if (seq === 2) host.cancel(1);
  });
  expect(await host.start(requestOf(1, 1e12), sink)).toBeUndefined();
  expect(sink.seqs).toEqual([0, 1, 2]);
});

test('a cancel gets through while the reader takes nothing', async () => {
  const host = fakeHost({ sizes: { maxBytesInFlight: 1 } });
  const sink = collectingSink(() => new Promise<void>(() => {}));
  const run = host.start(requestOf(1, 1e12), sink);
  await new Promise((resolve) => setTimeout(resolve, 20));
  host.cancel(1);
  expect(await run).toBeUndefined();
  expect(sink.seqs).toEqual([0]);
});

test('never more than the credit is on the way to a slow reader', async () => {
  const maxBytesInFlight = 300_000;
  let onTheWay = 0;
  let most = 0;
  let largest = 0;
  const sink = collectingSink();
  const summary = await fakeHost({ sizes: { maxBytesInFlight, maxRows: 500 } }).start(requestOf(1, TURNS * TURN_NS), {
    ...sink,
    async chunk(msg) {
      const bytes = chunkBytes(msg.chunk);
      largest = Math.max(largest, bytes);
      onTheWay += bytes;
      most = Math.max(most, onTheWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
      onTheWay -= bytes;
    },
  });
  expect(summary?.outcome).toBe('done');
  expect(largest).toBeLessThan(maxBytesInFlight);
  expect(most).toBeGreaterThan(largest);
  expect(most).toBeLessThanOrEqual(maxBytesInFlight);
});

test('the summary comes only after the reader has taken every chunk', async () => {
  let open = 0;
  const summary = await fakeHost({ sizes: { maxRows: 2000 } }).start(requestOf(1, TURNS * TURN_NS), {
    started: () => {},
    async chunk() {
      open++;
      await new Promise((resolve) => setTimeout(resolve, 3));
      open--;
    },
  });
  expect(summary).toBeDefined();
  expect(open).toBe(0);
});

test('a run that meets a bound of the page keeps what it has and says so', async () => {
  const sink = collectingSink();
  const summary = await fakeHost({ limits: { maxSegments: 5000 } }).start(requestOf(1, 1e12), sink);
  expect(summary?.outcome).toBe('limit');
  expect(summary?.endNs).toBeLessThan(1e12);
  expect(sink.store!.watermarkNs).toBe(summary?.endNs);
  expect(summary?.result.notes[0]).toMatch(/^The run stopped at \d+ segments/);
});

test.each(['livelock', 'limit'] as const)(
  'a simulation that ends by %s ends the run with that outcome',
  async (state) => {
    const sink = collectingSink();
    const summary = await fakeHost({}, { stopAt: { event: 100, state } }).start(requestOf(1, 1e12), sink);
    expect(summary).toMatchObject({ outcome: state, events: 100, endNs: 99 * TURN_NS });
  },
);

test('a bug in the simulation rejects, and so does a reader that fails', async () => {
  const bug = fakeHost({}, { failAtEvent: 10 }).start(requestOf(1, 1e9), collectingSink());
  await expect(bug).rejects.toThrow('told to fail');
  const reader = collectingSink(() => Promise.reject(new Error('cannot append')));
  await expect(fakeHost().start(requestOf(1, TURNS * TURN_NS), reader)).rejects.toThrow('cannot append');
});

test('the event loop gets a turn at least every 8 ms of work', async () => {
  // A clock on which each call of `advance` takes 1.5 ms and nothing else takes any time.
  let clockMs = 0;
  let turnMs = 0;
  const gaps: number[] = [];
  const sim = createFakeSim();
  await fakeHost({
    sim: {
      ...sim,
      advance(...args) {
        clockMs += 1.5;
        return sim.advance(...args);
      },
    },
    nowMs: () => clockMs,
    async yieldTurn() {
      gaps.push(clockMs - turnMs);
      turnMs = clockMs;
    },
  }).start(requestOf(1, TURNS * TURN_NS), { started: () => {}, chunk: () => {} });
  expect(gaps.length).toBeGreaterThan(10);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(8);
});

test('a source that says nothing for long still shows that it is alive, and how far it is', async () => {
  let clockMs = 0;
  const sim = createFakeSim();
  const sink = collectingSink();
  let asked = 0;
  await fakeHost({
    sim: {
      ...sim,
      // Works for a second and has nothing to tell.
      advance: (...args) => {
        clockMs += 10;
        return asked++ < 100 ? 'running' : sim.advance(...args);
      },
    },
    nowMs: () => clockMs,
  }).start(requestOf(1, TURN_NS), sink);
  expect(sink.seqs.length).toBeGreaterThanOrEqual(4);
});
