// Time that periodic hardware interrupts take from a CPU, in closed form: they leave no records. One that comes
// while another runs waits for its end, in the order of the sources at one instant.

import type { Ns } from '../base/units.ts';
import type { IrqSource } from '../trace/meta.ts';

/** Sources by CPU; CPUs without one have an empty list. Sources that take no time are left out. */
export function irqSourcesByCpu(sources: readonly IrqSource[], cpuCount: number): readonly (readonly IrqSource[])[] {
  const byCpu: IrqSource[][] = Array.from({ length: cpuCount }, () => []);
  for (const source of sources) if (source.runNs > 0) byCpu[source.cpu]?.push(source);
  return byCpu;
}

/** Interrupt time of one CPU in [fromNs, toNs); never more than the span itself. O(sources), and where several overlap O(their last firings). */
export function irqTimeIn(sources: readonly IrqSource[], fromNs: Ns, toNs: Ns): Ns {
  if (sources.length === 0 || toNs <= fromNs) return 0;
  const sumNs = irqTimeBefore(sources, toNs) - irqTimeBefore(sources, fromNs);
  return Math.min(Math.max(sumNs, 0), toNs - fromNs);
}

/** One stretch of interrupt work on a CPU. */
export interface IrqStretch {
  readonly name: string;
  readonly startNs: Ns;
  readonly endNs: Ns;
}

/** The interrupts of one CPU that touch [fromNs, toNs), in order, cut at its edges, none over another. O(firings in it). */
export function irqStretches(sources: readonly IrqSource[], fromNs: Ns, toNs: Ns): readonly IrqStretch[] {
  if (sources.length === 0 || toNs <= fromNs) return [];
  const firings = sources.flatMap((source, order) => firingsIn(source, order, fromNs - longestBacklog(sources), toNs));
  firings.sort((x, y) => x.atNs - y.atNs || x.order - y.order);
  const stretches: IrqStretch[] = [];
  let freeNs = -Infinity;
  for (const { atNs, order } of firings) {
    const source = sources[order]!;
    const startNs = Math.max(atNs, freeNs);
    freeNs = startNs + source.runNs;
    const lo = Math.max(startNs, fromNs);
    const hi = Math.min(freeNs, toNs);
    if (hi > lo) stretches.push({ name: source.name, startNs: lo, endNs: hi });
  }
  return stretches;
}

interface Firing {
  readonly atNs: Ns;
  readonly order: number;
}

function firingsIn(source: IrqSource, order: number, fromNs: Ns, toNs: Ns): Firing[] {
  const firings: Firing[] = [];
  const first = Math.max(0, Math.ceil((fromNs - source.firstNs) / source.periodNs));
  for (let atNs = source.firstNs + first * source.periodNs; atNs < toNs; atNs += source.periodNs) {
    firings.push({ atNs, order });
  }
  return firings;
}

/** Interrupt time in [0, untilNs): all that arrived, less what is still to be done. */
function irqTimeBefore(sources: readonly IrqSource[], untilNs: Ns): Ns {
  let arrivedNs = 0;
  for (const source of sources) arrivedNs += countBefore(source, untilNs) * source.runNs;
  return arrivedNs - backlogAt(sources, untilNs);
}

function countBefore(source: IrqSource, untilNs: Ns): number {
  return untilNs <= source.firstNs ? 0 : Math.ceil((untilNs - source.firstNs) / source.periodNs);
}

/** Work that interrupts before `atNs` have left at `atNs`: the largest excess of their cost over the time since, over all starts of a burst (Lindley). */
function backlogAt(sources: readonly IrqSource[], atNs: Ns): Ns {
  const [only] = sources;
  if (sources.length === 1) {
    const fired = countBefore(only!, atNs);
    return fired === 0 ? 0 : Math.max(0, only!.runNs - (atNs - only!.firstNs - (fired - 1) * only!.periodNs));
  }
  const firings = sources.flatMap((source, order) => firingsIn(source, order, atNs - longestBacklog(sources), atNs));
  firings.sort((x, y) => y.atNs - x.atNs);
  let sumNs = 0;
  let backlogNs = 0;
  for (const firing of firings) {
    sumNs += sources[firing.order]!.runNs;
    backlogNs = Math.max(backlogNs, sumNs - (atNs - firing.atNs));
  }
  return backlogNs;
}

/** Longest time that work of these sources can stay undone; 1 s where they take the whole CPU for ever. */
function longestBacklog(sources: readonly IrqSource[]): Ns {
  if (sources.length === 1) return sources[0]!.runNs;
  let load = 0;
  let burstNs = 0;
  for (const source of sources) {
    load += source.runNs / source.periodNs;
    burstNs += source.runNs;
  }
  return load < 1 ? Math.min(1e9, Math.ceil(burstNs / (1 - load)) + 1) : 1e9;
}
