// How fast rows come from a source to a TraceStore, and how long the receiving thread is held up. Called by the
// page of the benchmark and, without a worker, by tests in Node.

import { appendChunk, createTraceStore, type TraceStore } from '../trace/trace_store.ts';
import type { SimClient } from './client.ts';
import { DEFAULT_SYNTHETIC, type SyntheticSpec } from './synthetic.ts';

export interface TransportFigures {
  readonly rows: number;
  readonly chunks: number;
  /** From the call to the store's last row. */
  readonly wallMs: number;
  readonly firstChunkMs: number;
  /** Longest single append, and the sum of all. */
  readonly longestAppendMs: number;
  readonly appendMs: number;
  readonly store: TraceStore;
}

/** Streams one synthetic trace through `client`. `onChunk` may paint. */
export async function measureTransport(
  client: Pick<SimClient, 'start'>,
  spec: Partial<SyntheticSpec> = {},
  onChunk: (store: TraceStore) => void = () => {},
): Promise<TransportFigures> {
  const began = performance.now();
  let store: TraceStore | undefined;
  let chunks = 0;
  let appendMs = 0;
  let longestAppendMs = 0;
  let firstChunkMs = 0;
  await client.start(
    { runId: 1, document: { ...DEFAULT_SYNTHETIC, ...spec }, settings: {}, interventions: [] },
    {
      started(start) {
        if (start.ok) store = createTraceStore(start.meta);
      },
      chunk(msg) {
        const before = performance.now();
        appendChunk(store!, msg.chunk);
        const took = performance.now() - before;
        if (chunks++ === 0) firstChunkMs = before - began;
        appendMs += took;
        longestAppendMs = Math.max(longestAppendMs, took);
        onChunk(store!);
      },
    },
  );
  const wallMs = performance.now() - began;
  const rows = store!.columns.reduce((sum, cols) => sum + cols.count, 0);
  return { rows, chunks, wallMs, firstChunkMs, longestAppendMs, appendMs, store: store! };
}
