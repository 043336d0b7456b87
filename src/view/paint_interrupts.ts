// Periodic interrupts of a CPU, which follow a rule and have no rows: a notch hanging from the lane's top where
// they are too short to see, a bar over the whole lane where they are not. Ticks are not drawn.

import { type LaneContext, xOf } from './lane_context.ts';

/** Notches closer than this, CSS px, would be a fringe; then none is drawn. */
const MIN_DISTANCE_PX = 9;

export function paintInterrupts(c: LaneContext, cpu: number): void {
  for (const source of c.frame.trace.meta.irqSources) {
    if (source.cpu !== cpu || source.periodNs * c.pxPerNs < MIN_DISTANCE_PX * c.inks.dpr) continue;
    const lastNs = Math.min(c.endNs, c.t0Ns + c.widthPx / c.pxPerNs);
    const first = Math.max(0, Math.floor((c.fromNs - source.runNs - source.firstNs) / source.periodNs));
    for (let atNs = source.firstNs + first * source.periodNs; atNs < lastNs; atNs += source.periodNs) {
      paintInterrupt(c, xOf(c, atNs), xOf(c, atNs + source.runNs));
    }
  }
}

function paintInterrupt(c: LaneContext, x0: number, x1: number): void {
  const { irqNotch, irq } = c.inks;
  if (x1 - x0 >= c.metrics.minPx) {
    c.painter.rect(irq, Math.round(x0), c.topPx + c.metrics.hollowPx, Math.round(x1), c.topPx + c.metrics.heightPx - 1);
  } else {
    c.painter.glyph(irqNotch, irq, Math.round((x0 + x1) / 2) - (irqNotch.widthPx >> 1), c.topPx);
  }
}
