// Starts a run for every edit of the scenario and takes in what comes back. The run that is shown changes only when
// the new one has something to show, so that the last good run stays while a document is bad.

import type { Ns } from '../base/units.ts';
import type { ChunkMsg, RunId, RunRequest, RunStart, RunSummary } from '../engine/protocol.ts';
import type { Problem } from '../scenario/document.ts';
import { formatTime } from '../scenario/time_text.ts';
import { appendChunk, createTraceStore } from '../trace/trace_store.ts';
import { clampViewport } from '../view/viewport.ts';
import type { AppState, AppStore } from './app_state.ts';
import type { EngineFactory, LibraryEntry, TimePort } from './ports.ts';
import { fresh } from './scenario_slice.ts';
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
  /** Runs where the first document of the page is bad. */
  readonly fallback: LibraryEntry;
}

/** What a run is made of. */
type RunBasis = Pick<AppState, 'source' | 'document' | 'settings' | 'interventions'>;

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

function basisOf({ source, document, settings, interventions }: AppState): RunBasis {
  return { source, document, settings, interventions };
}

/** Playhead, range and markers, none of them beyond the end of a run: a link may ask for more than there is. */
function within(s: AppState, endNs: Ns): Partial<AppState> {
  const atEnd = s.playheadNs >= endNs;
  return {
    playheadNs: Math.min(s.playheadNs, endNs),
    play: atEnd ? 'end' : s.play === 'end' ? 'paused' : s.play,
    viewport: clampViewport(s.viewport, { fromNs: 0, toNs: endNs }),
    markerANs: s.markerANs === undefined ? undefined : Math.min(s.markerANs, endNs),
    markerBNs: s.markerBNs === undefined ? undefined : Math.min(s.markerBNs, endNs),
  };
}

export function createRunController({
  store,
  traces,
  createEngine,
  time,
  fallback,
}: RunControllerParts): RunController {
  // What a replaced worker means for the run that was on its way is said in `crashed`.
  const engine = createEngine(() => undefined);
  /** Edit whose run crashed a worker already. */
  let crashedEdit: number | undefined;
  let current: RunId | undefined;
  /** Edit whose document has the problems that are listed: a run that stands in for it leaves them there. */
  let problemsEdit: number | undefined;
  /** Basis of the shown run. */
  let shownBasis: RunBasis | undefined;
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
      refused(answer.problems);
      return;
    }
    traces.put(runId, createTraceStore(answer.meta));
    if (store.getState().edit !== problemsEdit) store.setState({ problems: [], instead: undefined });
    pendingScenario = answer.scenario;
    pendingBasis = basisOf(store.getState());
  }

  let pendingScenario: AppState['scenario'];
  let pendingBasis: RunBasis | undefined;

  /** A bad document that was just opened makes way for what ran before; a switch that made it bad stays as it was set. */
  function refused(problems: readonly Problem[]): void {
    const s = store.getState();
    problemsEdit = s.edit;
    if (s.shownRunId === undefined) standIn(problems);
    else keepShown(s, problems);
  }

  function keepShown(s: AppState, problems: readonly Problem[]): void {
    const status = s.summary === undefined ? 'error' : 'done';
    store.setState({ problems, instead: 'lastRun', status });
    if (!s.fresh || shownBasis === undefined) return;
    store.setState({ ...shownBasis, fresh: false, unframed: { range: false, playhead: false }, veiled: false });
    if (status === 'error') start();
  }

  function standIn(problems: readonly Problem[]): void {
    const s = store.getState();
    if (s.document === fallback.document && Object.keys(s.settings).length === 0 && s.interventions.length === 0) {
      store.setState({ problems, instead: undefined, status: 'error' });
      return;
    }
    store.setState({
      ...fresh(s.edit),
      edit: s.edit,
      source: { kind: 'library', name: fallback.name },
      document: fallback.document,
      problems,
      instead: 'defaultScene',
    });
    start();
  }

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
    shownBasis = pendingBasis;
    store.setState((s) => ({
      shownRunId: runId,
      scenario,
      summary: undefined,
      watermarkNs: trace.watermarkNs,
      dataVersion: s.dataVersion + 1,
      ...within(s, scenario.durationNs),
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
