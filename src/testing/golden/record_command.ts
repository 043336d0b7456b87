// `--record KERNEL/WORKLOAD`: makes the summary that golden/recorded/ keeps from the recording beside it.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { GoldenFiles } from './golden_files.ts';
import { observeTraceDat } from './observe_trace_dat.ts';
import { recordedSummary } from './recorded.ts';

/** Workloads that ran with real-time throttling as the kernel comes. */
const THROTTLED = ['rt-throttle', 'bmalloc-throttle-fifo'];

/** The JSON text. `target` is `KERNEL/WORKLOAD`. The error is a sentence. */
export function recordedJson(golden: GoldenFiles, target: string): Result<string, string> {
  const [recordedKernel = '', workload = ''] = target.split('/');
  const spec = golden.spec.workloads[workload];
  if (spec === undefined) return err(`measures.json lists no workload "${workload}".`);
  const recording = golden.recording(recordedKernel, workload);
  if (recording === undefined) return err(`There is no recording ${target}.dat.`);
  const run = observeTraceDat(recording.traceDat, recording.log);
  if (!run.ok) return err(`${target}.dat: ${run.error}`);
  const throttles = golden.spec.kernels[recordedKernel]?.kernel === '6.1' && THROTTLED.includes(workload);
  return ok(`${JSON.stringify(recordedSummary(recordedKernel, workload, spec, run.value, throttles))}\n`);
}
