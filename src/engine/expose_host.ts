// Puts a SimApi behind Comlink: buffers of chunks are moved, and the sink's port is closed after each run.

import { type Endpoint, expose, type Remote, releaseProxy, transfer } from 'comlink';
import { buffersOf } from './chunker.ts';
import type { RunRequest, RunSink, SimApi } from './protocol.ts';

/** What the page's side of the wire sees. */
export interface WireApi {
  hello(): ReturnType<SimApi['hello']>;
  start(request: RunRequest, sink: Remote<Required<RunSink>>): ReturnType<SimApi['start']>;
  cancel(runId: number): void;
}

/** Answers calls that come through `endpoint` from here on. */
export function exposeHost(api: SimApi, endpoint: Endpoint): void {
  const wire: WireApi = {
    hello: () => api.hello(),
    async start(request, sink) {
      try {
        return await api.start(request, sinkOver(sink));
      } finally {
        sink[releaseProxy]();
      }
    },
    cancel: (runId) => api.cancel(runId),
  };
  expose(wire, endpoint);
}

function sinkOver(sink: Remote<Required<RunSink>>): RunSink {
  return {
    async started(start) {
      await sink.started(start);
    },
    async chunk(msg) {
      await sink.chunk(transfer(msg, buffersOf(msg.chunk)));
    },
    async finishing() {
      await sink.finishing();
    },
  };
}
