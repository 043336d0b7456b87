// The same synthetic rows as objects, cloned: the obvious way to send a trace, as a yardstick for the real one.

import { createSynthetic, DEFAULT_SYNTHETIC, fillSynthetic } from '../../src/engine/synthetic.ts';

/** One segment as an object with the columns' names. */
export interface RowObject {
  readonly lane: number;
  readonly startNs: number;
  readonly kind: number;
  readonly flags: number;
  readonly who: number;
  readonly prio: number;
  readonly reason: number;
  readonly arg: number;
  readonly arg2: number;
}

const ROWS_PER_MESSAGE = 4096;

self.onmessage = (event: MessageEvent<number>) => {
  const source = createSynthetic({ ...DEFAULT_SYNTHETIC, rows: event.data });
  for (let more = true; more; ) {
    more = fillSynthetic(source, ROWS_PER_MESSAGE);
    const { rows } = source;
    const objects: RowObject[] = [];
    for (let i = 0; i < rows.count; i++) {
      objects.push({
        lane: rows.lane[i]!,
        startNs: rows.startNs[i]!,
        kind: rows.kind[i]!,
        flags: rows.flags[i]!,
        who: rows.who[i]!,
        prio: rows.prio[i]!,
        reason: rows.reason[i]!,
        arg: rows.arg[i]!,
        arg2: rows.arg2[i]!,
      });
    }
    rows.count = 0;
    self.postMessage(objects);
  }
  self.postMessage('end');
};
