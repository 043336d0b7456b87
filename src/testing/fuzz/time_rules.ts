// Time adds up: on every CPU, and in the life of every thread.

import { addToNumbers, closeNumbers, costsOf, createNumbers } from '../../analysis/numbers.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { TaskInfo, TraceMeta } from '../../trace/meta.ts';
import type { RecordColumns } from '../../trace/records.ts';
import { SegKind } from '../../trace/segments.ts';

/** Longer than any interrupt of the random documents, with all that it wakes. */
const MAX_INTERRUPT_NS = 1_000_000;

/** Where times do not add up, in words; undefined: they do. `endNs`: how far the run went. O(records). */
export function missingTime(
  scenario: Scenario,
  meta: TraceMeta,
  tasks: readonly TaskInfo[],
  records: RecordColumns,
  endNs: number,
): string | undefined {
  const numbers = createNumbers(meta, costsOf(scenario));
  addToNumbers(numbers, records);
  closeNumbers(numbers, endNs, tasks.length);
  let busyNs = 0;
  for (const [cpu, { busyNs: busy, idleNs, irqNs }] of numbers.cpus.entries()) {
    if (busy + idleNs + irqNs !== endNs || Math.min(busy, idleNs, irqNs) < 0)
      return `CPU ${cpu}: ${busy} busy, ${idleNs} idle and ${irqNs} in interrupts are ${endNs} ns`;
    busyNs += busy;
  }
  let usedNs = 0;
  for (const [id, { timesNs, firstAliveNs, finishedNs }] of numbers.threads.entries()) {
    const livedNs = timesNs.reduce((sum, ns, kind) => sum + (kind === SegKind.absent ? 0 : ns), 0);
    const lifeNs = firstAliveNs < 0 ? 0 : (finishedNs ?? endNs) - firstAliveNs;
    // Who is ended inside an interrupt (SIGXCPU at a tick) leaves the CPU with it.
    const leavesLateNs = finishedNs === undefined ? 0 : MAX_INTERRUPT_NS;
    if (livedNs < lifeNs || livedNs > lifeNs + leavesLateNs)
      return `${tasks[id]!.name}: its times are ${livedNs} ns of a life of ${lifeNs} ns`;
    usedNs += timesNs[SegKind.run]! + timesNs[SegKind.spin]!;
  }
  return usedNs === busyNs ? undefined : `threads used ${usedNs} ns of ${busyNs} ns that CPUs were busy`;
}
