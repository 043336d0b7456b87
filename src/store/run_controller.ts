// Starts a run for every edit of the scenario and takes in what comes back. The run that is shown changes only when
// the new one has something to show, so that the last good run stays while a document is bad.

import type { ChunkMsg, RunId, RunRequest, RunStart, RunSummary } from '../engine/protocol.ts';
import { formatTime } from '../scenario/time_text.ts';
import { appendChunk, createTraceStore } from '../trace/trace_store.ts';
import type { AppState, AppStore } from './app_state.ts';

import type { EngineFactory, TimePort } from './ports.ts';
import type { TraceRegistry } from './trace_registry.ts';

export interface RunController {
  /** Runs what the store describes now; a run on its way is cancelled. */
  start(): void;
  close(): void;
}

export interface RunControllerParts {
  readonly store: AppStore;
  readonly traces: TraceRegistry;
  readonly createEngine: EngineFactory;
  readonly time: TimePort;
}

/** Ids of runs, unique on this page: the background runs of runs_aside.ts take theirs from here too. */
let lastRunId: RunId = 0;
export function nextRunId(): RunId {
  lastRunId += 1;
  return lastRunId;
}

/** The request for what the state describes. */
export function requestOf(state: Pick<AppState, 'document' | 'settings' | 'interventions'>, runId: RunId): RunRequest {
  const interventions = state.interventions.map(({ atNs, set }) => ({ at: formatTime(atNs), set }));
  return { runId, document: state.document, settings: state.settings, interventions };
}

export function createRunController({ store, traces, createEngine, time }: RunControllerParts): RunController {
  // What a replaced worker means for the run that was on its way is said in `crashed`.
  const engine = createEngine(() => undefined);
  /** Edit whose run crashed a worker already. */
  let crashedEdit: number | undefined;
  let current: RunId | undefined;
  let growthPending = false;

  const stopListening = store.subscribe((now, before) => {
    if (now.edit !== before.edit) start();
  });

  function start(): void {
    if (current !== undefined && store.getState().status === 'running') engine.cancel(current);
    const runId = nextRunId();
    current = runId;
    store.setState({ status: 'running' });
    const sink = {
      started(answer: RunStart) {
        if (runId === current) begun(runId, answer);
      },
      chunk(message: ChunkMsg) {
        if (runId === current) grown(runId, message);
      },
    };
    engine.start(requestOf(store.getState(), runId), sink).then(
      (summary) => runId === current && summary !== undefined && ended(summary),
      (error: unknown) => runId === current && crashed(error),
    );
  }

  function begun(runId: RunId, answer: RunStart): void {
    if (!answer.ok) {
      store.setState((s) => ({ problems: answer.problems, status: s.summary === undefined ? 'error' : 'done' }));
      return;
    }
    traces.put(runId, createTraceStore(answer.meta));
    store.setState({ problems: [] });
    pendingScenario = answer.scenario;
  }

  let pendingScenario: AppState['scenario'];

  function grown(runId: RunId, { chunk }: ChunkMsg): void {
    const trace = traces.get(runId);
    if (trace === undefined) return;
    appendChunk(trace, chunk);
    if (store.getState().shownRunId !== runId) show(runId);
    else publishGrowth();
  }

  /** The new run takes the place of the old one, whose trace can go. */
  function show(runId: RunId): void {
    const scenario = pendingScenario;
    const trace = traces.get(runId);
    if (scenario === undefined || trace === undefined) return;
    store.setState((s) => ({
      shownRunId: runId,
      scenario,
      summary: undefined,
      watermarkNs: trace.watermarkNs,
      dataVersion: s.dataVersion + 1,
      playheadNs: Math.min(s.playheadNs, scenario.durationNs),
    }));
    traces.keepOnly(runId);
  }

  function publishGrowth(): void {
    if (growthPending) return;
    growthPending = true;
    time.frame(() => {
      growthPending = false;
      publish();
    });
  }

  function publish(): void {
    const trace = traces.get(store.getState().shownRunId);
    if (trace === undefined || trace.watermarkNs === store.getState().watermarkNs) return;
    store.setState((s) => ({ watermarkNs: trace.watermarkNs, dataVersion: s.dataVersion + 1 }));
  }

  function ended(summary: RunSummary): void {
    if (store.getState().shownRunId !== summary.runId) show(summary.runId);
    const trace = traces.get(summary.runId);
    store.setState((s) => ({
      status: 'done',
      summary,
      watermarkNs: trace?.watermarkNs ?? summary.endNs,
      dataVersion: s.dataVersion + 1,
    }));
  }

  /** A run that was lost with its worker is tried once more: nothing of what was set needs to be typed again. */
  function crashed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const { edit, notify } = store.getState();
    if (crashedEdit !== edit) {
      crashedEdit = edit;
      notify('note', `${reason} A new worker has taken over, and the run began again.`);
      start();
      return;
    }
    store.setState((s) => ({ status: s.summary === undefined ? 'error' : 'done' }));
    notify(
      'alert',
      `${reason} It happened twice with this scenario.`,
      'Nothing you set is lost. Change a switch to run again.',
    );
  }

  return {
    start,
    close() {
      stopListening();
      current = undefined;
      engine.close();
    },
  };
}
