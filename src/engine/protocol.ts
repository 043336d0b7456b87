// What crosses the worker boundary. Types only. Buffers are transferred, never copied; objects stay small.

import type { RunResult } from '../analysis/result.ts';
import type { Ns } from '../base/units.ts';
import type { JsonObject, Problem } from '../scenario/document.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { TraceChunk } from '../trace/chunks.ts';
import type { TraceMeta } from '../trace/meta.ts';
import type { Verdict } from '../trace/verdicts.ts';
import type { PackedChunk } from './wire/packed_chunk.ts';

export const PROTOCOL_VERSION = 2;

export type RunId = number;

/** What to run: a document with its settings, as the link says it. The worker resolves it, so that page and command line share one path. */
export interface RunRequest {
  readonly runId: RunId;
  readonly document: JsonObject;
  readonly settings: Readonly<Record<string, string>>;
  readonly interventions: readonly { readonly at: string; readonly set: Readonly<Record<string, string>> }[];
}

export interface ChunkMsg {
  readonly runId: RunId;
  readonly seq: number;
  readonly chunk: TraceChunk;
}

export type RunOutcome = 'done' | 'cancelled' | 'livelock' | 'limit';

export interface RunSummary {
  readonly runId: RunId;
  readonly outcome: RunOutcome;
  readonly endNs: Ns;
  readonly events: number;
  readonly hash: string;
  readonly verdicts: readonly Verdict[];
  readonly result: RunResult;
}

/** First answer to a start: either what is wrong with the document, or the scenario and the trace's tables. */
export type RunStart =
  | { readonly ok: false; readonly problems: readonly Problem[] }
  | { readonly ok: true; readonly scenario: Scenario; readonly meta: TraceMeta };

export interface RunSink {
  started(start: RunStart): Promise<void> | void;
  /** The promise is the credit: the worker goes on when it resolves. */
  chunk(msg: ChunkMsg): Promise<void> | void;
  /** All chunks were taken; the result is being counted, which may take a moment without a word. */
  finishing?(): Promise<void> | void;
}

/** The sink as the worker sees it: chunks come to it packed. */
export interface WireSink extends Required<Omit<RunSink, 'chunk'>> {
  chunk(msg: Omit<ChunkMsg, 'chunk'> & { readonly chunk: PackedChunk }): Promise<void> | void;
}

export interface SimApi {
  hello(): { readonly protocol: number; readonly engine: string };
  /**
   * Runs to the end, a bound or a cancel. Bad input comes through sink.started and resolves to undefined. A
   * cancelled run resolves to undefined at once, without a result: nobody reads it. Only a bug rejects.
   * When it resolves to a summary, the sink has taken every chunk.
   */
  start(request: RunRequest, sink: RunSink): Promise<RunSummary | undefined>;
  cancel(runId: RunId): void;
}
