// State of locks as plain data.

import type { Ns } from '../../base/units.ts';
import type { LockSpec } from '../../scenario/scenario.ts';
import type { Task } from '../task.ts';

/** One lock of the machine. What a kind does not use stays as it is at first. */
export interface Lock {
  readonly id: number;
  spec: LockSpec;
  owner: Task | undefined;
  heldSinceNs: Ns;
  /** Asleep in the kernel, in the order in which they are served. Reader-writer locks: the writers. */
  waiters: Task[];
  /** Order of queueing among equal keys. */
  nextWaitSeq: number;
  /** In the loop of a spin lock, or spinning for a kernel mutex, in order of arrival. */
  spinners: Task[];
  /** The one that makes the quick tries (oneSpinner). */
  quickSpinner: Task | undefined;
  /** adaptive: learning average of the tries that a contended call needed. */
  averageTries: number;
  /** pi: the owner was woken to take the lock and has not run since; until then a stronger one may take it. Its time limit. */
  heir: { readonly task: Task; readonly limitNs: Ns } | undefined;
  /** kernel: the first waiter has lost the lock once; the next release hands it over. */
  mustHandOff: boolean;
  /** sem: its value. */
  value: number;
  /** cond: waiters that came after the last signal found the older ones gone. */
  newcomers: Task[];
  /** rw. */
  readonly rw: RwState;
}

export interface RwState {
  /** How often it is held for reading. */
  readers: number;
  waitingReaders: Task[];
  /** The writer that gets the lock when the last reader leaves. */
  primary: Task | undefined;
  /** Released to some writer: readers stay out until one has taken it. */
  forWriter: boolean;
}

export function createLock(id: number, spec: LockSpec): Lock {
  return {
    id,
    spec,
    owner: undefined,
    heldSinceNs: 0,
    waiters: [],
    nextWaitSeq: 0,
    spinners: [],
    quickSpinner: undefined,
    averageTries: 0,
    heir: undefined,
    mustHandOff: false,
    value: spec.kind === 'sem' ? spec.initial : 0,
    newcomers: [],
    rw: { readers: 0, waitingReaders: [], primary: undefined, forWriter: false },
  };
}
