// One worker and the calls that are open on it. Calls to a worker that was ended stay pending for ever,
// so every call here races the link's own end.

import { type Endpoint, proxy, type Remote, wrap } from 'comlink';
import type { TraceChunk } from '../trace/chunks.ts';
import { EngineError } from './engine_error.ts';
import type { WireApi } from './expose_host.ts';
import {
  PROTOCOL_VERSION,
  type RunId,
  type RunRequest,
  type RunSink,
  type RunSummary,
  type WireSink,
} from './protocol.ts';
import type { TurnQueue } from './turn_queue.ts';
import { unpackChunk } from './wire/packed_chunk.ts';

/** The part of a Worker that is used; tests put a MessagePort behind it. */
export interface WorkerLike extends Endpoint {
  terminate(): void;
}

/** Patience in ms before a silent worker counts as stuck. */
export interface Patience {
  /** Until the first answer: its script must load first. */
  readonly loadingMs: number;
  readonly runningMs: number;
  /** While the result is counted, in one piece. */
  readonly finishingMs: number;
}

interface OpenRun {
  cancel(): void;
  isFinishing: boolean;
  /** Chunks that the page has not taken yet: then the worker waits for us, not we for it. */
  untaken: number;
}

export interface WorkerLink {
  /** Resolves once the worker has answered with the right version. */
  readonly ready: Promise<void>;
  readonly hasAnswered: boolean;
  /** True while a call is open. */
  readonly isBusy: boolean;
  start(request: RunRequest, sink: RunSink): Promise<RunSummary | undefined>;
  cancel(runId: RunId): void;
  /** Ends the worker; every open call rejects with `reason`. Does nothing the second time. */
  end(reason: EngineError): void;
  /** The error if the worker has been silent for too long at this instant. */
  overdue(nowMs: number, patience: Patience): EngineError | undefined;
  /** The page itself was held up for so long: that much silence does not count. */
  forgive(ms: number): void;
}

/** Takes the worker into use. `onCrash` hears at most once. */
export function createWorkerLink(
  worker: WorkerLike,
  nowMs: () => number,
  turns: TurnQueue,
  onCrash: (error: EngineError) => void,
): WorkerLink {
  const api = wrap<WireApi>(worker);
  const runs = new Map<RunId, OpenRun>();
  let heardMs = nowMs();
  let hasAnswered = false;
  let isEnded = false;
  let rejectEnded: (error: EngineError) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    rejectEnded = reject;
  });
  ended.catch(() => {}); // Each call that races it handles it; alone it is no unhandled rejection.

  const crash = (event: unknown) => onCrash(new EngineError('crashed', crashText(event)));
  worker.addEventListener('error', crash as EventListener);
  worker.addEventListener('messageerror', crash as EventListener);

  function heard(): void {
    heardMs = nowMs();
  }

  async function greet(): Promise<void> {
    const hello = await Promise.race([api.hello(), ended]);
    heard();
    if (hello.protocol !== PROTOCOL_VERSION) {
      throw new EngineError(
        'version',
        `The page speaks version ${PROTOCOL_VERSION} and its worker version ${hello.protocol}. Reload the page.`,
      );
    }
    hasAnswered = true;
  }
  const ready = greet();
  ready.catch(() => {}); // Told to whoever starts a run.

  return {
    ready,
    get hasAnswered() {
      return hasAnswered;
    },
    get isBusy() {
      return runs.size > 0;
    },
    async start(request, sink) {
      let isLive = true;
      let cancel: () => void = () => {};
      const cancelled = new Promise<undefined>((resolve) => {
        cancel = () => resolve(undefined);
      });
      const run: OpenRun = { cancel, isFinishing: false, untaken: 0 };
      runs.set(request.runId, run);
      if (runs.size === 1) heard();
      try {
        await Promise.race([ready, cancelled, ended]);
        if (!isLive || runs.get(request.runId) !== run) return undefined;
        heard();
        const guarded = proxy(guardSink(sink, run, turns, () => isLive, heard));
        const call = (api as Remote<WireApi>).start(request, guarded as never).catch((error: unknown) => {
          throw error instanceof EngineError ? error : new EngineError('bug', messageOf(error));
        });
        call.catch(() => {}); // It may still reject after a cancel, when nobody waits.
        return await Promise.race([call, cancelled, ended]);
      } finally {
        isLive = false;
        if (runs.get(request.runId) === run) runs.delete(request.runId);
      }
    },
    cancel(runId) {
      const run = runs.get(runId);
      if (run === undefined) return;
      runs.delete(runId);
      run.cancel();
      if (hasAnswered && !isEnded) api.cancel(runId).catch(() => {});
    },
    end(reason) {
      if (isEnded) return;
      isEnded = true;
      worker.removeEventListener('error', crash as EventListener);
      worker.removeEventListener('messageerror', crash as EventListener);
      worker.terminate();
      rejectEnded(reason);
    },
    overdue(now, patience) {
      const silentMs = now - heardMs;
      if (runs.size === 0) return undefined;
      if (!hasAnswered) return silentMs > patience.loadingMs ? stuck(silentMs) : undefined;
      let limitMs = patience.runningMs;
      for (const run of runs.values()) {
        if (run.untaken > 0) return undefined;
        if (run.isFinishing) limitMs = patience.finishingMs;
      }
      return silentMs > limitMs ? stuck(silentMs) : undefined;
    },
    forgive(ms) {
      heardMs += ms;
    },
  };
}

/** Drops what comes for a run that is over, checks the order of chunks, unpacks them, and notes every sign of life. */
function guardSink(sink: RunSink, run: OpenRun, turns: TurnQueue, isLive: () => boolean, heard: () => void): WireSink {
  let nextSeq = 0;
  return {
    async started(start) {
      heard();
      if (isLive()) await sink.started(start);
    },
    async chunk(msg) {
      heard();
      if (!isLive()) return;
      if (msg.seq !== nextSeq++) throw new EngineError('bug', `Chunk ${msg.seq} came where ${nextSeq - 1} was due.`);
      run.untaken++;
      try {
        await turns.run(() => (isLive() ? sink.chunk({ ...msg, chunk: unpacked(msg) }) : undefined));
      } finally {
        run.untaken--;
        heard();
      }
    },
    async finishing() {
      heard();
      run.isFinishing = true;
      if (isLive()) await sink.finishing?.();
    },
  };
}

function unpacked({ seq, chunk }: Parameters<WireSink['chunk']>[0]): TraceChunk {
  const columns = unpackChunk(chunk);
  if (columns === undefined) throw new EngineError('bug', `Chunk ${seq} came in bytes that the page cannot read.`);
  return columns;
}

function stuck(silentMs: number): EngineError {
  return new EngineError('stuck', `The simulation did not answer for ${(silentMs / 1000).toFixed(1)} s.`);
}

function crashText(event: unknown): string {
  const message = typeof event === 'object' && event !== null && 'message' in event ? String(event.message) : '';
  return message === ''
    ? 'The simulation ended without a word.'
    : `The simulation failed: ${message.replace(/\.$/, '')}.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What open calls get when the client is closed. */
export function closedError(): EngineError {
  return new EngineError('closed', 'The simulation was closed.');
}
