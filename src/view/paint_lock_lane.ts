// A lock's lane: at the floor a bar in the holder's hue, above it one hatched line a waiter, in order of arrival.

import { NONE } from '../trace/ids.ts';
import { firstRowFrom, lastRowAt } from '../trace/lane_search.ts';
import { SegKind } from '../trace/segments.ts';
import type { HueInks } from './inks.ts';
import { labelSegment } from './label_segment.ts';
import { type LaneContext, threadInks, xOf } from './lane_context.ts';
import { Corner } from './painter.ts';
import { NO_SLOT, WAIT_LINE_PITCH_PX, waitSlots } from './wait_slots.ts';
import { walkLane } from './walk_lane.ts';

/** Where bar and lines stand in a lock's lane, CSS px from its top. The hit test asks the same. */
export interface LockGeometry {
  readonly barTopPx: number;
  readonly barEndPx: number;
  readonly pitchPx: number;
  readonly linePx: number;
}

export function lockGeometry(heightPx: number, most: number): LockGeometry {
  const s = heightPx >= 80 ? 2 : 1;
  const barEndPx = heightPx - 3 * s;
  const barTopPx = barEndPx - (heightPx < 36 ? 11 : 13) * s;
  const room = barTopPx - 4 * s;
  const pitchPx = Math.min(WAIT_LINE_PITCH_PX * s, most > 0 ? room / most : room);
  return { barTopPx, barEndPx, pitchPx, linePx: Math.min(3.6 * s, pitchPx * 0.8) };
}

export function paintLockLane(c: LaneContext, heightPx: number): void {
  const { dpr } = c.inks;
  const waits = waitSlots(c.frame.trace, c.laneId);
  const geometry = lockGeometry(heightPx, waits.most);
  c.fillY = c.topPx + Math.round(geometry.barTopPx * dpr);
  c.fillEndY = c.topPx + Math.round(geometry.barEndPx * dpr);
  walkLane(c, paintHeld);
  waits.laneIds.forEach((laneId, i) => {
    paintWaiter(c, geometry, laneId, waits.slots[i]!);
  });
}

function paintHeld(c: LaneContext, row: number, left: number, right: number): void {
  if (c.columns.kind[row] !== SegKind.held) return;
  const hue = threadInks(c, c.columns.who[row]!);
  const end = Math.max(left + 1, right - c.metrics.gapPx);
  c.painter.bar(hue.solid, left, c.fillY, end, c.fillEndY, c.metrics.radiusPx, Corner.both);
  labelSegment(c, row, left, right);
}

/** Lines narrower than a px at one place are drawn once: the next row looked at begins in the next px. */
function paintWaiter(c: LaneContext, geometry: LockGeometry, laneId: number, slots: Uint8Array): void {
  const lane = c.frame.trace.columns[laneId]!;
  const { dpr } = c.inks;
  const t1Ns = c.t0Ns + c.widthPx / c.pxPerNs;
  const hue = threadInks(c, c.frame.trace.lanes[laneId]!.task);
  let row = Math.max(0, lastRowAt(lane, c.fromNs));
  while (row < lane.count && lane.startNs[row]! < t1Ns) {
    const slot = slots[row]!;
    if (lane.who[row] === NONE || slot === NO_SLOT) {
      row++;
      continue;
    }
    const toNs = row + 1 < lane.count ? lane.startNs[row + 1]! : c.endNs;
    const x0 = Math.round(Math.max(-64, xOf(c, lane.startNs[row]!)));
    const x1 = Math.max(x0 + 1, Math.round(Math.min(c.widthPx + 64, xOf(c, toNs))));
    const y1 = c.topPx + Math.round((geometry.barTopPx - 1 - slot * geometry.pitchPx) * dpr);
    const y0 = y1 - Math.max(1, Math.round(geometry.linePx * dpr));
    if (lane.kind[row] === SegKind.spin) c.painter.rect(hue.fineSpin, x0, y0, x1, y1);
    else paintSleeper(c, hue, x0, y0, x1, y1);
    row = x1 - x0 > 1 ? row + 1 : Math.max(row + 1, firstRowFrom(lane, c.t0Ns + (x0 + 1) / c.pxPerNs));
  }
}

/** Who waits without spinning is a thin line: hatch means spin, everywhere. */
function paintSleeper(c: LaneContext, hue: HueInks, x0: number, y0: number, x1: number, y1: number): void {
  const thin = Math.max(1, Math.round((y1 - y0) * 0.4));
  const y = (y0 + y1 - thin) >> 1;
  c.painter.rect(hue.solid, x0, y, x1, y + thin);
}
