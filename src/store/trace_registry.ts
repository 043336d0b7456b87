// Traces by run. They live here and not in the store: megabytes of typed arrays that change in place.
// The store says which run is shown and when its trace grew.

import type { RunId } from '../engine/protocol.ts';
import type { TraceStore } from '../trace/trace_store.ts';

export interface TraceRegistry {
  get(runId: RunId | undefined): TraceStore | undefined;
  put(runId: RunId, trace: TraceStore): void;
  /** Forgets every trace but that of `runId`. */
  keepOnly(runId: RunId): void;
}

export function createTraceRegistry(): TraceRegistry {
  const traces = new Map<RunId, TraceStore>();
  return {
    get: (runId) => (runId === undefined ? undefined : traces.get(runId)),
    put: (runId, trace) => void traces.set(runId, trace),
    keepOnly(runId) {
      for (const id of [...traces.keys()]) if (id !== runId) traces.delete(id);
    },
  };
}
