// What a run without findings has to tell: the longest waits for locks.

import type { LockWaitFact, RunFacts } from '../explain/verdict_text.ts';
import type { RunResult, SlowPathCall } from './result.ts';

/** Facts of a run for `describeOutcome`. Of equal waits the first of the document's locks counts. */
export function runFacts(result: RunResult, complete: boolean): RunFacts {
  return {
    endNs: result.duration_ns,
    complete,
    longestClearedWait: longestWait(result, (call) => call.open !== true),
    longestOpenWait: longestWait(result, (call) => call.open === true),
  };
}

function longestWait(result: RunResult, counts: (call: SlowPathCall) => boolean): LockWaitFact | undefined {
  let longest: LockWaitFact | undefined;
  for (const lock of result.locks) {
    for (const call of lock.slow_path) {
      if (!counts(call) || (longest !== undefined && call.wall_ns <= longest.waitedNs)) continue;
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
