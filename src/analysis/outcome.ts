// What a run without findings has to tell: the longest wait for a lock that came to an end.

import type { ClearedWait } from '../explain/verdict_text.ts';
import type { RunResult } from './result.ts';

/** Longest slow-path call that ended, over all locks; undefined where nobody waited. The first of equals. */
export function longestClearedWait(result: RunResult): ClearedWait | undefined {
  let longest: ClearedWait | undefined;
  for (const lock of result.locks) {
    for (const call of lock.slow_path) {
      if (call.open || (longest !== undefined && call.wall_ns <= longest.waitedNs)) continue;
      longest = {
        lock: lock.name,
        waiter: call.thread,
        holder: call.holder ?? undefined,
        fromNs: call.start_ns,
        waitedNs: call.wall_ns,
      };
    }
  }
  return longest;
}
