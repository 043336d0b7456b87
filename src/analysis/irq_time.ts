// Time that periodic hardware interrupts take from a CPU, in closed form: they leave no records.
// Sources of one CPU that would overlap run one after the other, so their times add up.

import type { Ns } from '../base/units.ts';
import type { IrqSource } from '../trace/meta.ts';

/** Sources by CPU; CPUs without one have an empty list. */
export function irqSourcesByCpu(sources: readonly IrqSource[], cpuCount: number): readonly (readonly IrqSource[])[] {
  const byCpu: IrqSource[][] = Array.from({ length: cpuCount }, () => []);
  for (const source of sources) byCpu[source.cpu]?.push(source);
  return byCpu;
}

/** Interrupt time of one CPU in [fromNs, toNs); never more than the span itself. O(sources). */
export function irqTimeIn(sources: readonly IrqSource[], fromNs: Ns, toNs: Ns): Ns {
  if (sources.length === 0 || toNs <= fromNs) return 0;
  let sumNs = 0;
  for (const source of sources) sumNs += irqTimeBefore(source, toNs) - irqTimeBefore(source, fromNs);
  return Math.min(sumNs, toNs - fromNs);
}

/** Interrupt time of one source in [0, untilNs). */
function irqTimeBefore(source: IrqSource, untilNs: Ns): Ns {
  const sinceFirstNs = untilNs - source.firstNs;
  if (sinceFirstNs <= 0) return 0;
  const fired = Math.floor(sinceFirstNs / source.periodNs);
  return fired * source.runNs + Math.min(sinceFirstNs - fired * source.periodNs, source.runNs);
}
