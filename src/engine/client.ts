// The page's side of the worker: keeps one worker warm, watches that it answers, and puts another in its
// place when it crashed or got stuck. Callers see a SimApi whose calls always end.

import type { EngineError } from './engine_error.ts';
import type { RunId, RunRequest, RunSink, RunSummary } from './protocol.ts';
import { createTurnQueue } from './turn_queue.ts';
import { closedError, createWorkerLink, type Patience, type WorkerLike, type WorkerLink } from './worker_link.ts';
import { createYieldTurn } from './yield_turn.ts';

export interface SimClient {
  /**
   * Runs a request. Resolves to undefined when the document is bad (the sink was told) or the run was
   * cancelled. Rejects with an EngineError when the worker crashed, got stuck or is of another version,
   * when the run met a bug, or when the client was closed. After it ends, the sink hears nothing more.
   */
  start(request: RunRequest, sink: RunSink): Promise<RunSummary | undefined>;
  /** Ends the run at once on this side; the worker stops within a few ms. Does nothing for a run that is over. */
  cancel(runId: RunId): void;
  /** Ends the worker. May be called twice. */
  close(): void;
}

export interface ClientOptions {
  /** Makes a worker. Default: the module worker of this folder. */
  readonly spawn?: () => WorkerLike;
  /** Hears when a worker was replaced, as a sentence for people. */
  readonly onNotice?: (text: string) => void;
  readonly patience?: Partial<Patience>;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

const DEFAULT_PATIENCE: Patience = { loadingMs: 20_000, runningMs: 2_000, finishingMs: 30_000 };

/** Starts a worker at once, so that the first run finds it loaded. */
export function createSimClient(options: ClientOptions = {}): SimClient {
  const spawn = options.spawn ?? spawnSimWorker;
  const nowMs = options.nowMs ?? (() => performance.now());
  const patience = { ...DEFAULT_PATIENCE, ...options.patience };
  const checkMs = Math.max(5, Math.min(250, patience.runningMs / 4));
  const yieldTurn = createYieldTurn();
  const turns = createTurnQueue(nowMs, yieldTurn);
  let isClosed = false;
  let link: WorkerLink | undefined = openLink();
  let timer: ReturnType<typeof setInterval> | undefined;
  let checkedMs = 0;

  function openLink(): WorkerLink {
    const opened: WorkerLink = createWorkerLink(spawn(), nowMs, turns, (error) => replace(opened, error));
    return opened;
  }

  function replace(broken: WorkerLink, error: EngineError): void {
    if (broken !== link) return;
    // A worker that never answered would not do better a second time: the next start tries again.
    link = broken.hasAnswered && !isClosed ? openLink() : undefined;
    broken.end(error);
    const next = link === undefined ? 'The next run tries again.' : 'It was started anew; run again to go on.';
    options.onNotice?.(`${error.message} ${next}`);
  }

  function watch(): void {
    if (timer !== undefined) return;
    checkedMs = nowMs();
    timer = setInterval(check, checkMs);
  }

  function check(): void {
    const now = nowMs();
    const lateMs = now - checkedMs - checkMs;
    checkedMs = now;
    if (link === undefined || !link.isBusy) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    // The page itself was held up (a debugger, a closed lid): that time does not count as silence.
    if (lateMs > checkMs) link.forgive(lateMs);
    const error = link.overdue(now, patience);
    if (error !== undefined) replace(link, error);
  }

  return {
    async start(request, sink) {
      if (isClosed) throw closedError();
      link ??= openLink();
      const call = link.start(request, sink);
      watch();
      return call;
    },
    cancel(runId) {
      link?.cancel(runId);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      link?.end(closedError());
      link = undefined;
    },
  };
}

function spawnSimWorker(): WorkerLike {
  // Written literally: the bundler finds the worker by this form.
  return new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' });
}
