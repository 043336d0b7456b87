// The kernel's prio number from policy, rtPrio and nice, and what class a prio belongs to.

import type { TaskInfo } from './meta.ts';

/** Written in a prio column where no task is concerned (idle, free lock). */
export const PRIO_NONE = 140;

/** Kernel prio before inheritance: -1 deadline, 99 - rtPrio for fifo and rr, 120 + nice else. Source: kernel/sched/core.c, normal_prio(). */
export function normalPrioOf(task: Pick<TaskInfo, 'policy' | 'rtPrio' | 'nice'>): number {
  if (task.policy === 'deadline') return -1;
  if (task.policy === 'fifo' || task.policy === 'rr') return 99 - task.rtPrio;
  return 120 + task.nice;
}

/** True for prios that the real-time class runs (0..99; the kernel's rt_prio()). */
export function isRtPrio(prio: number): boolean {
  return prio >= 0 && prio < 100;
}
