// Decides when a chunk is sent and waits for credit: a small first chunk, so that something can be drawn
// at once, then larger ones; never more on the way than the reader can take. Sends an empty chunk
// where nothing happens for long, so that the reader knows that the source is alive and how far it is.

import type { Ns } from '../base/units.ts';
import { type Chunker, chunkBytes, sealChunk } from './chunker.ts';
import type { RunId, RunSink } from './protocol.ts';

/** Sizes and times of a stream. Tests set their own; the trace is the same with any. */
export interface ChunkSizes {
  readonly firstRows: number;
  readonly firstMs: number;
  /** A chunk holds at most about this many rows and as many records. */
  readonly maxRows: number;
  /** Rows wait no longer than this for a chunk to fill. */
  readonly maxMs: number;
  /** Each chunk may be so many times as large as the one before. */
  readonly growth: number;
  /** Sent and not yet taken by the reader. */
  readonly maxBytesInFlight: number;
  /** Without any row, an empty chunk is sent after so long. */
  readonly idleMs: number;
}

export const DEFAULT_CHUNK_SIZES: ChunkSizes = {
  firstRows: 512,
  firstMs: 5,
  maxRows: 16_384,
  maxMs: 30,
  growth: 4,
  maxBytesInFlight: 16 * 1024 * 1024,
  idleMs: 250,
};

export interface Pump {
  /** Sends a chunk if one is due; waits while too much is on the way. Resolves to false when the run was stopped. */
  offer(watermarkNs: Ns): Promise<boolean>;
  /** Sends what is left and waits until the reader has taken all. Resolves to false when the run was stopped. */
  finish(watermarkNs: Ns): Promise<boolean>;
  /** Ends every wait; nothing is sent from here on. */
  stop(): void;
}

export interface PumpParts {
  readonly runId: RunId;
  readonly chunker: Chunker;
  readonly sink: RunSink;
  readonly nowMs: () => number;
  readonly sizes: ChunkSizes;
}

export function createPump({ runId, chunker, sink, nowMs, sizes }: PumpParts): Pump {
  let seq = 0;
  let targetRows = sizes.firstRows;
  let sealedMs = nowMs();
  let bytesInFlight = 0;
  let chunksInFlight = 0;
  let stopped = false;
  let failure: unknown;
  let wake: (() => void) | undefined;

  function isDue(): boolean {
    const rows = Math.max(chunker.rows.count, chunker.records.count);
    const waitedMs = nowMs() - sealedMs;
    if (rows === 0) return waitedMs >= sizes.idleMs;
    return rows >= targetRows || waitedMs >= (seq === 0 ? sizes.firstMs : sizes.maxMs);
  }

  async function send(watermarkNs: Ns): Promise<void> {
    const chunk = sealChunk(chunker, watermarkNs);
    const bytes = chunkBytes(chunk);
    while (bytesInFlight > 0 && bytesInFlight + bytes > sizes.maxBytesInFlight && isRunning()) await nextAck();
    if (!isRunning()) return;
    bytesInFlight += bytes;
    chunksInFlight++;
    targetRows = Math.min(sizes.maxRows, targetRows * sizes.growth);
    // Taken as a credit whenever it resolves; a reader that fails ends the run.
    takeCredit(sink.chunk({ runId, seq: seq++, chunk }), bytes);
    sealedMs = nowMs();
  }

  function takeCredit(ack: Promise<void> | void, bytes: number): void {
    Promise.resolve(ack).then(
      () => {
        bytesInFlight -= bytes;
        chunksInFlight--;
        wake?.();
      },
      (error: unknown) => {
        failure = error ?? new Error('the reader of the trace failed');
        wake?.();
      },
    );
  }

  function nextAck(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }

  function isRunning(): boolean {
    if (failure !== undefined) throw failure;
    return !stopped;
  }

  return {
    async offer(watermarkNs) {
      if (isRunning() && isDue()) await send(watermarkNs);
      return isRunning();
    },
    async finish(watermarkNs) {
      if (isRunning()) await send(watermarkNs);
      while (chunksInFlight > 0 && isRunning()) await nextAck();
      return isRunning();
    },
    stop() {
      stopped = true;
      wake?.();
    },
  };
}
