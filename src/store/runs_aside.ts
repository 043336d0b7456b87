// Runs that nobody watches, one after the other in a worker of their own, and only while the shown run rests.
// Their chunks are dropped at the door; what counts is the summary.

import type { RunRequest, RunSummary } from '../engine/protocol.ts';
import type { EngineFactory, EnginePort } from './ports.ts';
import { nextRunId } from './run_controller.ts';

export interface RunsAside {
  /** 'failed': the document is bad with these settings, or the worker gave up. undefined: `drop` came first. */
  run(lot: string, request: Omit<RunRequest, 'runId'>): Promise<RunSummary | 'failed' | undefined>;
  /** Forgets what waits in `lot`, and stops its run. */
  drop(lot: string): void;
  close(): void;
}

interface Job {
  readonly lot: string;
  readonly request: RunRequest;
  readonly settle: (summary: RunSummary | 'failed' | undefined) => void;
}

export function createRunsAside(createEngine: EngineFactory): RunsAside {
  let engine: EnginePort | undefined;
  let queue: Job[] = [];
  let running: Job | undefined;

  function next(): void {
    const job = queue.shift();
    running = job;
    if (job === undefined) return;
    engine ??= createEngine(() => undefined);
    engine.start(job.request, { started: () => undefined, chunk: () => undefined }).then(
      (summary) => finish(job, summary ?? 'failed'),
      () => finish(job, 'failed'),
    );
  }

  function finish(job: Job, summary: RunSummary | 'failed'): void {
    if (running !== job) return;
    job.settle(summary);
    next();
  }

  return {
    run: (lot, request) =>
      new Promise((settle) => {
        queue.push({ lot, request: { ...request, runId: nextRunId() }, settle });
        if (running === undefined) next();
      }),

    drop(lot) {
      const dropped = queue.filter((job) => job.lot === lot);
      queue = queue.filter((job) => job.lot !== lot);
      for (const job of dropped) job.settle(undefined);
      if (running?.lot !== lot) return;
      engine?.cancel(running.request.runId);
      running.settle(undefined);
      next();
    },

    close() {
      engine?.close();
      queue = [];
      running = undefined;
    },
  };
}
