// The two deciding operands of a record: which pair of the side columns belongs to which row.

import type { RecordColumns } from './records.ts';
import { ownsOperands } from './records.ts';

/** What a rule compared. Their meaning follows from the record's reason (reasons.ts). */
export interface Operands {
  readonly x: number;
  readonly y: number;
}

/** Rows between two entries of the index: what a look-up has to count through. */
const STRIDE = 1024;

/** By columns: pairs before row k * STRIDE. Rows never change once written, so it only grows. */
const INDEXES = new WeakMap<RecordColumns, number[]>();

/** The operands of row `i`; undefined where its kind has none. O(1) but for rows that came since the last call. */
export function operandsOf(r: RecordColumns, i: number): Operands | undefined {
  const kind = r.kind[i];
  if (i >= r.count || kind === undefined || !ownsOperands(kind)) return undefined;
  const index = indexOf(r);
  const block = Math.floor(i / STRIDE);
  while (index.length <= block) {
    const from = (index.length - 1) * STRIDE;
    index.push(index[index.length - 1]! + operandsBefore(r.kind, from, from + STRIDE));
  }
  const pair = index[block]! + operandsBefore(r.kind, block * STRIDE, i);
  return { x: r.operands.x[pair]!, y: r.operands.y[pair]! };
}

/** How many of the rows [from, to) own a pair. */
export function operandsBefore(kind: Uint8Array, from: number, to: number): number {
  let pairs = 0;
  for (let i = from; i < to; i++) if (ownsOperands(kind[i]!)) pairs++;
  return pairs;
}

function indexOf(r: RecordColumns): number[] {
  let index = INDEXES.get(r);
  if (index === undefined) {
    index = [0];
    INDEXES.set(r, index);
  }
  return index;
}
