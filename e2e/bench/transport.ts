// In the browser: a million rows from the real worker to the page's trace store and on to its timeline, and the
// same rows as cloned objects. scripts/bench/transport.mjs drives it.

import { createSimClient } from '../../src/engine/client.ts';
import { measureTransport } from '../../src/engine/measure_transport.ts';
import type { RowObject } from './objects.worker.ts';
import { emptyView, showTrace } from './timeline.ts';

interface TransportResult {
  readonly rows: number;
  readonly chunks: number;
  readonly firstChunkMs: number;
  /** From the call to the last row in the store, and to the picture with all of them. */
  readonly storedMs: number;
  readonly paintedMs: number;
  /** Longest time in which the main thread answered nothing. The clock behind it ticks every 4 ms. */
  readonly longestGapMs: number;
  /** The same while the page does nothing for as long: what the machine itself takes away. */
  readonly idleGapMs: number;
}

/** Streams and paints as the page does: a frame at a time, while rows arrive. */
async function run(rows: number): Promise<TransportResult> {
  const client = createSimClient({ spawn: spawnSynthetic });
  // The worker is loaded and compiled before the clock starts, as the page keeps one warm.
  await measureTransport(client, { rows: 10_000 });
  const view = emptyView();
  let shown = false;
  // A page at rest: its first picture is on the screen.
  await nextFrame();
  await nextFrame();
  const gaps = watchGaps();
  const beganMs = performance.now();
  const figures = await measureTransport(client, { rows }, (store) => {
    if (!shown) showTrace(view, store);
    shown = true;
    view.dataChanged();
  });
  view.flush();
  const paintedMs = performance.now() - beganMs;
  // What is painted once more when all rows are there must not hold the page up either.
  await idle(SETTLED_MS);
  const longestGapMs = gaps.stop();
  view.destroy();
  client.close();
  const idleGaps = watchGaps();
  await idle(paintedMs + SETTLED_MS);
  const idleGapMs = idleGaps.stop();
  const { chunks, firstChunkMs, wallMs: storedMs } = figures;
  return { rows: figures.rows, chunks, firstChunkMs, storedMs, paintedMs, longestGapMs, idleGapMs };
}

/** Longer than the timeline waits for more rows. */
const SETTLED_MS = 300;

function idle(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** @returns ms until the last object has arrived; nothing is stored or painted. */
function runObjects(rows: number): Promise<number> {
  const worker = new Worker(new URL('./objects.worker.ts', import.meta.url), { type: 'module' });
  return new Promise((done) => {
    const all: RowObject[][] = [];
    const beganMs = performance.now();
    worker.onmessage = (event: MessageEvent<RowObject[] | 'end'>) => {
      if (event.data !== 'end') {
        all.push(event.data);
        return;
      }
      worker.terminate();
      done(performance.now() - beganMs);
    };
    worker.postMessage(rows);
  });
}

function nextFrame(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => done()));
}

function watchGaps(): { stop(): number } {
  let longestMs = 0;
  let lastMs = performance.now();
  let running = true;
  const tick = (): void => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (running) setTimeout(tick);
  };
  setTimeout(tick);
  return {
    stop() {
      running = false;
      return Math.max(longestMs, performance.now() - lastMs);
    },
  };
}

function spawnSynthetic(): Worker {
  return new Worker(new URL('../../src/engine/synthetic.worker.ts', import.meta.url), { type: 'module' });
}

Object.assign(window, { bench: { run, runObjects } });
