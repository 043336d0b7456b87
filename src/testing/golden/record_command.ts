// `--record KERNEL/WORKLOAD --report FILE [--log FILE]`: makes the file of golden/recorded/ from the text that
// `trace-cmd report -t trace.dat` prints and from what the program printed.

import { existsSync, readFileSync } from 'node:fs';
import type { GoldenFiles } from './golden_files.ts';
import { observeReport } from './observe_report.ts';
import { recordedSummary } from './recorded.ts';

/** Workloads that ran with real-time throttling as the kernel comes. */
const THROTTLED = ['rt-throttle', 'bmalloc-throttle-fifo'];

/** The JSON text. `target` is `KERNEL/WORKLOAD`. */
export function recordedJson(
  golden: GoldenFiles,
  target: string,
  reportFile: string,
  logFile: string | undefined,
): string {
  const [recordedKernel = '', workload = ''] = target.split('/');
  const spec = golden.spec.workloads[workload];
  if (spec === undefined) throw new Error(`measures.json lists no workload "${workload}"`);
  const log = logFile !== undefined && existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
  const run = observeReport(readFileSync(reportFile, 'utf8'), log);
  const throttles = golden.spec.kernels[recordedKernel]?.kernel === '6.1' && THROTTLED.includes(workload);
  return `${JSON.stringify(recordedSummary(recordedKernel, workload, spec, run, throttles))}\n`;
}
