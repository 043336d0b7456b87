// Hosts and workers for tests: the host of the product with a fake simulation, called directly or through a pair
// of message ports that stand for a worker.

import type { Endpoint } from 'comlink';
import type { RunResult } from '../../analysis/result.ts';
import { err, ok } from '../../base/result.ts';
import { appendChunk, createTraceStore, type TraceStore } from '../../trace/trace_store.ts';
import { exposeHost } from '../expose_host.ts';
import { createHost, type HostParts } from '../host.ts';
import type { RunRequest, RunSink, RunStart, SimApi } from '../protocol.ts';
import { syntheticScenario } from '../synthetic_scenario.ts';
import type { WorkerLike } from '../worker_link.ts';
import { createFakeSim, type FakeSimOptions } from './fake_sim.ts';

/** Host of the fake simulation. A document is `{ durationNs }`; `{ bad: true }` is a bad one. */
export function fakeHost(parts: Partial<HostParts> = {}, fake: FakeSimOptions = {}): SimApi {
  return createHost({
    sim: createFakeSim(fake),
    engine: 'fake',
    resolve: ({ document }) =>
      document['bad'] === true
        ? err([{ code: 'unknown-key', path: 'bad', message: 'bad is not known', hint: 'Leave it out.' }])
        : ok({ ...syntheticScenario(), durationNs: Number(document['durationNs']) }),
    planCount: () => ({
      probesNs: [],
      begin() {
        let records = 0;
        return {
          add: (r) => {
            records += r.count;
          },
          finish: (facts) => ({
            ...NO_RESULT,
            hash: facts.hash,
            events: records,
            notes: facts.notes,
            duration_ns: facts.endNs,
          }),
        };
      },
    }),
    nowMs: () => performance.now(),
    yieldTurn: () => new Promise((resolve) => setTimeout(resolve, 0)),
    ...parts,
  });
}

const NO_RESULT: RunResult = {
  title: '',
  engine: 'fake',
  settings: {},
  duration_ns: 0,
  events: 0,
  hash: '',
  cpus: [],
  threads: [],
  locks: [],
  verdicts: [],
  marks: [],
  notes: [],
  claims: [],
};

export function requestOf(runId: number, durationNs: number): RunRequest {
  return { runId, document: { durationNs }, settings: {}, interventions: [] };
}

/** A sink that fills a store and notes what it heard. */
export interface CollectingSink extends RunSink {
  readonly starts: RunStart[];
  readonly seqs: number[];
  store: TraceStore | undefined;
}

export function collectingSink(onChunk: (seq: number) => Promise<void> | void = () => {}): CollectingSink {
  const sink: CollectingSink = {
    starts: [],
    seqs: [],
    store: undefined,
    started(start) {
      sink.starts.push(start);
      if (start.ok) sink.store = createTraceStore(start.meta);
    },
    chunk(msg) {
      sink.seqs.push(msg.seq);
      appendChunk(sink.store!, msg.chunk);
      return onChunk(msg.seq);
    },
  };
  return sink;
}

/** A worker made of two message ports; `crash` does what a worker does whose script throws. */
export interface PortWorker extends WorkerLike {
  readonly isTerminated: boolean;
  crash(message: string): void;
}

export function portWorker(api: SimApi): PortWorker {
  const { port1, port2 } = new MessageChannel();
  exposeHost(api, port2 as unknown as Endpoint);
  return workerOver(port1, port2);
}

/** A worker that is there and never says a word. */
export function muteWorker(): PortWorker {
  const { port1, port2 } = new MessageChannel();
  return workerOver(port1, port2);
}

function workerOver(port1: MessagePort, port2: MessagePort): PortWorker {
  const errors = new Set<(event: { message: string }) => void>();
  let isTerminated = false;
  const endpoint = port1 as unknown as Endpoint;
  return {
    postMessage: (message, transfer) => {
      if (!isTerminated) endpoint.postMessage(message, transfer);
    },
    addEventListener: (type, listener) => {
      if (type === 'error') errors.add(listener as never);
      else endpoint.addEventListener(type, listener);
    },
    removeEventListener: (type, listener) => {
      if (type === 'error') errors.delete(listener as never);
      else endpoint.removeEventListener(type, listener);
    },
    start: () => port1.start(),
    terminate() {
      isTerminated = true;
      port1.close();
      port2.close();
    },
    get isTerminated() {
      return isTerminated;
    },
    crash(message) {
      for (const listener of [...errors]) listener({ message });
    },
  };
}
