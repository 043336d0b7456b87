// Dense bins: height is the share of time that was busy, hatched from the floor the share that was spun away, above
// it what waited. Neighbouring bins of one thread join to a surface; nothing is drawn one column a switch.

import { NONE } from '../trace/ids.ts';
import { type BinList, BLOCK, BOOSTED, HOLDS, REAL_TIME, RUN, SHARES, SLEEP, SPIN, WAIT } from './bins.ts';
import type { HueInks } from './inks.ts';
import { type LaneContext, Seen, threadInks } from './lane_context.ts';
import type { Ink } from './painter.ts';

/** Paints the gathered bins of the lane over what is there. */
export function paintBins(c: LaneContext): void {
  const { bins } = c;
  if (bins.count > 0) c.seen |= Seen.dense;
  const { x0, x1 } = bins;
  for (let i = 0; i < bins.count; i++) {
    if (x1[i]! > 0 && x0[i]! < c.widthPx) paintBin(c, bins, i, x0[i]!, x1[i]!);
  }
  if (bins.edged && c.kind !== 'lock') paintBinEdges(c);
}

function paintBin(c: LaneContext, bins: BinList, i: number, x0: number, x1: number): void {
  const { shares } = bins;
  const at = i * SHARES;
  const spin = shares[at + SPIN]!;
  const busy = spin + shares[at + RUN]!;
  const waits = shares[at + WAIT]!;
  const blocked = shares[at + BLOCK]!;
  if (busy + waits + blocked < 1e-4) {
    paintQuiet(c, shares[at + SLEEP]! > 0, x0, x1);
    return;
  }
  const height = c.fillEndY - c.fillY;
  // What happened at all shows as one px at least.
  const spinPx = pxOf(spin, height);
  const busyPx = Math.max(spinPx, pxOf(busy, height));
  const waitPx = Math.min(pxOf(waits, height), height - busyPx);
  const blockPx = Math.min(pxOf(blocked, height), height - busyPx - waitPx);
  // A low duty stands at the floor under the line of the sleep it interrupts.
  if (c.kind === 'thread' && shares[at + SLEEP]! >= 0.5) paintQuiet(c, true, x0, x1);
  const who = bins.who[i]!;
  if (c.kind === 'cpu' && spinPx === 0 && bins.nextPart[i]! >= SHARED_FROM) {
    paintShared(c, bins, i, x0, x1, busyPx);
    return;
  }
  const run = runHue(c, who);
  c.painter.stack(
    x0,
    x1,
    c.fillEndY,
    spinHue(c, who).spin,
    spinPx,
    run.solid,
    busyPx - spinPx,
    c.inks.waitDense,
    waitPx,
    c.inks.block.cross,
    blockPx,
  );
  if (c.kind !== 'lock') note(c, busyPx > spinPx, spinPx > 0, waitPx > 0, blockPx > 0);
}

/** From this part of a CPU's time on, the thread with the second most is shown too: two that take turns share the bin. */
const SHARED_FROM = 0.2;

/** Two threads that take turns stand one on the other, always the same one below: else bins of equal halves would alternate at random. */
function paintShared(c: LaneContext, bins: BinList, i: number, x0: number, x1: number, busyPx: number): void {
  const who = bins.who[i]!;
  const next = bins.next[i]!;
  const nextPx = Math.round(busyPx * bins.nextPart[i]!);
  const lower = Math.min(who, next);
  const lowerPx = lower === next ? nextPx : busyPx - nextPx;
  c.painter.stack(
    x0,
    x1,
    c.fillEndY,
    runHue(c, lower).solid,
    lowerPx,
    runHue(c, Math.max(who, next)).solid,
    busyPx - lowerPx,
    c.inks.waitDense,
    0,
    c.inks.block.cross,
    0,
  );
  note(c, true, false, false, false);
}

function pxOf(share: number, height: number): number {
  if (share <= 0) return 0;
  const px = (share * height + 0.5) | 0;
  return px > 0 ? px : 1;
}

function note(c: LaneContext, runs: boolean, spins: boolean, waits: boolean, blocked: boolean): void {
  if (runs) c.seen |= Seen.run;
  if (spins) c.seen |= Seen.spin;
  if (waits) c.seen |= Seen.runnable;
  if (blocked) c.seen |= Seen.blocked;
}

function paintQuiet(c: LaneContext, sleeps: boolean, x0: number, x1: number): void {
  if (c.kind === 'cpu') {
    c.painter.rect(c.inks.idleDots, x0, c.fillEndY - Math.max(1, Math.round(c.inks.dpr)), x1, c.fillEndY);
  } else if (sleeps) {
    const y = c.topPx + c.metrics.midY - (c.metrics.sleepPx >> 1);
    c.painter.rect(c.inks.sleep, x0, y, x1, y + c.metrics.sleepPx);
    c.seen |= Seen.sleep;
  }
}

/** Edges stand where at least half of a bin has them; neighbours with the same edge share one stroke. */
function paintBinEdges(c: LaneContext): void {
  const { bins, inks, metrics: m, topPx } = c;
  const { shares, x0, x1, who } = bins;
  let top: Ink | undefined;
  let topFrom = 0;
  let lockFrom = -1;
  let end = 0;
  for (let i = 0; i < bins.count; i++) {
    const at = i * SHARES;
    const ink =
      shares[at + BOOSTED]! >= 0.5
        ? inks.boost
        : shares[at + REAL_TIME]! >= 0.5
          ? (shares[at + SPIN]! > shares[at + RUN]! ? spinHue(c, who[i]!) : runHue(c, who[i]!)).rtComb
          : undefined;
    const joins = x0[i]! <= end;
    if (ink !== top || !joins) {
      if (top !== undefined) paintTop(c, top, topFrom, end);
      top = ink;
      topFrom = x0[i]!;
    }
    const holds = shares[at + HOLDS]! >= 0.5;
    if (lockFrom >= 0 && (!holds || !joins)) {
      c.painter.rect(inks.lock, lockFrom, topPx + m.lockLineY, end, topPx + m.lockLineEndY);
      lockFrom = -1;
    }
    if (holds && lockFrom < 0) {
      lockFrom = Math.max(0, x0[i]!);
      c.seen |= Seen.holdsLock;
    }
    end = x1[i]!;
  }
  if (top !== undefined) paintTop(c, top, topFrom, end);
  if (lockFrom >= 0) c.painter.rect(inks.lock, lockFrom, topPx + m.lockLineY, end, topPx + m.lockLineEndY);
}

function paintTop(c: LaneContext, ink: Ink, x0: number, x1: number): void {
  const { metrics: m, topPx } = c;
  const isRibbon = ink === c.inks.boost;
  c.seen |= isRibbon ? Seen.boosted : Seen.realTime;
  c.painter.rect(ink, x0, topPx + (isRibbon ? m.ribbonY : m.combY), x1, topPx + (isRibbon ? m.ribbonEndY : m.combEndY));
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
