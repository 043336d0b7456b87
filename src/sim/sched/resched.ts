// NEED_RESCHED: asking a CPU to pick anew. The switch itself follows when the CPU leaves what it is in.

import { touch } from '../clock.ts';
import type { Machine } from '../machine.ts';
import type { Rq } from '../rq.ts';

/** Sets NEED_RESCHED on `rq`. Source: core.c resched_curr. Fact 1.8. */
export function reschedCurr(m: Machine, rq: Rq): void {
  touch(m, rq);
  rq.needResched = true;
}
