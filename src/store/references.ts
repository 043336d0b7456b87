// The three published slow-path calls of story 1, and how the simulator is asked for the same calls.
// Numbers of the report: WPEWebKit pull request 1408, read off KernelShark, one call each.

import type { LockResult } from '../analysis/result.ts';
import type { SimulatedCall } from './aside_slice.ts';
import type { SettingValues } from './ports.ts';

/** Scenario of the library that makes one slow-path call of a given length. */
export const SLOW_PATH_SCENARIO = 'bmalloc-slow-path';

export interface PublishedCall {
  readonly backoff: string;
  readonly runtimeUs: number;
  readonly executionUs: number;
  readonly iterations: number;
  readonly executionPercent: number;
}

/** One published call, run again as one kind of thread. */
export interface Reference {
  readonly key: string;
  readonly published: PublishedCall;
  readonly as: string;
  readonly settings: SettingValues;
}

const YIELD: PublishedCall = {
  backoff: 'sched_yield',
  runtimeUs: 4538,
  executionUs: 4538,
  iterations: 1128,
  executionPercent: 100,
};
const USLEEP_125: PublishedCall = {
  backoff: 'usleep(125)',
  runtimeUs: 4230,
  executionUs: 172,
  iterations: 27,
  executionPercent: 4.089,
};
const USLEEP_150: PublishedCall = {
  backoff: 'usleep(150)',
  runtimeUs: 5830,
  executionUs: 223,
  iterations: 27,
  executionPercent: 3.818,
};

export const REFERENCES: readonly Reference[] = [
  {
    key: 'yield-rt',
    published: YIELD,
    as: 'as an RT thread',
    settings: { rt: 'on', backoff: 'yield', hold: '4538us' },
  },
  {
    key: 'usleep125-rt',
    published: USLEEP_125,
    as: 'as an RT thread',
    settings: { rt: 'on', backoff: 'usleep125', hold: '4230us' },
  },
  {
    key: 'usleep150-rt',
    published: USLEEP_150,
    as: 'as an RT thread',
    settings: { rt: 'on', backoff: 'usleep150', hold: '5830us' },
  },
  {
    key: 'usleep150-normal',
    published: USLEEP_150,
    as: 'nice 0: 50 µs timer slack',
    settings: { rt: 'off', backoff: 'usleep150', hold: '5830us' },
  },
];

/** The longest finished slow-path call of a result; undefined when there was none. */
export function longestCall(locks: readonly LockResult[]): SimulatedCall | undefined {
  let best: SimulatedCall | undefined;
  for (const call of locks.flatMap((lock) => lock.slow_path)) {
    if (call.open !== true && (best === undefined || call.wall_ns > best.wallNs))
      best = { wallNs: call.wall_ns, execNs: call.exec_ns, iterations: call.iterations };
  }
  return best;
}

/** The larger miss of turns and share of execution, as a signed ratio; the length of the call is given, not found. */
export function offBy(published: PublishedCall, simulated: SimulatedCall): number {
  const turns = simulated.iterations / published.iterations - 1;
  const share = (simulated.execNs / simulated.wallNs) * (100 / published.executionPercent) - 1;
  return Math.abs(turns) > Math.abs(share) ? turns : share;
}
