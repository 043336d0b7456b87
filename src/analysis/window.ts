// The half-open stretch [fromNs, toNs) over which a result counts.

import type { Ns } from '../base/units.ts';

/** `toNs` is Infinity for the whole run. */
export interface Window {
  readonly fromNs: Ns;
  readonly toNs: Ns;
}

/** Everything, the records of the last instant included. */
export const WHOLE_RUN: Window = { fromNs: 0, toNs: Infinity };

/** Whether an instant counts. */
export function isInside(window: Window, atNs: Ns): boolean {
  return atNs >= window.fromNs && atNs < window.toNs;
}

/** How much of [startNs, endNs) counts. */
export function overlapNs(window: Window, startNs: Ns, endNs: Ns): Ns {
  const lo = startNs > window.fromNs ? startNs : window.fromNs;
  const hi = endNs < window.toNs ? endNs : window.toNs;
  return hi > lo ? hi - lo : 0;
}
