// `--record KERNEL/WORKLOAD`: makes the summary that golden/recorded/ keeps from the recording beside it.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { GoldenFiles } from './golden_files.ts';
import type { MeasureSpec } from './measure_spec.ts';
import { observeTraceDat } from './observe_trace_dat.ts';
import type { RecordedSummary } from './recorded.ts';
import { recordedSummary } from './recorded.ts';
import type { RecordedRun } from './recorded_run.ts';

/** Workloads that ran with real-time throttling as the kernel comes. */
const THROTTLED = ['rt-throttle', 'bmalloc-throttle-fifo'];

/** The summary that stands for a recording in the comparison. */
export function summaryOfRun(
  spec: MeasureSpec,
  recordedKernel: string,
  workload: string,
  run: RecordedRun,
): RecordedSummary | undefined {
  const measured = spec.workloads[workload];
  if (measured === undefined) return undefined;
  const throttles = spec.kernels[recordedKernel]?.kernel === '6.1' && THROTTLED.includes(workload);
  return recordedSummary(recordedKernel, workload, measured, run, throttles);
}

/** The JSON text. `target` is `KERNEL/WORKLOAD`. The error is a sentence. */
export function recordedJson(golden: GoldenFiles, target: string): Result<string, string> {
  const [recordedKernel = '', workload = ''] = target.split('/');
  if (golden.spec.workloads[workload] === undefined) return err(`measures.json lists no workload "${workload}".`);
  const recording = golden.recording(recordedKernel, workload);
  if (recording === undefined) return err(`There is no recording ${target}.dat.`);
  const run = observeTraceDat(recording.traceDat, recording.log);
  if (!run.ok) return err(`${target}.dat: ${run.error}`);
  return ok(`${JSON.stringify(summaryOfRun(golden.spec, recordedKernel, workload, run.value))}\n`);
}
