import type { Machine } from '../machine.ts';
import type { Task } from '../task.ts';
export function noteLivelock(_m: Machine, _p: Task, _steps: number): void {}
