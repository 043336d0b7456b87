// Puts a SimApi behind Comlink: chunks are packed and their bytes moved, and the sink's port is closed after each run.

import { type Endpoint, expose, type Remote, releaseProxy, transfer } from 'comlink';
import type { RunRequest, RunSink, SimApi, WireSink } from './protocol.ts';
import { packChunk } from './wire/packed_chunk.ts';

/** What the page's side of the wire sees. */
export interface WireApi {
  hello(): ReturnType<SimApi['hello']>;
  start(request: RunRequest, sink: Remote<WireSink>): ReturnType<SimApi['start']>;
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

function sinkOver(sink: Remote<WireSink>): RunSink {
  return {
    async started(start) {
      await sink.started(start);
    },
    async chunk(msg) {
      const packed = packChunk(msg.chunk);
      await sink.chunk(transfer({ ...msg, chunk: packed }, [packed.bytes.buffer]));
    },
    async finishing() {
      await sink.finishing();
    },
  };
}
