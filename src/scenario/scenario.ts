// A resolved scenario: toggles applied, defaults filled, times in ns, every reference an index. It fully
// determines a run. The simulation reads this and nothing else.

import type { Ns } from '../base/units.ts';
import type { CpuId, LockId, TaskId } from '../trace/ids.ts';
import type { Policy } from '../trace/meta.ts';

export type KernelId = '6.1' | '6.6' | '6.12' | '7.2';

/** Costs in ns; whose time each is stands in the scenario format. */
export interface Costs {
  readonly contextSwitchNs: Ns;
  readonly wakeupNs: Ns;
  readonly wakeupIpiNs: Ns;
  readonly idleExitNs: Ns;
  readonly tickNs: Ns;
  readonly timerInterruptNs: Ns;
  readonly syscallNs: Ns;
  readonly migrationNs: Ns;
}

export interface Interrupt {
  readonly name: string;
  readonly cpu: CpuId;
  readonly periodNs: Ns;
  readonly runNs: Ns;
  /** Work that it leaves to the softirq of its CPU, after the hard part; 0: none. */
  readonly softirqNs: Ns;
  /** Semaphore that each firing posts, at the end of its softirq (of its hard part where it has none). */
  readonly post?: LockId;
}

export interface RtThrottling {
  readonly runtimeNs: Ns;
  readonly periodNs: Ns;
  readonly share: boolean;
  /** First expiry of the global period timer; undefined: it starts with the first RT enqueue. */
  readonly phaseNs?: Ns;
}

export interface FairServer {
  readonly runtimeNs: Ns;
  readonly periodNs: Ns;
}

export interface MachineSpec {
  /** 1..256 */
  readonly cpus: number;
  readonly kernel: KernelId;
  readonly hz: number;
  /** Instant of the first tick on every CPU. */
  readonly firstTickNs: Ns;
  /** undefined: the kernel's own; false: off. On 6.12 and 7.2 it throttles nothing. */
  readonly rtThrottling: RtThrottling | false;
  /** false where it is off or the kernel has none. */
  readonly fairServer: FairServer | false;
  readonly piReweight: boolean;
  /** What-if: a task blocked on a lock of kind `kernel` lends its scheduling context to the owner. Fact 6.13. */
  readonly proxyExecution: boolean;
  /** Each session is a group of weight 1024. Fact 11.4. */
  readonly autogroup: boolean;
  readonly tunableScaling: 'log' | 'none';
  /** By the kernel's own names; times in ns (sched_rr_timeslice_ms too). Only what the document sets. */
  readonly tunables: Readonly<Record<string, Ns>>;
  readonly features: Readonly<Record<string, boolean>>;
  readonly costs: Costs;
  readonly interrupts: readonly Interrupt[];
}

/** One failed turn of a spin lock's loop. `cost` is all its CPU time. */
export type Backoff =
  | { readonly kind: 'none'; readonly costNs: Ns }
  | { readonly kind: 'yield'; readonly costNs: Ns }
  | { readonly kind: 'sleep'; readonly forNs: Ns; readonly costNs: Ns }
  | {
      readonly kind: 'pause';
      readonly firstNs: Ns;
      readonly factor: number;
      readonly maxNs: Ns;
      readonly steps: number;
      readonly then: Backoff;
    }
  | { readonly kind: 'park' };

export type LockSpec = { readonly name: string; readonly marks: boolean } & (
  | { readonly kind: 'futex' }
  /** Tries up to min(spins, 2 * average + 10) times first. Fact 6.9. */
  | { readonly kind: 'adaptive'; readonly spins: number }
  | { readonly kind: 'pi' }
  /** rtPrio held from lock to unlock, 1..99. Fact 6.10. */
  | { readonly kind: 'protect'; readonly ceiling: number }
  | { readonly kind: 'handoff' }
  | { readonly kind: 'kernel' }
  | { readonly kind: 'rw'; readonly prefer: 'readers' | 'writers' }
  | { readonly kind: 'sem'; readonly initial: number }
  | { readonly kind: 'cond'; readonly requeue: boolean }
  | { readonly kind: 'barrier'; readonly parties: number }
  | {
      readonly kind: 'spin';
      readonly tries: number;
      readonly tryNs: Ns;
      readonly oneSpinner: boolean;
      readonly backoff: Backoff;
    }
);

/** A span of time that is fixed or drawn anew each time. */
export type Duration =
  | number
  | { readonly uniform: readonly [Ns, Ns] }
  | { readonly oneOf: readonly Ns[] }
  /** Mean. */
  | { readonly exponential: Ns }
  /** Mean and standard deviation; draws below 0 count as 0. */
  | { readonly normal: readonly [Ns, Ns] }
  /** exp(normal(ln median, sigma)), cut at maxNs. sigma in thousandths, an integer. */
  | { readonly lognormal: { readonly medianNs: Ns; readonly sigmaMilli: number; readonly maxNs: Ns } };

/** Steps of a program, names resolved to ids. `path` is the step's place in the document, for messages and tooltips. */
export type Step =
  /** clockReads: it reads its own CPU clock all the time, and each such call brings its account up to date. */
  | { readonly op: 'run'; readonly forNs: Duration | 'forever'; readonly clockReads?: true; readonly path: string }
  | { readonly op: 'runUntil'; readonly atNs: Ns; readonly path: string }
  | { readonly op: 'sleep'; readonly forNs: Duration; readonly path: string }
  | { readonly op: 'sleepUntil'; readonly atNs: Ns; readonly path: string }
  | { readonly op: 'period'; readonly everyNs: Ns; readonly path: string }
  | { readonly op: 'io'; readonly forNs: Duration; readonly path: string }
  | { readonly op: 'yield'; readonly path: string }
  | { readonly op: 'exit'; readonly path: string }
  | {
      readonly op: 'lock';
      readonly lock: LockId;
      readonly timeoutNs?: Duration;
      readonly else?: readonly Step[];
      readonly path: string;
    }
  | {
      readonly op: 'tryLock';
      readonly lock: LockId;
      readonly then: readonly Step[];
      readonly else: readonly Step[];
      readonly path: string;
    }
  | { readonly op: 'unlock'; readonly lock: LockId; readonly path: string }
  /** Shared lock of an rw lock; given back by 'unlock'. */
  | { readonly op: 'readLock'; readonly lock: LockId; readonly path: string }
  /** Semaphore down and up. */
  | { readonly op: 'wait'; readonly sem: LockId; readonly path: string }
  | { readonly op: 'post'; readonly sem: LockId; readonly path: string }
  /** Releases `lock`, sleeps until signalled, takes `lock` again. */
  | { readonly op: 'condWait'; readonly cond: LockId; readonly lock: LockId; readonly path: string }
  | { readonly op: 'signal'; readonly cond: LockId; readonly path: string }
  | { readonly op: 'broadcast'; readonly cond: LockId; readonly path: string }
  | { readonly op: 'barrier'; readonly barrier: LockId; readonly path: string }
  /** Claims that `do` ends within `withinNs` of the thread's present release (its start, or the last release of a `period`). */
  | { readonly op: 'deadlineAt'; readonly withinNs: Ns; readonly do: readonly Step[]; readonly path: string }
  | {
      readonly op: 'repeat';
      readonly times: number | 'forever' | { readonly untilNs: Ns };
      readonly do: readonly Step[];
      readonly path: string;
    }
  | { readonly op: 'set'; readonly set: AttrChange; readonly path: string }
  | { readonly op: 'fork'; readonly thread: number; readonly path: string }
  | { readonly op: 'mark'; readonly text: string; readonly path: string };

/** What a `set` step changes on its own thread. */
export interface AttrChange {
  readonly policy?: Policy;
  readonly rtPrio?: number;
  readonly nice?: number;
  readonly sliceNs?: Ns;
  readonly cpus?: readonly CpuId[];
  readonly timerSlackNs?: Ns;
  /** Of policy deadline. */
  readonly runtimeNs?: Ns;
  readonly deadlineNs?: Ns;
  readonly periodNs?: Ns;
}

/** Attributes that a forked thread may take over from its parent, by their names in the document. */
export type ForkKey =
  | 'policy'
  | 'priority'
  | 'nice'
  | 'slice'
  | 'cpus'
  | 'timerSlack'
  | 'group'
  | 'session'
  | 'rttimeLimit';

/** Parameters of SCHED_DEADLINE. 1.024 us <= runtime <= deadline <= period, period 100 us .. 2^22 us. Fact 5.1. */
export interface DlSpec {
  readonly runtimeNs: Ns;
  readonly deadlineNs: Ns;
  readonly periodNs: Ns;
}

/** A control group, or (autogroup) a session. Section 11 of the facts. */
export interface GroupSpec {
  readonly name: string;
  /** cpu.weight, 1..10000; 100 is a nice-0 thread's weight. */
  readonly weight: number;
  /** undefined: no quota. */
  readonly quotaNs?: Ns;
  readonly periodNs: Ns;
  readonly burstNs: Ns;
  /** Instant at which the first period begins (modulo periodNs). */
  readonly periodPhaseNs: Ns;
  /** cpu.idle: the group as a whole has the weight 3 of SCHED_IDLE. */
  readonly idle: boolean;
  /** Index into groups, always smaller than its own; -1: the root. */
  readonly parent: number;
}

export interface ThreadSpec {
  readonly name: string;
  /** Name before `count` gave it a suffix. */
  readonly baseName: string;
  readonly policy: Policy;
  /** 1..99 for fifo and rr, else 0. */
  readonly rtPrio: number;
  readonly nice: number;
  readonly sliceNs?: Ns;
  /** Only with policy deadline. */
  readonly dl?: DlSpec;
  /** Index into groups; undefined: the root. Where autogroup is on and the thread is in no group: its session's group. */
  readonly group?: number;
  readonly session?: string;
  /** RLIMIT_RTTIME: CPU time as a real-time task without sleeping after which it is killed. Fact 4.9. */
  readonly rttimeLimitNs?: Ns;
  /** Ascending, not empty, all < machine.cpus. */
  readonly allowedCpus: readonly CpuId[];
  readonly startCpu?: CpuId;
  readonly start: Ns | 'fork';
  readonly birth: 'settled' | 'new' | 'woken';
  /** undefined: 50 us while fair, 0 while real-time or deadline. */
  readonly timerSlackNs?: Ns;
  /** Only with start 'fork': what the document does not say, so that it is copied from the parent, weight included. */
  readonly inherits?: readonly ForkKey[];
  readonly program: readonly Step[];
}

/** The machine, locks and threads as they are from an instant on. The simulation takes over what differs. */
export interface SceneSpec {
  readonly machine: MachineSpec;
  /** Parents before children. With autogroup each session that is in use has one (named "session NAME"). */
  readonly groups: readonly GroupSpec[];
  readonly locks: readonly LockSpec[];
  readonly threads: readonly ThreadSpec[];
}

export interface Intervention {
  readonly atNs: Ns;
  /** For people: the settings it changes, e.g. { backoff: 'usleep150' }. */
  readonly set: Readonly<Record<string, string | number | boolean>>;
  readonly after: SceneSpec;
}

/** Comparison of a claim. */
export type ClaimTest =
  | { readonly test: 'is'; readonly value: number; readonly tolerance: number; readonly relative: boolean }
  | { readonly test: 'atLeast'; readonly value: number }
  | { readonly test: 'atMost'; readonly value: number }
  | { readonly test: 'never' };

/** A measure, parsed: name(args)@at. Times in ns, shares as ratios. */
export interface Measure {
  readonly name: string;
  readonly args: readonly string[];
  readonly atNs?: Ns;
  readonly text: string;
}

export interface Claim {
  readonly claim: string;
  readonly when: Readonly<Record<string, string | number | boolean>>;
  readonly betweenNs?: readonly [Ns, Ns];
  readonly measure: Measure;
  readonly test: ClaimTest;
}

export interface Note {
  readonly atNs: Ns;
  readonly thread?: TaskId;
  readonly text: string;
}

export interface View {
  readonly rangeNs?: readonly [Ns, Ns];
  readonly playheadNs?: Ns;
  /** Where markers A and B stand at first. */
  readonly markersNs?: readonly Ns[];
  /** Names of the lanes to show at first, in this order; undefined: all. */
  readonly lanes?: readonly string[];
  readonly notes: readonly Note[];
}

/** A switch or choice that the page offers for this scenario. */
export interface ToggleInfo {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly values: readonly string[];
  /** How the page calls a value, where it has a name of its own, e.g. usleep150: "usleep". */
  readonly valueLabels?: Readonly<Record<string, string>>;
  readonly default: string;
  /** The value in force. */
  readonly value: string;
  /** Some value of it adds or removes threads or locks, or builds another machine: that can't be done on the way. */
  readonly startOnly?: boolean;
}

export interface ParamInfo {
  readonly id: string;
  readonly label: string;
  /** The same unit as in the document: 'time' in ns, or a plain integer. */
  readonly unit: 'time' | 'integer';
  readonly default: number;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
}

export interface Scenario extends SceneSpec {
  readonly title: string;
  readonly summary: string;
  readonly source: string;
  readonly durationNs: Ns;
  /** 32-bit unsigned. */
  readonly seed: number;
  readonly interventions: readonly Intervention[];
  readonly claims: readonly Claim[];
  readonly toggles: readonly ToggleInfo[];
  readonly params: readonly ParamInfo[];
  /** Every setting in force, toggles, params and machine settings: what the result's `settings` shows. */
  readonly settings: Readonly<Record<string, string>>;
  /** Things that were accepted but mean nothing here, dropped CPUs and the like. */
  readonly notes: readonly string[];
  readonly view: View;
}
