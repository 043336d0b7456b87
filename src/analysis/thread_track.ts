// One thread's states and numbers while records go by. build_result.ts feeds it; it knows no locks and no CPUs' sums.
// Spans (times, cpuTimeAt) count the part inside the window; events and samples count when they happen or end inside it.
// Hardware interrupts that hit a thread on its CPU are not its CPU time: it could run and does not, so they are runnable
// time (but no wait of their own: `longestWaitNs` counts stretches off the CPU).

import type { Ns } from '../base/units.ts';
import type { Costs } from '../scenario/scenario.ts';
import { NONE } from '../trace/ids.ts';
import type { IrqSource } from '../trace/meta.ts';
import { StopReason, WaitReason } from '../trace/reasons.ts';
import { PrevState } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import { addSample, createSamples, type Samples } from './distribution.ts';
import { irqTimeIn } from './irq_time.ts';
import { isInside, overlapNs, type Window } from './window.ts';

/** [instant, effective kernel prio, weight] from there on. */
export type PriorityStep = readonly [Ns, number, number];

/** State and sums of one thread. Mutable; owned by the builder. */
export interface ThreadTrack {
  kind: SegKind;
  sinceNs: Ns;
  onCpu: boolean;
  /** CPU that it is on, or ran on last; NONE before its first run. */
  cpu: number;
  /** Interrupts of the CPU that it is on, or was on last. */
  irqSources: readonly IrqSource[];
  /** Softirq work that took its CPU in the present state. */
  softirqNs: Ns;
  spinning: boolean;
  /** What the next switch-out leads to, said by a taskState record of the same instant. */
  nextKind: SegKind | undefined;
  nextReason: number;
  nextAtNs: Ns;
  /** Finished time by SegKind; the open stretch is added by `closeTrack`. */
  readonly timesNs: Float64Array<ArrayBuffer>;
  switchedInNs: Ns;
  /** Cost of the present stint's context switch, and that of finished stints inside the window. */
  switchCostNs: Ns;
  doneSwitchCostNs: Ns;
  /** NONE where it is not on its way from waking to running. */
  wakingNs: Ns;
  /** Start of the present stretch of runnable or throttled; NONE else. */
  waitSinceNs: Ns;
  longestWaitNs: Ns;
  /** Start of the sleep step that has not ended; NONE else. */
  sleepStepNs: Ns;
  /** Start of each sleep of a `period` step; its release follows by arithmetic. */
  readonly periodSleepsNs: Samples;
  /** Ends of `deadlineAt` steps inside the window that came too late. */
  deadlineMisses: number;
  firstAliveNs: Ns;
  finishedNs: Ns | undefined;
  switches: number;
  preemptions: number;
  migrations: number;
  wakeups: number;
  readonly wakeupLatency: Samples;
  readonly sleepTime: Samples;
  readonly stint: Samples;
  /** Of the whole run, whatever the window. */
  readonly priority: PriorityStep[];
}

export function createThreadTrack(): ThreadTrack {
  return {
    kind: SegKind.absent,
    sinceNs: 0,
    onCpu: false,
    cpu: NONE,
    irqSources: [],
    softirqNs: 0,
    spinning: false,
    nextKind: undefined,
    nextReason: 0,
    nextAtNs: 0,
    timesNs: new Float64Array(16),
    switchedInNs: 0,
    switchCostNs: 0,
    doneSwitchCostNs: 0,
    wakingNs: NONE,
    waitSinceNs: NONE,
    longestWaitNs: 0,
    sleepStepNs: NONE,
    periodSleepsNs: createSamples(),
    deadlineMisses: 0,
    firstAliveNs: NONE,
    finishedNs: undefined,
    switches: 0,
    preemptions: 0,
    migrations: 0,
    wakeups: 0,
    wakeupLatency: createSamples(),
    sleepTime: createSamples(),
    stint: createSamples(),
    priority: [],
  };
}

/** CPU time inside the window from the start of the run to `atNs`, running and spinning. */
export function cpuTimeAt(track: ThreadTrack, window: Window, atNs: Ns): Ns {
  const openNs = track.onCpu ? overlapNs(window, track.sinceNs, atNs) - irqNsSince(track, window, atNs) : 0;
  return track.timesNs[SegKind.run]! + track.timesNs[SegKind.spin]! + openNs;
}

/**
 * CPU time as `cpuTimeAt`, without what the machine spent on switching the thread in: what its program used. The
 * switch is the thread's time in its sums, but no part of a call that it makes ("`contextSwitch` is the machine's").
 */
export function ownTimeAt(track: ThreadTrack, window: Window, atNs: Ns): Ns {
  return cpuTimeAt(track, window, atNs) - track.doneSwitchCostNs - openSwitchCost(track, window, atNs);
}

function openSwitchCost(track: ThreadTrack, window: Window, atNs: Ns): Ns {
  if (!track.onCpu || track.switchCostNs === 0) return 0;
  return overlapNs(window, track.switchedInNs, Math.min(track.switchedInNs + track.switchCostNs, atNs));
}

/** schedWaking: something wakes it. A second waking before it runs changes nothing. */
export function onWaking(track: ThreadTrack, window: Window, atNs: Ns): void {
  if (isInside(window, atNs)) track.wakeups++;
  if (!track.onCpu && track.wakingNs === NONE) track.wakingNs = atNs;
}

/** schedWakeup: it is queued, runnable from here. */
export function onWakeup(track: ThreadTrack, window: Window, atNs: Ns): void {
  if (track.onCpu || track.kind === SegKind.runnable) return;
  enter(track, window, SegKind.runnable, WaitReason.none, atNs);
}

/** taskState: at once for a task off the CPU, else with the switch that follows at this instant. */
export function onTaskState(track: ThreadTrack, window: Window, kind: SegKind, reason: number, atNs: Ns): void {
  if (!track.onCpu) {
    enter(track, window, kind, reason, atNs);
    return;
  }
  track.nextKind = kind;
  track.nextReason = reason;
  track.nextAtNs = atNs;
}

/** spinState: on its CPU it changes its segment, off the CPU only what the next one will be. */
export function onSpinState(track: ThreadTrack, window: Window, spinning: boolean, atNs: Ns): void {
  track.spinning = spinning;
  if (track.onCpu) enter(track, window, spinning ? SegKind.spin : SegKind.run, 0, atNs);
}

/** schedSwitch, as the next task; `irqSources` are those of the CPU, `costs` is what the machine charges for it. */
export function onSwitchedIn(
  track: ThreadTrack,
  window: Window,
  cpu: number,
  irqSources: readonly IrqSource[],
  costs: Costs,
  atNs: Ns,
): void {
  enter(track, window, track.spinning ? SegKind.spin : SegKind.run, 0, atNs);
  track.onCpu = true;
  track.irqSources = irqSources;
  track.switchCostNs = costs.contextSwitchNs;
  track.switchedInNs = atNs;
  track.nextKind = undefined;
  const counts = isInside(window, atNs);
  if (counts) track.switches++;
  if (track.wakingNs !== NONE) {
    if (counts) addSample(track.wakeupLatency, atNs - track.wakingNs);
    track.wakingNs = NONE;
  }
  if (track.sleepStepNs !== NONE) {
    if (counts) addSample(track.sleepTime, atNs - track.sleepStepNs + returnCost(track, cpu, costs));
    track.sleepStepNs = NONE;
  }
  track.cpu = cpu;
}

/** What a thread pays between its switch-in and the end of its sleep step: the switch, the call, and the move to another CPU. */
function returnCost(track: ThreadTrack, cpu: number, costs: Costs): Ns {
  const moved = track.cpu !== NONE && track.cpu !== cpu;
  return costs.contextSwitchNs + costs.syscallNs + (moved ? costs.migrationNs : 0);
}

/** schedSwitch, as the previous task. `prevState` decides where no taskState record did. */
export function onSwitchedOut(track: ThreadTrack, window: Window, prevState: number, atNs: Ns): void {
  const told = track.nextKind !== undefined && track.nextAtNs === atNs;
  const kind = told ? track.nextKind! : kindOfPrevState(prevState);
  const reason = told ? track.nextReason : 0;
  const counts = isInside(window, atNs);
  if (counts && track.onCpu) addSample(track.stint, atNs - track.switchedInNs);
  if (counts && isWaiting(kind) && reason !== WaitReason.yielded) track.preemptions++;
  track.doneSwitchCostNs += openSwitchCost(track, window, atNs);
  enter(track, window, kind, reason, atNs);
  track.onCpu = false;
  track.nextKind = undefined;
}

/** taskExit. Its last switch-out follows when it is on a CPU. */
export function onExit(track: ThreadTrack, window: Window, atNs: Ns): void {
  track.finishedNs = atNs;
  if (!track.onCpu) enter(track, window, SegKind.absent, StopReason.ended, atNs);
}

/** taskAttrs and schedPiSetprio: several at one instant count as the last of them. */
export function onPriority(track: ThreadTrack, prio: number, weight: number, atNs: Ns): void {
  const steps = track.priority;
  if (steps.at(-1)?.[0] === atNs) steps.pop();
  const last = steps.at(-1);
  if (last !== undefined && last[1] === prio && last[2] === weight) return;
  steps.push([atNs, prio, weight]);
}

/** Ends the open stretch at `endNs`; call once, after the last record. */
export function closeTrack(track: ThreadTrack, window: Window, endNs: Ns): void {
  enter(track, window, track.kind, 0, Math.max(endNs, track.sinceNs));
  noteWait(track, window, track.sinceNs);
}

function enter(track: ThreadTrack, window: Window, kind: SegKind, reason: number, atNs: Ns): void {
  const irqNs = track.onCpu ? irqNsSince(track, window, atNs) : 0;
  track.timesNs[track.kind]! += overlapNs(window, track.sinceNs, atNs) - irqNs;
  track.timesNs[SegKind.runnable]! += irqNs;
  if (kind !== SegKind.absent && track.firstAliveNs === NONE) track.firstAliveNs = atNs;
  if (isWaiting(kind)) {
    if (track.waitSinceNs === NONE) track.waitSinceNs = atNs;
  } else if (track.waitSinceNs !== NONE) {
    noteWait(track, window, atNs);
    track.waitSinceNs = NONE;
  }
  if (kind === SegKind.sleep && reason === StopReason.sleepStep) track.sleepStepNs = atNs;
  if (kind === SegKind.sleep && reason === StopReason.period) addSample(track.periodSleepsNs, atNs);
  if (kind === SegKind.absent) track.spinning = false;
  track.kind = kind;
  track.sinceNs = atNs;
  track.softirqNs = 0;
}

/** Interrupt time inside the window since the present state began, while it is on a CPU. */
function irqNsSince(track: ThreadTrack, window: Window, atNs: Ns): Ns {
  if (track.irqSources.length === 0) return track.softirqNs;
  return (
    track.softirqNs + irqTimeIn(track.irqSources, Math.max(track.sinceNs, window.fromNs), Math.min(atNs, window.toNs))
  );
}

function noteWait(track: ThreadTrack, window: Window, atNs: Ns): void {
  if (track.waitSinceNs === NONE) return;
  track.longestWaitNs = Math.max(track.longestWaitNs, overlapNs(window, track.waitSinceNs, atNs));
}

function isWaiting(kind: SegKind): boolean {
  return kind === SegKind.runnable || kind === SegKind.throttled;
}

function kindOfPrevState(prevState: number): SegKind {
  if (prevState === PrevState.runnable) return SegKind.runnable;
  if (prevState === PrevState.throttled) return SegKind.throttled;
  if (prevState & PrevState.exiting) return SegKind.absent;
  return prevState & (PrevState.blocked | PrevState.uninterruptible) ? SegKind.blocked : SegKind.sleep;
}
