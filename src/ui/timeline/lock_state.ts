// Who holds a lock and who waits for it at an instant, by name.

import type { Ns } from '../../base/units.ts';
import { NONE } from '../../trace/ids.ts';
import { stateAt } from '../../trace/query.ts';
import { SegKind } from '../../trace/segments.ts';
import type { TraceStore } from '../../trace/trace_store.ts';

export interface LockState {
  readonly holder: string | undefined;
  readonly waiters: readonly string[];
  /** Of the waiters: those that spin. */
  readonly spinners: number;
}

export function lockStateAt(trace: TraceStore, lock: number, atNs: Ns): LockState {
  let holder: string | undefined;
  const waiters: string[] = [];
  let spinners = 0;
  for (const lane of trace.lanes) {
    if (lane.subject !== lock || (lane.kind !== 'lock' && lane.kind !== 'lockWait')) continue;
    const segment = stateAt(trace, lane.id, atNs);
    if (segment === undefined || segment.who === NONE) continue;
    const name = trace.tasks[segment.who]?.name ?? '';
    if (lane.kind === 'lock') holder = name;
    else {
      waiters.push(name);
      if (segment.kind === SegKind.spin) spinners += 1;
    }
  }
  return { holder, waiters, spinners };
}
