// How alike two sequences of stints are: who ran, and for how many ticks, by edit distance.

import type { Ns } from '../../base/units.ts';
import { NS_PER_MS } from '../../base/units.ts';
import { TICK_NS } from './recorded.ts';
import type { SequenceStint } from './summary.ts';

/** Both sequences begin anew that often, so that one odd stint does not shift all that follows. */
const ANCHOR_NS: Ns = 100 * NS_PER_MS;

export interface Likeness {
  /** 1: equal; 0: nothing in common. */
  readonly share: number;
  /** The first stint that differs, as text. */
  readonly first: string;
}

/** The same thread, for the same number of ticks: lengths less than half a tick apart, wherever the ticks lie. */
function sameStint(x: SequenceStint, y: SequenceStint): boolean {
  return x[0] === y[0] && 2 * Math.abs(x[1] - y[1]) < TICK_NS;
}

/** Insertions, deletions and replacements from `x` to `y`. O(|x| |y|). */
export function editDistance<T>(x: readonly T[], y: readonly T[], same: (a: T, b: T) => boolean): number {
  let above = y.map((_, j) => j + 1);
  above.unshift(0);
  x.forEach((word, i) => {
    const row = [i + 1];
    y.forEach((other, j) => {
      row.push(Math.min(row[j]! + 1, above[j + 1]! + 1, above[j]! + (same(word, other) ? 0 : 1)));
    });
    above = row;
  });
  return above[y.length]!;
}

/** Stints belong to the stretch of 100 ms in which they begin. Share = 1 - edits / stints of the longer side, over all stretches. */
export function sequenceLikeness(theirs: readonly SequenceStint[], ours: readonly SequenceStint[]): Likeness {
  const stretch = (stint: SequenceStint) => Math.floor(stint[2] / ANCHOR_NS);
  const last = Math.max(0, ...theirs.map(stretch), ...ours.map(stretch));
  let edits = 0;
  let size = 0;
  let first = '';
  for (let k = 0; k <= last; k++) {
    const a = theirs.filter((stint) => stretch(stint) === k);
    const b = ours.filter((stint) => stretch(stint) === k);
    const longer = Math.max(a.length, b.length);
    edits += editDistance(a, b, sameStint);
    size += longer;
    const at = Array.from({ length: longer }, (_, i) => i).find((i) => differ(a[i], b[i]));
    if (first === '' && at !== undefined) {
      first = `first difference in ${k * 100} to ${(k + 1) * 100} ms: recorded ${stintText(a[at])}, simulated ${stintText(b[at])}`;
    }
  }
  return { share: size === 0 ? 1 : 1 - edits / size, first };
}

function differ(x: SequenceStint | undefined, y: SequenceStint | undefined): boolean {
  return x === undefined || y === undefined || !sameStint(x, y);
}

function stintText(stint: SequenceStint | undefined): string {
  if (stint === undefined) return 'none';
  const ms = (ns: Ns) => (ns / NS_PER_MS).toFixed(2);
  return `${stint[0]} ${ms(stint[1])} ms at ${ms(stint[2])} ms`;
}
