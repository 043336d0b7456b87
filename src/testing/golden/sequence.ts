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

/** Thread and whole ticks of each stint. */
function tokensOf(stints: readonly SequenceStint[]): string[] {
  return stints.map(([thread, lengthNs]) => `${thread} ${Math.round(lengthNs / TICK_NS)}`);
}

/** Insertions, deletions and replacements from `x` to `y`. O(|x| |y|). */
export function editDistance(x: readonly string[], y: readonly string[]): number {
  let above = y.map((_, j) => j + 1);
  above.unshift(0);
  x.forEach((word, i) => {
    const row = [i + 1];
    y.forEach((other, j) => {
      row.push(Math.min(row[j]! + 1, above[j + 1]! + 1, above[j]! + (word === other ? 0 : 1)));
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
    const x = tokensOf(a);
    const y = tokensOf(b);
    edits += editDistance(x, y);
    size += Math.max(x.length, y.length);
    const at = Array.from({ length: Math.max(x.length, y.length) }, (_, i) => i).find((i) => x[i] !== y[i]);
    if (first === '' && at !== undefined) {
      first = `first difference in ${k * 100} to ${(k + 1) * 100} ms: recorded ${stintText(a[at])}, simulated ${stintText(b[at])}`;
    }
  }
  return { share: size === 0 ? 1 : 1 - edits / size, first };
}

function stintText(stint: SequenceStint | undefined): string {
  if (stint === undefined) return 'none';
  const ms = (ns: Ns) => (ns / NS_PER_MS).toFixed(2);
  return `${stint[0]} ${ms(stint[1])} ms at ${ms(stint[2])} ms`;
}
