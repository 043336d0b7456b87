// sched_entity and cfs_rq as plain data: what the fair class queues, and the queues. A task is an entity; so is a
// group, once per CPU. Source: include/linux/sched.h, kernel/sched/sched.h (v6.12).

import type { Ns } from '../base/units.ts';
import type { Task } from './task.ts';

/** One entity. vruntime, deadline and lag in virtual ns. */
export interface SchedEntity {
  /** The task it stands for; undefined: a group on one CPU. */
  readonly task: Task | undefined;
  /** The queue of a group's entity (my_q); undefined: a task. */
  readonly groupQueue: CfsRq | undefined;
  /** Queue that it is on, or was on last. */
  cfsRq: CfsRq | undefined;
  /** SCHED_IDLE, or a group with cpu.idle. */
  idle: boolean;
  /** On `cfsRq`, the current one and a delayed one included. */
  onRq: boolean;
  weight: number;
  inverse: number;
  vruntime: number;
  deadline: number;
  /** V - v when it left the queue; while picked under RUN_TO_PARITY: a copy of the deadline. Fact 3.5. */
  vlag: number;
  /** 7.x: protected until vruntime reaches this. */
  vprot: number;
  sliceNs: Ns;
  customSlice: boolean;
  /** deadline is relative to vruntime while off the queue (PLACE_REL_DEADLINE). */
  relDeadline: boolean;
  /** Blocked but still queued until its lag is paid (DELAY_DEQUEUE). */
  schedDelayed: boolean;
  sumExecNs: Ns;
  prevSumExecNs: Ns;
  execStartNs: Ns;
  /** Order of queueing among equal keys. */
  queueSeq: number;
}

/**
 * cfs_rq of a CPU (the root) or of a group on a CPU. `queue` is the red-black tree as a sorted array: by vruntime
 * (CFS) or deadline (EEVDF), ties by time of queueing. Current is not in it.
 */
export interface CfsRq {
  readonly cpu: number;
  /** Index into machine.groups; -1: the root. */
  readonly group: number;
  /** The entity that stands for this queue in its parent's; undefined: the root. */
  entity: SchedEntity | undefined;
  queue: SchedEntity[];
  curr: SchedEntity | undefined;
  /** Queued entities, current and delayed ones included. */
  nrRunning: number;
  /** Of those, idle ones. */
  nrIdle: number;
  /** Tasks queued here and in groups below that are not throttled; delayed ones included. */
  hNrQueued: number;
  /** Of those, delayed ones: blocked, but not yet dequeued. */
  hNrDelayed: number;
  /** Sum of weights of all queued, current included. */
  loadWeight: number;
  minVruntime: number;
  /** EEVDF: sums over `queue` of w and w * (v - minVruntime). */
  avgLoad: number;
  avgVruntime: number;
  // CFS buddies.
  next: SchedEntity | undefined;
  last: SchedEntity | undefined;
  skip: SchedEntity | undefined;
  /** Quota: what this CPU has taken from the group's pool and not used. Meaningful where the group has a quota. */
  runtimeRemainingNs: Ns;
  /** Out of quota: its entity is off its parent's queue. */
  throttled: boolean;
  /** Throttled queues from here up to the root, this one included. */
  throttleCount: number;
}

/** An entity that is on no queue. */
export function createEntity(task: Task | undefined, groupQueue: CfsRq | undefined): SchedEntity {
  return {
    task,
    groupQueue,
    cfsRq: undefined,
    idle: false,
    onRq: false,
    weight: 1024,
    inverse: 4194304,
    vruntime: 0,
    deadline: 0,
    vlag: 0,
    vprot: 0,
    sliceNs: 0,
    customSlice: false,
    relDeadline: false,
    schedDelayed: false,
    sumExecNs: 0,
    prevSumExecNs: 0,
    execStartNs: 0,
    queueSeq: 0,
  };
}

/** An empty queue. */
export function createCfsRq(cpu: number, group: number): CfsRq {
  return {
    cpu,
    group,
    entity: undefined,
    queue: [],
    curr: undefined,
    nrRunning: 0,
    nrIdle: 0,
    hNrQueued: 0,
    hNrDelayed: 0,
    loadWeight: 0,
    minVruntime: 0,
    avgLoad: 0,
    avgVruntime: 0,
    next: undefined,
    last: undefined,
    skip: undefined,
    runtimeRemainingNs: 0,
    throttled: false,
    throttleCount: 0,
  };
}

/** The entity of the group that `se` is in, on the same CPU; undefined at the top. */
export function parentOf(se: SchedEntity): SchedEntity | undefined {
  return se.cfsRq === undefined ? undefined : se.cfsRq.entity;
}

/** The task that an entity stands for at present: itself, or what its group runs or would look at first. */
export function taskOf(se: SchedEntity): Task | undefined {
  let at: SchedEntity | undefined = se;
  while (at !== undefined && at.task === undefined) at = at.groupQueue!.curr ?? at.groupQueue!.queue[0];
  return at?.task;
}
