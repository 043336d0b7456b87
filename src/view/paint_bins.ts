// Dense bins: height is the share of time that was busy, hatched from the floor the share that was spun away, above
// it what waited. Neighbouring bins of one thread join to a surface; nothing is drawn one column a switch.

import { NONE } from '../trace/ids.ts';
import type { BinList } from './bins.ts';
import type { HueInks } from './inks.ts';
import { type LaneContext, Seen, threadInks } from './lane_context.ts';

/** Paints the gathered bins of the lane over what is there. */
export function paintBins(c: LaneContext): void {
  const { bins } = c;
  if (bins.count > 0) c.seen |= Seen.dense;
  for (let i = 0; i < bins.count; i++) {
    const x0 = bins.x0[i]!;
    const x1 = bins.x1[i]!;
    if (x1 <= 0 || x0 >= c.widthPx) continue;
    paintBin(c, bins, i, x0, x1);
  }
}

function paintBin(c: LaneContext, bins: BinList, i: number, x0: number, x1: number): void {
  const spin = bins.spin[i]!;
  const busy = spin + bins.run[i]!;
  const waits = bins.wait[i]!;
  const blocked = bins.block[i]!;
  if (busy + waits + blocked < 1e-4) {
    paintQuiet(c, bins, i, x0, x1);
    return;
  }
  const height = c.fillEndY - c.fillY;
  // What happened at all shows as one px at least.
  const spinPx = spin > 0 ? Math.max(1, Math.round(spin * height)) : 0;
  const busyPx = busy > 0 ? Math.max(1, spinPx, Math.round(busy * height)) : 0;
  const waitPx = waits > 0 ? Math.max(1, Math.round((busy + waits) * height) - busyPx) : 0;
  const allPx = Math.min(height, Math.max(busyPx + waitPx, Math.round((busy + waits + blocked) * height)));
  let floor = c.fillEndY;
  if (spinPx > 0) c.painter.rect(spinHue(c, bins.who[i]!).spin, x0, floor - spinPx, x1, floor);
  if (busyPx > spinPx) c.painter.rect(runHue(c, bins.who[i]!).solid, x0, floor - busyPx, x1, floor - spinPx);
  floor -= busyPx;
  const waitEndPx = Math.min(waitPx, allPx - busyPx);
  if (waitEndPx > 0) c.painter.rect(c.inks.waitDense, x0, floor - waitEndPx, x1, floor);
  floor -= waitEndPx;
  const blockPx = allPx - busyPx - waitEndPx;
  if (blockPx > 0) c.painter.rect(c.inks.block.cross, x0, floor - blockPx, x1, floor);
  paintBinEdges(c, bins, i, x0, x1);
  note(c, busyPx > spinPx, spinPx > 0, waitEndPx > 0, blockPx > 0);
}

function note(c: LaneContext, runs: boolean, spins: boolean, waits: boolean, blocked: boolean): void {
  if (c.kind === 'lock') return;
  if (runs) c.seen |= Seen.run;
  if (spins) c.seen |= Seen.spin;
  if (waits) c.seen |= Seen.runnable;
  if (blocked) c.seen |= Seen.blocked;
}

function paintQuiet(c: LaneContext, bins: BinList, i: number, x0: number, x1: number): void {
  if (c.kind === 'cpu') {
    c.painter.rect(c.inks.idleDots, x0, c.fillEndY - Math.max(1, Math.round(c.inks.dpr)), x1, c.fillEndY);
  } else if (bins.sleep[i]! > 0) {
    const y = c.topPx + c.metrics.midY - (c.metrics.sleepPx >> 1);
    c.painter.rect(c.inks.sleep, x0, y, x1, y + c.metrics.sleepPx);
    c.seen |= Seen.sleep;
  }
}

/** Edges stand where at least half of the bin has them. */
function paintBinEdges(c: LaneContext, bins: BinList, i: number, x0: number, x1: number): void {
  const { metrics: m, inks } = c;
  if (c.kind === 'lock') return;
  if (bins.boosted[i]! >= 0.5) {
    c.seen |= Seen.boosted;
    c.painter.rect(inks.boost, x0, c.topPx + m.ribbonY, x1, c.topPx + m.ribbonEndY);
  } else if (bins.realTime[i]! >= 0.5) {
    c.seen |= Seen.realTime;
    const hue = bins.spin[i]! > bins.run[i]! ? spinHue(c, bins.who[i]!) : runHue(c, bins.who[i]!);
    c.painter.rect(hue.rtComb, x0, c.topPx + m.combY, x1, c.topPx + m.combEndY);
  }
  if (bins.holds[i]! >= 0.5) {
    c.seen |= Seen.holdsLock;
    c.painter.rect(inks.lock, x0, c.topPx + m.lockLineY, x1, c.topPx + m.lockLineEndY);
  }
}

function runHue(c: LaneContext, who: number): HueInks {
  const rule = c.frame.hueBy;
  if (rule === 'class') return c.inks.threads[0]!;
  if (rule === 'state' || (rule === 'auto' && c.kind === 'thread')) return c.inks.run;
  return binThread(c, who);
}

function spinHue(c: LaneContext, who: number): HueInks {
  const rule = c.frame.hueBy;
  if (rule === 'state' || rule === 'class' || (rule === 'auto' && c.kind === 'thread')) return c.inks.spinState;
  return binThread(c, who);
}

function binThread(c: LaneContext, who: number): HueInks {
  if (c.kind === 'thread') return threadInks(c, c.frame.trace.lanes[c.laneId]!.subject);
  return who === NONE ? c.inks.block : threadInks(c, who);
}
