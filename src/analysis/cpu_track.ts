// One CPU's sums while records go by: interrupt time comes first, and what is left of a stretch is busy when a
// thread is on the CPU and idle when none is. So busy + idle + irq is the window, on every CPU.

import type { Ns } from '../base/units.ts';
import { NONE } from '../trace/ids.ts';
import type { IrqSource } from '../trace/meta.ts';
import { irqTimeIn } from './irq_time.ts';
import { isInside, type Window } from './window.ts';

export interface CpuTrack {
  readonly irqSources: readonly IrqSource[];
  /** Task on the CPU; NONE: idle. */
  task: number;
  sinceNs: Ns;
  busyNs: Ns;
  idleNs: Ns;
  irqNs: Ns;
  /** Since when softirq work that leaves records is being done; NONE: none is. */
  softirqSinceNs: Ns;
  /** Of the present stretch, softirq work that is counted already. */
  softirqNs: Ns;
  switches: number;
}

export function createCpuTrack(irqSources: readonly IrqSource[]): CpuTrack {
  return {
    irqSources,
    task: NONE,
    sinceNs: 0,
    busyNs: 0,
    idleNs: 0,
    irqNs: 0,
    softirqSinceNs: NONE,
    softirqNs: 0,
    switches: 0,
  };
}

/** schedSwitch on this CPU. */
export function onCpuSwitch(track: CpuTrack, window: Window, next: number, atNs: Ns): void {
  countStretch(track, window, atNs);
  track.task = next;
  if (isInside(window, atNs)) track.switches++;
}

/**
 * softirq: work at the end of an interrupt begins or ends. No switch falls into it, so it lies within one stretch.
 * Returns what it took beyond the hardware interrupts in it, inside the window.
 */
export function onSoftirq(track: CpuTrack, window: Window, begins: boolean, atNs: Ns): Ns {
  if (begins) {
    track.softirqSinceNs = atNs;
    return 0;
  }
  if (track.softirqSinceNs === NONE) return 0;
  const fromNs = Math.max(track.softirqSinceNs, window.fromNs);
  const toNs = Math.min(atNs, window.toNs);
  track.softirqSinceNs = NONE;
  if (toNs <= fromNs) return 0;
  const tookNs = toNs - fromNs - irqTimeIn(track.irqSources, fromNs, toNs);
  track.irqNs += tookNs;
  track.softirqNs += tookNs;
  return tookNs;
}

/** Ends the open stretch at `endNs`; call once, after the last record. */
export function closeCpuTrack(track: CpuTrack, window: Window, endNs: Ns): void {
  countStretch(track, window, Math.max(endNs, track.sinceNs));
}

function countStretch(track: CpuTrack, window: Window, atNs: Ns): void {
  const fromNs = Math.max(track.sinceNs, window.fromNs);
  const toNs = Math.min(atNs, window.toNs);
  track.sinceNs = atNs;
  if (toNs <= fromNs) return;
  const irqNs = irqTimeIn(track.irqSources, fromNs, toNs);
  track.irqNs += irqNs;
  const leftNs = toNs - fromNs - irqNs - track.softirqNs;
  track.softirqNs = 0;
  if (track.task === NONE) track.idleNs += leftNs;
  else track.busyNs += leftNs;
}
