// One recording and the simulation beside it, as the page shows them.

import { err, ok, type Result } from '../base/result.ts';
import type { Ns } from '../base/units.ts';
import type { Observation } from '../testing/golden/observation.ts';
import type { Row } from '../testing/golden/row.ts';
import type { GoldenChoice } from './golden_hash.ts';
import { recordingUrl } from './recordings.ts';

export interface Comparison {
  readonly recorded: Observation;
  readonly simulated: Observation;
  /** Threads of both sides, by their first time on a CPU. */
  readonly threads: readonly string[];
  /** Both sides lie within. */
  readonly endNs: Ns;
  readonly rows: readonly Row[];
}

/** What the worker is asked; it answers with a `Result<Comparison, string>`. */
export interface ComparisonRequest {
  readonly choice: GoldenChoice;
  readonly traceDat: Uint8Array;
}

/** Fetches, and has a worker read, simulate and compare. The error is a sentence. Takes up to a second. */
export async function loadComparison(choice: GoldenChoice, signal: AbortSignal): Promise<Result<Comparison, string>> {
  const url = recordingUrl(choice.kernel, choice.workload);
  if (url === undefined) return err(`There is no recording of "${choice.workload}" on "${choice.kernel}" here.`);
  const bytes = await fetchBytes(url, signal);
  return bytes.ok ? askWorker({ choice, traceDat: bytes.value }, signal) : bytes;
}

async function fetchBytes(url: string, signal: AbortSignal): Promise<Result<Uint8Array, string>> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return err(`The recording cannot be loaded: the server answers ${response.status}.`);
    return ok(new Uint8Array(await response.arrayBuffer()));
  } catch {
    return err('The recording cannot be loaded: the server does not answer.');
  }
}

function askWorker(request: ComparisonRequest, signal: AbortSignal): Promise<Result<Comparison, string>> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(err('The comparison was given up.'));
    const worker = new Worker(new URL('./comparison.worker.ts', import.meta.url), { type: 'module' });
    const end = (result: Result<Comparison, string>) => {
      worker.terminate();
      resolve(result);
    };
    worker.onmessage = (event: MessageEvent<Result<Comparison, string>>) => end(event.data);
    worker.onerror = (event) => end(err(`The comparison ended early. ${event.message}`));
    signal.addEventListener('abort', () => end(err('The comparison was given up.')));
    worker.postMessage(request);
  });
}
