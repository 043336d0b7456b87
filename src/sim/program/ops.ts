// The instruction set: a thread's program as one flat array. Plain data, shared by all tasks of a thread.

import type { Ns } from '../../base/units.ts';
import type { AttrChange, Duration } from '../../scenario/scenario.ts';

/** One instruction. `path` is the step's place in the document. Jumps go to indices of the same array. */
export type Op =
  | { readonly op: 'run'; readonly forNs: Duration; readonly path: string }
  | { readonly op: 'runForever'; readonly path: string }
  | { readonly op: 'runUntil'; readonly atNs: Ns; readonly path: string }
  | { readonly op: 'sleep'; readonly forNs: Duration; readonly path: string }
  | { readonly op: 'sleepUntil'; readonly atNs: Ns; readonly path: string }
  | { readonly op: 'period'; readonly everyNs: Ns; readonly path: string }
  | { readonly op: 'io'; readonly forNs: Duration; readonly path: string }
  | { readonly op: 'yield'; readonly path: string }
  | { readonly op: 'exit'; readonly path: string }
  /** elsePc: where a wait that timed out goes on. */
  | {
      readonly op: 'lock';
      readonly lock: number;
      readonly timeoutNs: Ns | undefined;
      readonly elsePc: number;
      readonly path: string;
    }
  | { readonly op: 'tryLock'; readonly lock: number; readonly elsePc: number; readonly path: string }
  | { readonly op: 'unlock'; readonly lock: number; readonly path: string }
  /** Sets counter to `times`; goes to endPc when there is nothing to do. */
  | {
      readonly op: 'repeatBegin';
      readonly counter: number;
      readonly times: number | 'forever';
      readonly untilNs: Ns | undefined;
      readonly endPc: number;
      readonly path: string;
    }
  | { readonly op: 'repeatEnd'; readonly counter: number; readonly beginPc: number; readonly path: string }
  | { readonly op: 'jump'; readonly pc: number; readonly path: string }
  | { readonly op: 'set'; readonly set: AttrChange; readonly path: string }
  | { readonly op: 'fork'; readonly thread: number; readonly path: string }
  | { readonly op: 'mark'; readonly text: string; readonly path: string };
