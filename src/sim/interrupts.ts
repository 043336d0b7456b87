// Hardware interrupts. Most change nothing but take time: clock.ts counts them in closed form. Where one posts a
// semaphore, or where softirq work may pile up, every firing of that CPU is an event (a "live" CPU).
// Source: kernel/softirq.c irq_exit_rcu (v6.12). Facts 10.4, 10.5. Interrupts of one CPU do not nest: a second one
// waits for the end of the first. Their time is charged to whoever they hit (no IRQ_TIME_ACCOUNTING).

import { arm } from '../base/indexed_heap.ts';
import type { Ns } from '../base/units.ts';
import type { Interrupt } from '../scenario/scenario.ts';
import type { IrqSource } from '../trace/meta.ts';
import { chargeInterrupt, longestBacklog, touch } from './clock.ts';
import type { Machine } from './machine.ts';
import type { IrqLoad } from './rq.ts';
import { enterSoftirq, firingDone, MAX_SOFTIRQ_NS, raiseSoftirq } from './softirq.ts';

/** First firing of an interrupt source: one period after the start, as a timer armed at 0. */
export function firstFiringNs(interrupt: Interrupt): Ns {
  return interrupt.periodNs;
}

/** What the interrupts of one CPU take; a softirq part is a source of its own that follows the hard part. */
export function irqLoadsOf(interrupts: readonly Interrupt[], cpu: number): IrqLoad[] {
  const loads: IrqLoad[] = [];
  for (const irq of interrupts) {
    if (irq.cpu !== cpu) continue;
    const first = firstFiringNs(irq);
    if (irq.runNs > 0) loads.push({ first, period: irq.periodNs, cost: irq.runNs });
    if (irq.softirqNs > 0) loads.push({ first: first + irq.runNs, period: irq.periodNs, cost: irq.softirqNs });
  }
  return loads;
}

/**
 * True when the firings of this CPU must be events: one posts, or softirq work can be raised while some is being done
 * or last beyond its limit, so that the kernel may leave it to ksoftirqd. O(interrupts).
 */
export function isLive(interrupts: readonly Interrupt[], cpu: number): boolean {
  const here = interrupts.filter((irq) => irq.cpu === cpu);
  if (here.some((irq) => irq.post !== undefined)) return true;
  const raising = here.filter((irq) => irq.softirqNs > 0);
  if (raising.length === 0) return false;
  if (raising.length > 1) return true;
  return longestBacklog(irqLoadsOf(here, cpu), 0) > Math.min(MAX_SOFTIRQ_NS, raising[0]!.periodNs);
}

/** Interrupt work that follows from its period alone: hard parts, and softirq parts where they are not live. The trace's table. */
export function countedSources(interrupts: readonly Interrupt[]): IrqSource[] {
  return interrupts.flatMap((irq) => {
    const { cpu, name, periodNs, runNs, softirqNs } = irq;
    const firstNs = firstFiringNs(irq);
    const hard = { cpu, name, firstNs, periodNs, runNs };
    if (softirqNs === 0 || isLive(interrupts, cpu)) return [hard];
    return [hard, { cpu, name: `${name} softirq`, firstNs: firstNs + runNs, periodNs, runNs: softirqNs }];
  });
}

/** A live interrupt of the machine. */
export interface LiveIrq {
  readonly slot: number;
  /** Its next firing. */
  nextNs: Ns;
  /** The slot stands for the end of the hard part, at which it posts. */
  ending: boolean;
}

/** Gives every CPU its interrupts. Called once, for a machine in which nothing has happened yet. */
export function createInterrupts(m: Machine, newSlot: (index: number) => number): void {
  const interrupts = m.scenario.machine.interrupts;
  const cpus = new Set(interrupts.map((irq) => irq.cpu));
  for (const rq of m.rqs) {
    if (!cpus.has(rq.cpu)) continue;
    if (isLive(interrupts, rq.cpu)) rq.irqsAreLive = true;
    else rq.irqLoads = irqLoadsOf(interrupts, rq.cpu);
  }
  interrupts.forEach((irq, index) => {
    if (m.rqs[irq.cpu]!.irqsAreLive)
      m.liveIrqs[index] = { slot: newSlot(index), nextNs: firstFiringNs(irq), ending: false };
  });
}

/** Arms the first firings. */
export function startInterrupts(m: Machine): void {
  for (const live of m.liveIrqs) if (live !== undefined) arm(m.heap, live.slot, live.nextNs);
}

/** A live interrupt is due: it fires, or its hard part ends. */
export function onIrq(m: Machine, index: number): void {
  const irq = m.scenario.machine.interrupts[index]!;
  const live = m.liveIrqs[index]!;
  const rq = m.rqs[irq.cpu]!;
  touch(m, rq);
  if (live.ending) {
    live.ending = false;
    firingDone(m, rq, index);
    arm(m.heap, live.slot, live.nextNs);
    return;
  }
  live.nextNs = m.nowNs + irq.periodNs;
  chargeInterrupt(m, rq, irq.runNs);
  raiseSoftirq(m, rq, index);
  enterSoftirq(m, rq);
  // Without softirq work the post comes from the hard part, at its end.
  live.ending = irq.softirqNs === 0 && irq.post !== undefined;
  arm(m.heap, live.slot, live.ending ? Math.min(m.nowNs + irq.runNs, live.nextNs) : live.nextNs);
}
