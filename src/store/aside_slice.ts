// What runs aside in a worker of its own have found out: how each fix would end, and the published slow-path calls
// run again. Both are filled in one by one; an entry without an outcome is still to come.

import type { Ns } from '../base/units.ts';
import type { Outcome } from './outcome.ts';

/** One change that might clear the finding. */
export interface Fix {
  readonly setting: string;
  readonly value: string;
  /** `here`: an intervention at `FixList.atNs`. `start`: the machine is another one from the start. */
  readonly applies: 'here' | 'start';
  /** undefined: not run yet. */
  readonly outcome: Outcome | 'failed' | undefined;
}

export interface FixList {
  readonly atNs: Ns;
  readonly fixes: readonly Fix[];
}

/** One call of the slow path as the simulator makes it. */
export interface SimulatedCall {
  readonly wallNs: Ns;
  readonly execNs: Ns;
  readonly iterations: number;
}

export interface AsideSlice {
  /** undefined: the shown run has nothing to fix. */
  readonly fixList: FixList | undefined;
  /** By the key of the published row. */
  readonly references: Readonly<Record<string, SimulatedCall | 'failed'>>;
}

export function createAsideSlice(): AsideSlice {
  return { fixList: undefined, references: {} };
}
