// Whose or what colour a segment has: who on CPU and lock lanes, what on thread lanes, or what the user chose.

import { SegFlag, SegKind } from '../trace/segments.ts';
import type { HueInks } from './inks.ts';
import { type LaneContext, threadInks } from './lane_context.ts';

/** Hue of row `row`, whose kind is `kind`. */
export function hueOf(c: LaneContext, row: number, kind: number): HueInks {
  const byThread = c.kind !== 'thread';
  const rule = c.frame.hueBy === 'auto' ? (byThread ? 'thread' : 'state') : c.frame.hueBy;
  if (rule === 'class') return classInks(c, c.columns.flags[row]!);
  if (rule === 'state') return kind === SegKind.spin ? c.inks.spinState : c.inks.run;
  return threadInks(c, byThread ? c.columns.who[row]! : c.frame.trace.lanes[c.laneId]!.subject);
}

function classInks(c: LaneContext, flags: number): HueInks {
  if ((flags & SegFlag.dl) !== 0) return c.inks.threads[3]!;
  return (flags & SegFlag.rt) !== 0 ? c.inks.threads[1]! : c.inks.threads[0]!;
}
