// From the committed tolerances to one number per row.

import type { Ns } from '../../base/units.ts';
import { NS_PER_US } from '../../base/units.ts';
import type { Tolerance } from './measure_spec.ts';

/** What a tolerance may refer to. */
export interface ToleranceContext {
  readonly tickNs: Ns;
  /** The fair request of a kernel with hrtick; undefined on those that end slices at ticks. */
  readonly hrtickSliceNs?: Ns;
  readonly recorded?: number;
  readonly mainStintNs?: Ns;
  readonly turnNs?: Ns;
  readonly hasSlack?: boolean;
  readonly besideHog?: boolean;
}

/** The widest of the bounds that the tolerance names, in ns. */
export function toleranceNs(t: Tolerance, c: ToleranceContext): Ns {
  const bounds: Ns[] = [];
  if (t.us !== undefined) bounds.push(t.us * NS_PER_US);
  if (t.absoluteUs !== undefined) bounds.push(t.absoluteUs * NS_PER_US);
  if (t.relative !== undefined) bounds.push(t.relative * (c.recorded ?? 0));
  if (t.ticks !== undefined) {
    const sliced = t.slicesWithHrtick !== undefined && c.hrtickSliceNs !== undefined;
    bounds.push(sliced ? (t.slicesWithHrtick ?? 0) * (c.hrtickSliceNs ?? 0) : t.ticks * c.tickNs);
  }
  if (t.stintsOfMain !== undefined) bounds.push(t.stintsOfMain * (c.mainStintNs ?? 0));
  if (t.turns !== undefined) bounds.push(t.turns * (c.turnNs ?? 0));
  if (t.slackUs !== undefined && c.hasSlack === true) bounds.push(t.slackUs * NS_PER_US);
  if (t.ticksBesideHog !== undefined && c.besideHog === true) {
    bounds.push(
      c.hrtickSliceNs === undefined
        ? t.ticksBesideHog * c.tickNs
        : (t.slicesBesideHogWithHrtick ?? 0) * c.hrtickSliceNs,
    );
  }
  return Math.round(Math.max(0, ...bounds));
}

/** Of a share: a number of points, or of stints as a part of the window, whichever is more. */
export function shareTolerance(t: Tolerance, stintNs: Ns, windowNs: Ns): number {
  return Math.max((t.points ?? 0) / 100, ((t.stints ?? 0) * stintNs) / windowNs);
}

/** Of counts: `factor` times more or less, or `count` apart, whichever is more in the direction of `ours`. */
export function countTolerance(t: Tolerance, theirs: number, ours: number): number {
  const factor = t.factor ?? 1;
  const byFactor = ours > theirs ? theirs * (factor - 1) : theirs * (1 - 1 / factor);
  return Math.max(t.count ?? 0, byFactor);
}
