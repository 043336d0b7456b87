// RLIMIT_RTTIME: a task that runs at real-time priority for that long without sleeping is ended by SIGXCPU.
// Counted in ticks, checked at ticks. Source: rt.c watchdog, posix-cpu-timers.c check_thread_timers (v6.12). Fact 4.9.
// Not modelled: a handler for SIGXCPU, the hard limit.

import type { Ns } from '../../base/units.ts';
import { StopReason } from '../../trace/reasons.ts';
import { leaveSpin } from '../locking/spin.ts';
import { abandonWait } from '../locking/wait_records.ts';
import type { Machine } from '../machine.ts';
import { FindingKind, recordExit, recordFinding, SegKind } from '../recorder.ts';
import type { Rq } from '../rq.ts';
import { ClassId, type Task, TaskState } from '../task.ts';
import { blockCurrent } from './block.ts';

/** Ticks that the limit allows; the one after them ends the task. */
function allowedTicks(m: Machine, limitNs: Ns): number {
  return Math.ceil(limitNs / m.rules.tickNs);
}

/** The tick that would end the running `p`, where `nextTickNs` is the next one; undefined: none. */
export function rttimeTickNs(m: Machine, p: Task, nextTickNs: Ns): Ns | undefined {
  if (p.rttimeLimitNs === undefined) return undefined;
  const left = Math.max(0, allowedTicks(m, p.rttimeLimitNs) - p.rttimeTicks);
  return nextTickNs + left * m.rules.tickNs;
}

/** At a tick: ends the running real-time task that has used up its limit. */
export function enforceRttime(m: Machine, rq: Rq): void {
  const p = rq.curr;
  if (p === undefined || p.rttimeLimitNs === undefined || p.classId !== ClassId.rt) return;
  if (p.state !== TaskState.running || p.rttimeTicks <= allowedTicks(m, p.rttimeLimitNs)) return;
  const lock = p.waitsFor >= 0 ? m.locks[p.waitsFor] : undefined;
  if (lock !== undefined) {
    if (lock.spinners.includes(p)) leaveSpin(lock, p);
    abandonWait(m, lock, p);
  }
  recordFinding(
    m,
    p,
    FindingKind.rttimeKilled,
    `${p.name} is ended by SIGXCPU: it ran at real-time priority for longer than its RLIMIT_RTTIME without sleeping`,
  );
  for (const id of p.held) {
    const name = m.locks[id]!.spec.name;
    recordFinding(m, p, FindingKind.exitHolding, `${p.name} ends while it holds ${name}: nobody can release it`);
  }
  recordExit(m, p);
  blockCurrent(m, rq, p, TaskState.dead, SegKind.absent, StopReason.rttimeKilled, -1, -1);
}
