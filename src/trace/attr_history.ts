// How the attributes of one task changed: sparse, a row a change. For the ribbon of a thread's lane.

import { moveInto } from '../base/columns.ts';
import type { Ns } from '../base/units.ts';
import { NONE } from './ids.ts';

/** Columns sorted by tsNs; a row counts from its instant to the next row's. Readers see rows [0, count). */
export interface AttrColumns {
  count: number;
  tsNs: Float64Array<ArrayBuffer>;
  /** Effective kernel prio. */
  prio: Int16Array<ArrayBuffer>;
  /** Prio without inheritance. */
  normalPrio: Int16Array<ArrayBuffer>;
  /** Load weight; NONE where the trace does not say. */
  weight: Int32Array<ArrayBuffer>;
}

export function createAttrs(): AttrColumns {
  return withCapacity(2);
}

/** Adds a change. Several at one instant leave the last; one that changes nothing leaves no row. */
export function pushAttrs(attrs: AttrColumns, tsNs: Ns, prio: number, normalPrio: number, weight: number): void {
  if (attrs.count > 0 && attrs.tsNs[attrs.count - 1] === tsNs) attrs.count--;
  const last = attrs.count - 1;
  if (last >= 0 && attrs.prio[last] === prio && attrs.normalPrio[last] === normalPrio && attrs.weight[last] === weight)
    return;
  if (attrs.count === attrs.tsNs.length) grow(attrs);
  const at = attrs.count++;
  attrs.tsNs[at] = tsNs;
  attrs.prio[at] = prio;
  attrs.normalPrio[at] = normalPrio;
  attrs.weight[at] = weight;
}

/** Row in force at `tNs`; -1 before the first. O(log rows). */
export function attrRowAt(attrs: AttrColumns, tNs: Ns): number {
  let lo = 0;
  let hi = attrs.count;
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (attrs.tsNs[mid]! <= tNs) lo = mid + 1;
    else hi = mid;
  }
  return lo - 1;
}

/** Weight in force at the last row; NONE before the first. */
export function lastWeight(attrs: AttrColumns): number {
  return attrs.count === 0 ? NONE : attrs.weight[attrs.count - 1]!;
}

function grow(attrs: AttrColumns): void {
  moveInto(attrs, withCapacity(attrs.tsNs.length * 2));
}

function withCapacity(capacity: number): AttrColumns {
  return {
    count: 0,
    tsNs: new Float64Array(capacity),
    prio: new Int16Array(capacity),
    normalPrio: new Int16Array(capacity),
    weight: new Int32Array(capacity),
  };
}
