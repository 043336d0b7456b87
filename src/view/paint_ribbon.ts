// The priority ribbon of a thread that ever inherits: below its bar the effective priority as a step line (up is
// better), its own as a dashed one, the difference tinted, and in words what it inherited from whom.

import { type AttrColumns, attrRowAt } from '../trace/attr_history.ts';
import { NONE } from '../trace/ids.ts';
import { firstRecordFrom } from '../trace/query.ts';
import { RecordKind } from '../trace/records.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import { MIN_LABEL_PX, nextLabel } from './labels.ts';
import { type LaneContext, xOf } from './lane_context.ts';

/** Height that a ribbon adds to its lane, CSS px. */
export const RIBBON_PX = 24;
const LABEL_FONT_PX = 11;

interface Known {
  done: number;
  inherits: boolean;
  bestPrio: number;
  worstPrio: number;
}

const known = new WeakMap<AttrColumns, Known>();

/** Whether the task ever had a better priority than its own so far. Costs the changes that are new. */
export function inherits(trace: TraceStore, task: number): boolean {
  const attrs = trace.attrs[task];
  return attrs !== undefined && knownOf(attrs).inherits;
}

function knownOf(attrs: AttrColumns): Known {
  let seen = known.get(attrs);
  if (seen === undefined) {
    seen = { done: 0, inherits: false, bestPrio: Number.POSITIVE_INFINITY, worstPrio: Number.NEGATIVE_INFINITY };
    known.set(attrs, seen);
  }
  for (; seen.done < attrs.count; seen.done++) {
    const prio = attrs.prio[seen.done]!;
    const normalPrio = attrs.normalPrio[seen.done]!;
    if (prio < normalPrio) seen.inherits = true;
    seen.bestPrio = Math.min(seen.bestPrio, prio, normalPrio);
    seen.worstPrio = Math.max(seen.worstPrio, prio, normalPrio);
  }
  return seen;
}

/** Paints the ribbon of `task` over rows [topY, endY) device px of its lane. */
export function paintRibbon(c: LaneContext, task: number, topY: number, endY: number): void {
  const attrs = c.frame.trace.attrs[task];
  if (attrs === undefined || attrs.count === 0) return;
  const { bestPrio, worstPrio } = knownOf(attrs);
  const line = Math.max(1, Math.round(2 * c.inks.dpr));
  const range = Math.max(1, worstPrio - bestPrio);
  // The words stand between the two lines.
  const foot = endY - topY - line - Math.round(4 * c.inks.dpr);
  const yOf = (prio: number): number => Math.round(topY + ((prio - bestPrio) / range) * foot);
  const t1Ns = Math.min(c.endNs, c.t0Ns + c.widthPx / c.pxPerNs);
  let lastY = -1;
  for (let row = Math.max(0, attrRowAt(attrs, c.fromNs)); row < attrs.count && attrs.tsNs[row]! < t1Ns; row++) {
    const x0 = Math.max(-1, Math.round(xOf(c, attrs.tsNs[row]!)));
    const endNs = row + 1 < attrs.count ? attrs.tsNs[row + 1]! : c.endNs;
    const x1 = Math.min(c.widthPx + 1, Math.max(x0 + 1, Math.round(xOf(c, endNs))));
    const y = yOf(attrs.prio[row]!);
    const ownY = yOf(attrs.normalPrio[row]!);
    if (y < ownY) {
      c.painter.rect(c.inks.boostTint, x0, y, x1, ownY + line);
      c.painter.rect(c.inks.boostDash, x0, ownY, x1, ownY + Math.max(1, line >> 1));
      labelStep(c, attrs, task, row, x0, x1, topY, endY);
    }
    c.painter.rect(c.inks.boost, x0, y, x1, y + line);
    // The riser of the step.
    if (lastY >= 0 && lastY !== y)
      c.painter.rect(c.inks.boost, x0, Math.min(lastY, y), x0 + line, Math.max(lastY, y) + line);
    lastY = y;
  }
}

function labelStep(
  c: LaneContext,
  attrs: AttrColumns,
  task: number,
  row: number,
  x0: number,
  x1: number,
  topY: number,
  endY: number,
): void {
  const { dpr, tokens } = c.inks;
  if (x1 - x0 < MIN_LABEL_PX * dpr) return;
  const label = nextLabel(c.frame.labels);
  label.x0Px = x0 / dpr;
  label.x1Px = x1 / dpr;
  label.endPx = x1;
  label.topPx = topY / dpr;
  label.bottomPx = endY / dpr - 2;
  label.fontPx = LABEL_FONT_PX * Math.min(c.metrics.scale, 2);
  label.weight = 600;
  label.colour = tokens.boost;
  label.plate = '';
  label.fixed = false;
  label.centred = false;
  label.padPx = 6;
  label.forms = stepForms(c, attrs, task, row);
}

/** `120, from high (base 130), weight 110`, shortened from the end. */
function stepForms(c: LaneContext, attrs: AttrColumns, task: number, row: number): readonly string[] {
  const prio = String(attrs.prio[row]!);
  const base = `base ${attrs.normalPrio[row]!}`;
  const donor = donorAt(c.frame.trace, task, attrs.tsNs[row]!);
  const name = c.frame.taskNames[donor]?.[0];
  const forms =
    name === undefined
      ? [`${prio} (${base})`, prio]
      : [`${prio}, from ${name} (${base})`, `${prio}, from ${name}`, prio];
  const weight = attrs.weight[row]!;
  return weight === NONE ? forms : [`${forms[0]}, weight ${weight}`, ...forms];
}

/** Whose priority the task took over at that instant; NONE where the trace does not say. */
function donorAt(trace: TraceStore, task: number, atNs: number): number {
  const { tsNs, kind, task: tasks, c, count } = trace.records;
  for (let i = firstRecordFrom(trace, atNs); i < count && tsNs[i] === atNs; i++) {
    if (kind[i] === RecordKind.schedPiSetprio && tasks[i] === task) return c[i]!;
  }
  return NONE;
}
