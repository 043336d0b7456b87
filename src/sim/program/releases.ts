// Releases of periodic threads, and deadlines that are claimed of them. Misses are data: the run goes on.

import { formatShort } from '../../base/format.ts';
import type { Ns } from '../../base/units.ts';
import { StopReason } from '../../trace/reasons.ts';
import type { Machine } from '../machine.ts';
import { FindingKind, recordDeadlineEnd, recordFinding, recordRelease } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import type { Task } from '../task.ts';
import { sleepFor } from './sleep.ts';

/** `p`, running, waits for release start + k * period; one that is past already is missed, and `p` goes on at once. */
export function nextPeriod(m: Machine, rq: Rq, p: Task, everyNs: Ns): void {
  p.releases++;
  p.releaseNs = p.firstStartNs + p.releases * everyNs;
  if (p.releaseNs <= m.nowNs) {
    recordRelease(m, p, p.releases, p.releaseNs < m.nowNs);
    return;
  }
  p.awaitsRelease = true;
  sleepFor(m, rq, p, p.releaseNs - m.nowNs, StopReason.period);
}

/** The timer of a release has fired. */
export function noteRelease(m: Machine, p: Task): void {
  p.awaitsRelease = false;
  recordRelease(m, p, p.releases, false);
}

/** The steps of a `deadlineAt` ended; they had to by `dueNs`. */
export function endDeadline(m: Machine, p: Task, dueNs: Ns, withinNs: Ns): void {
  const lateNs = Math.max(0, m.nowNs - dueNs);
  recordDeadlineEnd(m, p, lateNs);
  if (lateNs > 0)
    recordFinding(m, p, FindingKind.deadlineMissed, `${p.name} misses its deadline of ${formatShort(withinNs)}`);
}
