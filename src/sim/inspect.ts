// The state of the machine at one instant, for people: queues in order with the numbers that decide, locks, timers.

import { isPending } from '../base/indexed_heap.ts';
import type { Ns } from '../base/units.ts';
import { touch } from './clock.ts';
import type { CfsRq, SchedEntity } from './entity.ts';
import type { Machine } from './machine.ts';
import type { Rq } from './rq.ts';
import { classOf } from './sched/classes.ts';
import { avgVruntime, eligible } from './sched/fair_eevdf.ts';
import { ClassId, type Task } from './task.ts';

/** One entity of a fair queue: a thread, or a group. Virtual times in virtual ns. */
export interface EntityState {
  /** Thread; -1: a group. */
  readonly task: number;
  /** Group; -1: a thread. */
  readonly group: number;
  readonly isCurrent: boolean;
  readonly weight: number;
  readonly vruntime: number;
  /** EEVDF: virtual deadline, V - v, and whether v <= V. CFS: undefined. */
  readonly deadline: number | undefined;
  readonly lag: number | undefined;
  readonly eligible: boolean | undefined;
  readonly sliceNs: Ns;
  /** Blocked, but queued until its lag is paid. */
  readonly isDelayed: boolean;
}

/** A fair queue: of the CPU, or of a group on it. */
export interface FairQueueState {
  /** -1: the CPU's own. */
  readonly group: number;
  readonly minVruntime: number;
  /** EEVDF: V, rounded down. */
  readonly v: number | undefined;
  readonly load: number;
  /** Held up by a quota, its own or one above. */
  readonly isThrottled: boolean;
  /** Quota that this CPU has left of what it took; undefined: no quota. */
  readonly quotaLeftNs: Ns | undefined;
  /** In the order of the queue; the current one first. */
  readonly entities: readonly EntityState[];
}

export interface CpuState {
  readonly cpu: number;
  /** Running thread; -1: idle. */
  readonly current: number;
  /** Real-time threads queued, strongest first, the running one included. */
  readonly rt: readonly { readonly task: number; readonly prio: number }[];
  readonly isRtThrottled: boolean;
  readonly rtTimeNs: Ns;
  /** The CPU's own queue first, then its groups' that hold something. */
  readonly fair: readonly FairQueueState[];
}

export interface LockState {
  readonly lock: number;
  /** -1: free. */
  readonly holder: number;
  /** Sleepers in the order in which they are served. */
  readonly waiters: readonly number[];
  readonly spinners: readonly number[];
}

export interface TimerState {
  readonly task: number;
  readonly cpu: number;
  /** May fire between these instants. */
  readonly softNs: Ns;
  readonly hardNs: Ns;
}

/** Everything that decides what comes next, at one instant. Ids as in the trace. */
export interface MachineState {
  readonly nowNs: Ns;
  readonly cpus: readonly CpuState[];
  readonly locks: readonly LockState[];
  readonly timers: readonly TimerState[];
}

/** The state of `m` at `tNs`, accounted up to then. `m` must be a machine of the caller's own: it is changed by that. */
export function inspect(m: Machine, tNs: Ns): MachineState {
  m.nowNs = Math.max(m.nowNs, tNs);
  for (const rq of m.rqs) {
    touch(m, rq);
    if (rq.curr !== undefined) classOf(rq.curr).updateCurr(m, rq);
  }
  return {
    nowNs: m.nowNs,
    cpus: m.rqs.map((rq) => cpuState(m, rq)),
    locks: m.locks.map((lock) => ({
      lock: lock.id,
      holder: lock.owner?.id ?? -1,
      waiters: idsOf([...lock.waiters, ...lock.rw.waitingReaders]),
      spinners: idsOf(lock.spinners),
    })),
    timers: m.rqs.flatMap((rq) =>
      isPending(m.heap, rq.timerSlot) || rq.timers.length > 0
        ? rq.timers.map((p) => ({ task: p.id, cpu: rq.cpu, softNs: p.timerSoftNs, hardNs: p.timerHardNs }))
        : [],
    ),
  };
}

function idsOf(tasks: readonly Task[]): number[] {
  return tasks.map((p) => p.id);
}

function cpuState(m: Machine, rq: Rq): CpuState {
  const fair = [rq.cfs, ...m.groups.map((group) => group.cfsRqs[rq.cpu]!)];
  return {
    cpu: rq.cpu,
    current: rq.curr?.id ?? -1,
    rt: rq.rt.queue.map((p) => ({ task: p.id, prio: p.prio })),
    isRtThrottled: rq.rt.throttled,
    rtTimeNs: rq.rt.rtTimeNs,
    fair: fair.filter((cfs) => cfs.group < 0 || cfs.nrRunning > 0).map((cfs) => queueState(m, rq, cfs)),
  };
}

function queueState(m: Machine, rq: Rq, cfs: CfsRq): FairQueueState {
  const current = cfs.curr?.onRq === true ? [cfs.curr] : [];
  const quotaNs = cfs.group < 0 ? undefined : m.groups[cfs.group]!.bandwidth.quotaNs;
  return {
    group: cfs.group,
    minVruntime: cfs.minVruntime,
    v: m.rules.isEevdf ? avgVruntime(cfs) : undefined,
    load: cfs.loadWeight,
    isThrottled: cfs.throttleCount > 0,
    quotaLeftNs: quotaNs === undefined ? undefined : cfs.runtimeRemainingNs,
    entities: [...current, ...cfs.queue].map((se) => entityState(m, rq, cfs, se)),
  };
}

function entityState(m: Machine, rq: Rq, cfs: CfsRq, se: SchedEntity): EntityState {
  const { isEevdf } = m.rules;
  return {
    task: se.task?.id ?? -1,
    group: se.groupQueue?.group ?? -1,
    isCurrent: cfs.curr === se && rq.curr !== undefined && rq.curr.classId === ClassId.fair,
    weight: se.weight,
    vruntime: se.vruntime,
    deadline: isEevdf ? se.deadline : undefined,
    lag: isEevdf ? avgVruntime(cfs) - se.vruntime : undefined,
    eligible: isEevdf ? eligible(cfs, se) : undefined,
    sliceNs: se.sliceNs,
    isDelayed: se.schedDelayed,
  };
}
