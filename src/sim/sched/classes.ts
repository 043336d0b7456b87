// The table of classes, strongest first (fact 1.1). The idle class has no tasks: a CPU without `curr` is idle.

import { ClassId, type Task } from '../task.ts';
import type { SchedClass } from './class.ts';
import { dlClass } from './dl.ts';
import { fairClass } from './fair.ts';
import { rtClass } from './rt.ts';

/** The class that `p` belongs to now (a boost may change it). */
export function classOf(p: Task): SchedClass {
  if (p.classId === ClassId.dl) return dlClass;
  return p.classId === ClassId.rt ? rtClass : fairClass;
}
