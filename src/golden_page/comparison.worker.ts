// The worker of this page: reads a recording, simulates beside it, compares. A worker of its own keeps reader and
// simulation out of the page's scripts, and the page awake.

import { err, ok, type Result } from '../base/result.ts';
import { comparePair, simulatePair } from '../testing/golden/compare.ts';
import type { GoldenFiles, KernelCosts } from '../testing/golden/golden_files.ts';
import { observeTraceDat } from '../testing/golden/observe_trace_dat.ts';
import { summaryOfRun } from '../testing/golden/record_command.ts';
import type { Comparison, ComparisonRequest } from './comparison.ts';
import { SPEC } from './measures.ts';

const DOCUMENTS = import.meta.glob<unknown>(
  '../../golden/documents/{pi-reweight-short,pi-chain,fair-share,sleeper,rt-throttle,bmalloc-hang-fifo}.json',
  { import: 'default', eager: true },
);
const COSTS = import.meta.glob<{ kernels: Record<string, KernelCosts> }>('../../golden/costs.json', {
  import: 'default',
  eager: true,
});

function compare({ choice, traceDat }: ComparisonRequest): Result<Comparison, string> {
  const { workload, kernel } = choice;
  const run = observeTraceDat(traceDat, '');
  if (!run.ok) return err(`The recording cannot be read. ${run.error}`);
  const summary = summaryOfRun(SPEC, kernel, workload, run.value);
  const golden: GoldenFiles = {
    spec: SPEC,
    costs: COSTS['../../golden/costs.json']!.kernels,
    knownMisses: [],
    document: (name) => DOCUMENTS[`../../golden/documents/${name}.json`],
    recording: () => undefined,
    // Only this pair is loaded: other recordings of the version are compared by `npm run golden`.
    recorded: (ofKernel, ofWorkload) => (ofKernel === kernel && ofWorkload === workload ? summary : undefined),
  };
  const pair = { workload, recordedKernel: kernel };
  const simulated = simulatePair(golden, pair);
  const recorded = run.value.observation;
  return ok({
    recorded,
    simulated,
    threads: [...new Set([...recorded.stints, ...simulated.stints].map((stint) => stint.thread))],
    endNs: Math.max(recorded.endNs, simulated.endNs),
    rows: comparePair(golden, pair, simulated),
  });
}

self.onmessage = (event: MessageEvent<ComparisonRequest>) => self.postMessage(compare(event.data));
