// task_struct as plain data: what the scheduler, the locks and the program know of one task.

import type { Stream } from '../base/prng.ts';
import type { Ns } from '../base/units.ts';
import type { ThreadSpec } from '../scenario/scenario.ts';
import type { Policy } from '../trace/meta.ts';
import { WaitReason } from '../trace/reasons.ts';
import { createDlEntity, type DlEntity } from './dl_entity.ts';
import { createEntity, type SchedEntity } from './entity.ts';
import type { LoadAverage } from './rq.ts';

/** Index into the table of classes; lower is stronger. */
export const ClassId = { dl: 0, rt: 1, fair: 2, idle: 3 } as const;
export type ClassId = (typeof ClassId)[keyof typeof ClassId];

/** What a task is doing, as far as the scheduler cares. */
export const TaskState = {
  /** Not started. */
  fresh: 0,
  /** On a run queue, or on its way to one (`waking`). */
  running: 1,
  sleeping: 2,
  blocked: 3,
  uninterruptible: 4,
  /** Woken for another CPU; arrives when the interrupt does. */
  waking: 5,
  dead: 6,
} as const;
export type TaskState = (typeof TaskState)[keyof typeof TaskState];

/** What the task does with the CPU when it has it. */
export const RunMode = {
  /** Its next step is due. */
  step: 0,
  /** Uses CPU until workLeftNs is 0. */
  work: 1,
  forever: 2,
  /** Uses CPU until the instant untilNs. */
  until: 3,
  /** In the loop of a spin lock; see spin* below. */
  spin: 4,
  /** Woken inside a lock operation that sleeps; tries again when it runs. */
  lockRetry: 5,
  /** Slept in a back-off while the lock's kind changed; begins its wait anew when it runs. */
  contendAnew: 6,
  /** Pauses and tries of an adaptive mutex. */
  pause: 7,
  /** Spins for a kernel mutex whose owner is on a CPU. */
  onOwner: 8,
  /** Waits for a condition, or was signalled; takes its mutex when it runs. */
  retake: 9,
} as const;
export type RunMode = (typeof RunMode)[keyof typeof RunMode];

/** Stage of a spin. */
export const SpinStage = {
  /** Quick tries before the loop. */
  quick: 0,
  /** Inside a turn of the loop: its attempt has failed, its cost is being paid. */
  turn: 1,
  /** An attempt is due as soon as the task runs. */
  attempt: 2,
} as const;
export type SpinStage = (typeof SpinStage)[keyof typeof SpinStage];

/** Attributes by policy: what sched_getattr and sched_getaffinity would tell. */
export interface Attributes {
  readonly policy: Policy;
  readonly rtPrio: number;
  readonly nice: number;
  readonly allowedCpus: readonly number[];
}

/** One task. All times ns; vruntime, deadline and lag in virtual ns. */
export interface Task {
  readonly id: number;
  readonly name: string;
  /** Index into scenario.threads. */
  readonly spec: number;
  /** Index into machine.groups; -1: the root. Scenario's group, or the session's where autogroup is on. */
  group: number;

  // Attributes: facts 1.3, 1.4.
  policy: Policy;
  rtPrio: number;
  nice: number;
  /** What the task deserves by policy: -1 deadline, 0..98 real-time, 100..139 fair. */
  normalPrio: number;
  /** After inheritance. */
  prio: number;
  classId: ClassId;
  /** allowed[cpu] is 1 where it may run. */
  allowed: Uint8Array<ArrayBuffer>;
  allowedCount: number;
  /** As it is now, and what it goes back to from a real-time policy. attrs.ts sets both. */
  timerSlackNs: Ns;
  defaultSlackNs: Ns;

  /** As it began, for the trace's table of tasks. */
  born: Attributes;

  // Where it is.
  state: TaskState;
  cpu: number;
  /** Queued, the current one of its CPU included; a delayed task too. */
  onRq: boolean;
  /** Is the current task of its CPU. */
  onCpu: boolean;
  /** CPU to which the stopper takes it at the next switch (its affinity changed while it ran); -1: none. */
  mustMoveTo: number;
  /** How much of a CPU it uses, 0..1024 (PELT's util_avg); kept where there are several CPUs. */
  readonly util: LoadAverage;
  /** How much of the time it is queued, 0..1024 (runnable_avg). */
  readonly runnable: LoadAverage;
  /** Last CPU that it ran on; -1 before its first run. */
  lastRanCpu: number;

  /** What the fair class knows of it; its clock (execStartNs, sumExecNs) serves every class. */
  readonly se: SchedEntity;
  /** Woken on another CPU than it slept on; until it is queued there. */
  wokeMigrated: boolean;
  /** WaitReason left by the rule that asked for the current task to be put off; `none` when no rule did. */
  offReason: number;

  /** What the deadline class knows of it. */
  readonly dl: DlEntity;

  // Real-time.
  /** RLIMIT_RTTIME; undefined: none. Fact 4.9. */
  rttimeLimitNs: Ns | undefined;
  /** Ticks that found it running as a real-time task since it last slept. */
  rttimeTicks: number;
  /** RR ticks left. */
  timeSliceTicks: number;

  // Program.
  pc: number;
  /** Rounds left per repeat of the program, by its counter index. */
  counters: number[];
  mode: RunMode;
  workLeftNs: Ns;
  /** In mode work or forever: it reads its own CPU clock all the time (clock_reads.ts). */
  readsClock: boolean;
  untilNs: Ns;
  /** CPU time that the machine charged to this task (switches, calls, interrupts) and that it has yet to pay. */
  debtNs: Ns;
  /** Steps made at one instant, to find a livelock. */
  stepsAtNs: Ns;
  stepsHere: number;
  /** Its first start; releases of `period` count from there. */
  firstStartNs: Ns;
  releases: number;
  /** Instant of its present release: its start, or the last release of a `period`. */
  releaseNs: Ns;
  /** It sleeps until its next release. */
  awaitsRelease: boolean;
  streams: Record<string, Stream>;

  // Timer: fires between soft and hard.
  timerSoftNs: Ns;
  timerHardNs: Ns;
  /** CPU whose timer queue holds it; -1: none. */
  timerCpu: number;

  // Locks.
  /** Locks that it holds, in order of taking. */
  held: number[];
  /** Lock that it waits for (spinning or blocked); -1: none. */
  waitsFor: number;
  /** Was granted the lock while it slept (direct hand-off). */
  granted: boolean;
  /** The time limit of its wait passed. */
  timedOut: boolean;
  /** Place in the queue that it waits in: key at the time of queueing, then order of arrival. */
  waitKey: number;
  waitSeq: number;
  /** Deadline that it queued with, of a deadline task at a PI lock; else 0. */
  waitDeadlineNs: Ns;
  /** Mutex that it takes again after its wait for a condition; -1: none. */
  condLock: number;
  /** Locks whose ceiling it has taken on, and its own real-time priority meanwhile. */
  ceilings: number[];
  ownRtPrio: number;
  /** Since when it waits. */
  waitSinceNs: Ns;
  /** Instant of a wait's time limit; Infinity: none. */
  waitUntilNs: Ns;
  /** Donor of its inherited priority; -1: none. */
  piTopTask: number;
  /** Ended by a deadlock that the kernel reported; waits for ever. */
  parked: boolean;

  // Spin.
  spinStage: SpinStage;
  /** Quick tries left. */
  spinTriesLeft: number;
  /** Cost of the present turn (or quick try) and how much of it is paid. */
  spinCostNs: Ns;
  spinPaidNs: Ns;
  /** Turns made in the growing pauses of the present back-off. */
  spinPauseStep: number;
  /** Failed attempts in the loop since the wait began. */
  spinIterations: number;
}

const FOREVER_NS = Number.POSITIVE_INFINITY;

/** A task as its thread begins: not started, no time used. */
export function createTask(id: number, name: string, spec: number, thread: ThreadSpec, cpus: number): Task {
  const allowed = new Uint8Array(cpus);
  for (const cpu of thread.allowedCpus) allowed[cpu] = 1;
  const task: Task = {
    id,
    name,
    spec,
    group: thread.group ?? -1,
    policy: thread.policy,
    rtPrio: thread.rtPrio,
    nice: thread.nice,
    normalPrio: 120,
    prio: 120,
    classId: ClassId.fair,
    allowed,
    allowedCount: thread.allowedCpus.length,
    timerSlackNs: 0,
    defaultSlackNs: 0,
    born: {
      policy: thread.policy,
      rtPrio: thread.rtPrio,
      nice: thread.nice,
      allowedCpus: thread.allowedCpus,
    },
    state: TaskState.fresh,
    cpu: thread.allowedCpus[0]!,
    onRq: false,
    onCpu: false,
    mustMoveTo: -1,
    util: { value: 0, atNs: 0 },
    runnable: { value: 0, atNs: 0 },
    lastRanCpu: -1,
    // Only now can the entity know its task.
    se: undefined as unknown as SchedEntity,
    dl: createDlEntity(),
    rttimeLimitNs: thread.rttimeLimitNs,
    rttimeTicks: 0,
    wokeMigrated: false,
    offReason: WaitReason.none,
    timeSliceTicks: 0,
    pc: 0,
    counters: [],
    mode: RunMode.step,
    workLeftNs: 0,
    readsClock: false,
    untilNs: 0,
    debtNs: 0,
    stepsAtNs: -1,
    stepsHere: 0,
    firstStartNs: 0,
    releases: 0,
    releaseNs: 0,
    awaitsRelease: false,
    streams: {},
    timerSoftNs: 0,
    timerHardNs: 0,
    timerCpu: -1,
    held: [],
    waitsFor: -1,
    granted: false,
    timedOut: false,
    waitKey: 0,
    waitSeq: 0,
    waitDeadlineNs: 0,
    condLock: -1,
    ceilings: [],
    ownRtPrio: 0,
    waitSinceNs: 0,
    waitUntilNs: FOREVER_NS,
    piTopTask: -1,
    parked: false,
    spinStage: SpinStage.quick,
    spinTriesLeft: 0,
    spinCostNs: 0,
    spinPaidNs: 0,
    spinPauseStep: 0,
    spinIterations: 0,
  };
  (task as { se: SchedEntity }).se = createEntity(task, undefined);
  return task;
}
