// stub replaced below
import type { Lock, Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';
import type { Task } from '../task.ts';
export interface VerdictTracker { placeholder: number }
export function createTracker(): VerdictTracker { return { placeholder: 0 }; }
export function noteSwitch(_m: Machine, _rq: Rq, _prev: Task | undefined, _next: Task | undefined): void {}
export function noteLockChanged(_m: Machine, _lock: Lock): void {}
export function finishVerdicts(_m: Machine): void {}

import type { Verdict } from '../../trace/verdicts.ts';
export function listVerdicts(_m: Machine): readonly Verdict[] { return []; }
