// The instruction set: a thread's program as one flat array. Plain data, shared by all tasks of a thread.

import type { Ns } from '../../base/units.ts';
import type { AttrChange, Duration } from '../../scenario/scenario.ts';

/** One instruction. `path` is the step's place in the document. Jumps go to indices of the same array. */
export type Op =
  | { readonly op: 'run'; readonly forNs: Duration; readonly clockReads: boolean; readonly path: string }
  | { readonly op: 'runForever'; readonly clockReads: boolean; readonly path: string }
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
      readonly timeoutNs: Duration | undefined;
      readonly elsePc: number;
      readonly path: string;
    }
  | { readonly op: 'tryLock'; readonly lock: number; readonly elsePc: number; readonly path: string }
  | { readonly op: 'unlock'; readonly lock: number; readonly path: string }
  | { readonly op: 'readLock'; readonly lock: number; readonly path: string }
  | { readonly op: 'wait'; readonly sem: number; readonly path: string }
  | { readonly op: 'post'; readonly sem: number; readonly path: string }
  | { readonly op: 'condWait'; readonly cond: number; readonly lock: number; readonly path: string }
  | { readonly op: 'signal'; readonly cond: number; readonly path: string }
  | { readonly op: 'broadcast'; readonly cond: number; readonly path: string }
  | { readonly op: 'barrier'; readonly barrier: number; readonly path: string }
  /** Keeps the present release in `counter`; the end compares with it. */
  | { readonly op: 'deadlineBegin'; readonly counter: number; readonly path: string }
  | { readonly op: 'deadlineEnd'; readonly counter: number; readonly withinNs: Ns; readonly path: string }
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
  /** ksoftirqd: does softirq work, or sleeps. */
  | { readonly op: 'softirq'; readonly path: string }
  | { readonly op: 'fork'; readonly thread: number; readonly path: string }
  | { readonly op: 'mark'; readonly text: string; readonly path: string };

/** Every field that some instruction has, in one order. */
const ALL_FIELDS = {
  op: 'exit',
  path: '',
  forNs: undefined,
  atNs: undefined,
  everyNs: undefined,
  lock: undefined,
  timeoutNs: undefined,
  elsePc: undefined,
  sem: undefined,
  cond: undefined,
  barrier: undefined,
  counter: undefined,
  withinNs: undefined,
  times: undefined,
  untilNs: undefined,
  endPc: undefined,
  beginPc: undefined,
  pc: undefined,
  set: undefined,
  thread: undefined,
  text: undefined,
};

/** The same instruction as an object of the one shape that all share, so that the interpreter's reads are compiled for one. */
export function inOneShape(op: Op): Op {
  return Object.assign({ ...ALL_FIELDS }, op) as Op;
}

/** The program of every ksoftirqd; it never leaves its only instruction. */
export const KSOFTIRQD_PROGRAM: readonly Op[] = [inOneShape({ op: 'softirq', path: '' })];
