// Records of a simulation as an observation.

import type { Ns } from '../../base/units.ts';
import { NONE } from '../../trace/ids.ts';
import { WakeReason } from '../../trace/reasons.ts';
import type { RecordColumns } from '../../trace/records.ts';
import { PrevState, RecordKind } from '../../trace/records.ts';
import type { LockCall, Mark, Observation, SleepSample, Stint, StintEnd, Wakeup } from './observation.ts';
import { nearestRank } from './summary.ts';

/** Marks around each sleep call in the documents: the program's own look at the clock. */
const BEFORE_SLEEP = 'before sleep';
const AFTER_SLEEP = 'after sleep';

/** What the records refer to. */
export interface RunTables {
  readonly cpus: number;
  readonly tasks: readonly { readonly name: string }[];
  readonly locks: readonly { readonly name: string }[];
  readonly texts: readonly string[];
}

function endOf(prevState: number): StintEnd {
  if (prevState === PrevState.runnable || prevState === PrevState.throttled) return 'runnable';
  return prevState === PrevState.exiting ? 'exited' : 'sleeping';
}

/** Takes records batch by batch, in order; `finish` gives the observation. */
export class RecordObserver {
  private readonly tables: () => RunTables;
  private readonly stints: Stint[] = [];
  private readonly wakeups: Wakeup[] = [];
  private readonly marks: Mark[] = [];
  private readonly calls: LockCall[] = [];
  private readonly boosts: string[] = [];
  private readonly onCpu = new Map<number, { task: number; fromNs: Ns }>();
  private readonly waking = new Map<number, Ns>();

  /** `tables` is asked anew each time: tasks and texts grow while the simulation runs. */
  constructor(tables: () => RunTables) {
    this.tables = tables;
  }

  add(r: RecordColumns): void {
    for (let i = 0; i < r.count; i++) {
      this.take(r.tsNs[i]!, r.kind[i]!, r.reason[i]!, r.cpu[i]!, r.task[i]!, r.a[i]!, r.b[i]!);
    }
  }

  finish(endNs: Ns): Observation {
    for (const [cpu, running] of this.onCpu) {
      if (running.task === NONE) continue;
      this.stints.push({
        thread: this.name(running.task),
        cpu,
        fromNs: running.fromNs,
        toNs: endNs,
        endedBy: 'open',
      });
    }
    this.stints.sort((x, y) => x.fromNs - y.fromNs);
    return {
      cpus: this.tables().cpus,
      endNs,
      stints: this.stints,
      wakeups: this.wakeups,
      marks: this.marks.filter((mark) => mark.text !== BEFORE_SLEEP && mark.text !== AFTER_SLEEP),
      locks: this.calls,
      boosts: this.boosts,
      sleeps: sleepsOf(this.marks),
    };
  }

  private take(tsNs: Ns, kind: number, reason: number, cpu: number, task: number, a: number, b: number): void {
    switch (kind) {
      case RecordKind.schedSwitch: {
        const running = this.onCpu.get(cpu);
        if (a !== NONE) {
          const fromNs = running?.task === a ? running.fromNs : 0;
          this.stints.push({ thread: this.name(a), cpu, fromNs, toNs: tsNs, endedBy: endOf(b) });
        }
        this.onCpu.set(cpu, { task, fromNs: tsNs });
        const wokenNs = this.waking.get(task);
        if (wokenNs !== undefined) {
          this.wakeups.push({ thread: this.name(task), atNs: wokenNs, latencyNs: tsNs - wokenNs });
          this.waking.delete(task);
        }
        break;
      }
      case RecordKind.schedWaking:
        // A thread's first wake-up is sched_wakeup_new in a recorded trace, which has no sched_waking.
        if (reason === WakeReason.fork || reason === WakeReason.start) break;
        if (!this.waking.has(task)) this.waking.set(task, tsNs);
        break;
      case RecordKind.schedPiSetprio:
        this.boosts.push(`${this.name(task)} ${a}->${b}`);
        break;
      case RecordKind.mark:
        this.marks.push({
          atNs: tsNs,
          thread: task === NONE ? '' : this.name(task),
          text: this.tables().texts[a] ?? '',
        });
        break;
      case RecordKind.lockWait:
        this.calls.push({ thread: this.name(task), lock: this.lock(a), askedNs: tsNs });
        break;
      case RecordKind.lockAcquire:
        if (b === 1) this.amend(task, a, { acquiredNs: tsNs });
        else this.calls.push({ thread: this.name(task), lock: this.lock(a), askedNs: tsNs, acquiredNs: tsNs });
        break;
      case RecordKind.lockAbort:
        this.amend(task, a, { abortedNs: tsNs });
        break;
      case RecordKind.lockRelease:
        this.amend(task, a, { releasedNs: tsNs });
        break;
      case RecordKind.spinCount:
        this.amend(task, a, { iterations: b });
        break;
      default:
        break;
    }
  }

  private amend(task: number, lock: number, change: Partial<LockCall>): void {
    const thread = this.name(task);
    const name = this.lock(lock);
    const last = this.calls.findLastIndex((call) => call.thread === thread && call.lock === name);
    const call = this.calls[last];
    if (call !== undefined) this.calls[last] = { ...call, ...change };
  }

  private name(task: number): string {
    return this.tables().tasks[task]?.name ?? `task ${task}`;
  }

  private lock(lock: number): string {
    return this.tables().locks[lock]?.name ?? `lock ${lock}`;
  }
}

/** Elapsed times between the marks around each sleep, by the phase that was on. The 101st of 200 is the program's `d[N / 2]`. */
function sleepsOf(marks: readonly Mark[]): SleepSample[] {
  const byPhase = new Map<string, Ns[]>();
  let phase = '';
  let before: Ns | undefined;
  for (const mark of marks) {
    if (mark.text.startsWith('phase ')) phase = mark.text.slice('phase '.length);
    else if (mark.text === BEFORE_SLEEP) before = mark.atNs;
    else if (mark.text === AFTER_SLEEP && before !== undefined) {
      const times = byPhase.get(phase) ?? [];
      times.push(mark.atNs - before);
      byPhase.set(phase, times);
      before = undefined;
    }
  }
  return [...byPhase].map(([name, times]) => {
    times.sort((x, y) => x - y);
    return {
      phase: name,
      n: times.length,
      minNs: times[0] ?? 0,
      p50Ns: nearestRank(times, 50.5),
      maxNs: times.at(-1) ?? 0,
    };
  });
}
