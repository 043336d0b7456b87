// Steps of a scenario -> instructions. Nested lists become jumps.

import { assertNever } from '../../base/assert.ts';
import type { Step } from '../../scenario/scenario.ts';
import { inOneShape, type Op } from './ops.ts';

interface Draft {
  ops: Op[];
  counters: number;
}

/** Compiles a program. The last instruction is always an exit: a program that ends, ends its task. O(steps). */
export function compileProgram(steps: readonly Step[]): readonly Op[] {
  const draft: Draft = { ops: [], counters: 0 };
  compileSteps(draft, steps);
  draft.ops.push({ op: 'exit', path: '' });
  return draft.ops.map(inOneShape);
}

function compileSteps(d: Draft, steps: readonly Step[]): void {
  for (const step of steps) compileStep(d, step);
}

function compileStep(d: Draft, step: Step): void {
  switch (step.op) {
    case 'run': {
      const clockReads = step.clockReads === true;
      d.ops.push(
        step.forNs === 'forever'
          ? { op: 'runForever', clockReads, path: step.path }
          : { op: 'run', forNs: step.forNs, clockReads, path: step.path },
      );
      return;
    }
    case 'runUntil':
    case 'sleep':
    case 'sleepUntil':
    case 'period':
    case 'io':
    case 'yield':
    case 'exit':
    case 'unlock':
    case 'readLock':
    case 'wait':
    case 'post':
    case 'condWait':
    case 'signal':
    case 'broadcast':
    case 'barrier':
    case 'set':
    case 'fork':
    case 'mark':
      d.ops.push(step);
      return;
    case 'lock':
      compileLock(d, step);
      return;
    case 'tryLock':
      compileTryLock(d, step);
      return;
    case 'repeat':
      compileRepeat(d, step);
      return;
    case 'deadlineAt':
      compileDeadline(d, step);
      return;
    default:
      assertNever(step);
  }
}

function compileLock(d: Draft, step: Extract<Step, { op: 'lock' }>): void {
  const at = d.ops.length;
  d.ops.push({ op: 'exit', path: step.path });
  let elsePc = at + 1;
  if (step.else !== undefined && step.else.length > 0) {
    const jumpAt = d.ops.length;
    d.ops.push({ op: 'exit', path: step.path });
    elsePc = d.ops.length;
    compileSteps(d, step.else);
    d.ops[jumpAt] = { op: 'jump', pc: d.ops.length, path: step.path };
  }
  d.ops[at] = { op: 'lock', lock: step.lock, timeoutNs: step.timeoutNs, elsePc, path: step.path };
}

function compileTryLock(d: Draft, step: Extract<Step, { op: 'tryLock' }>): void {
  const at = d.ops.length;
  d.ops.push({ op: 'exit', path: step.path });
  compileSteps(d, step.then);
  const jumpAt = d.ops.length;
  d.ops.push({ op: 'exit', path: step.path });
  const elsePc = d.ops.length;
  compileSteps(d, step.else);
  d.ops[jumpAt] = { op: 'jump', pc: d.ops.length, path: step.path };
  d.ops[at] = { op: 'tryLock', lock: step.lock, elsePc, path: step.path };
}

function compileDeadline(d: Draft, step: Extract<Step, { op: 'deadlineAt' }>): void {
  const counter = d.counters++;
  d.ops.push({ op: 'deadlineBegin', counter, path: step.path });
  compileSteps(d, step.do);
  d.ops.push({ op: 'deadlineEnd', counter, withinNs: step.withinNs, path: step.path });
}

function compileRepeat(d: Draft, step: Extract<Step, { op: 'repeat' }>): void {
  const counter = d.counters++;
  const at = d.ops.length;
  d.ops.push({ op: 'exit', path: step.path });
  compileSteps(d, step.do);
  d.ops.push({ op: 'repeatEnd', counter, beginPc: at, path: step.path });
  const endPc = d.ops.length;
  const untilNs = typeof step.times === 'object' ? step.times.untilNs : undefined;
  const times = typeof step.times === 'object' ? 'forever' : step.times;
  d.ops[at] = { op: 'repeatBegin', counter, times, untilNs, endPc, path: step.path };
}
