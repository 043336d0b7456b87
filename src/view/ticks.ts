// Instants of the time axis and the grid: d3's nice steps, never finer than a nanosecond.

import { scaleLinear, tickStep } from 'd3';
import type { Ns } from '../base/units.ts';
import type { Viewport } from './api.ts';

export interface Ticks {
  readonly atNs: readonly Ns[];
  /** Between them, without labels. */
  readonly minorNs: readonly Ns[];
  readonly stepNs: Ns;
}

/** Ticks about `spacingPx` apart on an axis `widthPx` wide. */
export function ticksFor(viewport: Viewport, widthPx: number, spacingPx: number): Ticks {
  const wanted = Math.max(2, Math.round(widthPx / spacingPx));
  const stepNs = Math.max(1, tickStep(viewport.t0Ns, viewport.t1Ns, wanted));
  const scale = scaleLinear([viewport.t0Ns, viewport.t1Ns], [0, widthPx]);
  const minorStepNs = minorStep(stepNs);
  return {
    atNs: every(viewport, stepNs),
    minorNs: minorStepNs >= 1 && scale(viewport.t0Ns + minorStepNs) > 6 ? every(viewport, minorStepNs) : [],
    stepNs,
  };
}

/** Steps are 1, 2 or 5 times a power of ten: halves of two, fifths of the others. */
function minorStep(stepNs: Ns): Ns {
  const leading = Number(stepNs.toExponential()[0]);
  return leading === 2 ? stepNs / 4 : stepNs / 5;
}

function every(viewport: Viewport, stepNs: Ns): readonly Ns[] {
  const list: Ns[] = [];
  const last = Math.floor(viewport.t1Ns / stepNs);
  for (let i = Math.ceil(viewport.t0Ns / stepNs); i <= last && list.length < 500; i++) {
    if (i >= 0) list.push(i * stepNs);
  }
  return list;
}
