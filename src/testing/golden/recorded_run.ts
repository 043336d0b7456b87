// Events of a recorded kernel as an observation, wherever they were read from.

import type { Ns } from '../../base/units.ts';
import { NS_PER_US } from '../../base/units.ts';
import type { LockCall, Mark, Observation, SleepSample, Stint, StintEnd, Wakeup } from './observation.ts';

/** What of a recording the observation is made of. Instants are those of the guest's monotonic clock. */
export type RecordedEvent = { readonly atNs: Ns; readonly cpu: number } & (
  | { readonly kind: 'switch'; readonly prev: number; readonly prevState: number; readonly next: number }
  | { readonly kind: 'waking'; readonly pid: number }
  | { readonly kind: 'boost'; readonly pid: number; readonly oldPrio: number; readonly newPrio: number }
  | { readonly kind: 'mark'; readonly pid: number; readonly text: string }
);

/** The observation, and the instants on the guest's clock that the boot conditions are read from. */
export interface RecordedRun {
  readonly observation: Observation;
  /** The guest's monotonic clock at the workload's start. */
  readonly startNs: Ns;
  /** CPU on which each thread of the workload ran last before `settledNs`. */
  readonly cpuBefore: (settledNs: Ns) => Readonly<Record<string, number>>;
  readonly stopMark: boolean;
}

/** Bits of `prev_state` that say how a thread left; those above say only that it was preempted. */
const STATE_MASK = 0xff;
const EXIT_DEAD = 0x10;
const EXIT_ZOMBIE = 0x20;

function endOf(prevState: number): StintEnd {
  const state = prevState & STATE_MASK;
  if (state === 0) return 'runnable';
  return state === EXIT_DEAD || state === EXIT_ZOMBIE ? 'exited' : 'sleeping';
}

/** Reads the program's own figures: `RES usleep fair req_us=125 min=181.6 p50=… max=…`. */
export function sleepsOfLog(log: string): SleepSample[] {
  const samples: SleepSample[] = [];
  for (const line of log.split('\n')) {
    const m = /^RES usleep (\S+) req_us=(\d+) min=(\S+) p50=(\S+) p90=\S+ p99=\S+ max=(\S+)/.exec(line);
    if (m === null) continue;
    const ns = (text: string | undefined) => Math.round(Number(text) * NS_PER_US);
    samples.push({ phase: `${m[1]}_${m[2]}`, n: 200, minNs: ns(m[3]), p50Ns: ns(m[4]), maxNs: ns(m[5]) });
  }
  return samples;
}

/** `events` in order of time; `log`: what the program printed, '' where it printed nothing. */
export function recordedRun(events: readonly RecordedEvent[], cpus: number, log: string): RecordedRun {
  const first = events.find((e) => e.kind === 'mark' && e.text.startsWith('workload'));
  if (first === undefined) throw new Error('bug: a recording must begin with the mark of its workload');
  const startNs = first.atNs;

  const names = new Map<number, string>();
  for (const e of events) {
    const m = e.kind === 'mark' ? /^thread (\S+) tid=(\d+)/.exec(e.text) : null;
    if (m !== null && !names.has(Number(m[2]))) names.set(Number(m[2]), m[1] ?? '');
  }

  const stints: Stint[] = [];
  const wakeups: Wakeup[] = [];
  const marks: Mark[] = [];
  const calls: LockCall[] = [];
  const boosts: string[] = [];
  const onCpu = new Map<number, { tid: number; fromNs: Ns }>();
  const waking = new Map<number, Ns>();
  let endNs = 0;

  for (const e of events) {
    const atNs = e.atNs - startNs;
    if (e.kind === 'switch') {
      const running = onCpu.get(e.cpu);
      const prevName = names.get(e.prev);
      if (prevName !== undefined) {
        // The first thread was on its CPU when the recording began.
        const fromNs = running?.tid === e.prev ? running.fromNs : 0;
        stints.push({ thread: prevName, cpu: e.cpu, fromNs, toNs: atNs, endedBy: endOf(e.prevState) });
      }
      onCpu.set(e.cpu, { tid: e.next, fromNs: atNs });
      const nextName = names.get(e.next);
      const wokenNs = waking.get(e.next);
      if (nextName !== undefined && wokenNs !== undefined) {
        wakeups.push({ thread: nextName, atNs: wokenNs, latencyNs: atNs - wokenNs });
      }
      waking.delete(e.next);
      endNs = atNs;
    } else if (e.kind === 'waking') {
      if (names.has(e.pid) && !waking.has(e.pid)) waking.set(e.pid, atNs);
    } else if (e.kind === 'boost') {
      boosts.push(`${names.get(e.pid) ?? '?'} ${e.oldPrio}->${e.newPrio}`);
    } else {
      endNs = Math.max(endNs, atNs);
      marks.push({ atNs, thread: names.get(e.pid) ?? '?', text: e.text });
      noteLock(calls, atNs, e.text);
    }
  }
  for (const [cpu, running] of onCpu) {
    const name = names.get(running.tid);
    if (name !== undefined) stints.push({ thread: name, cpu, fromNs: running.fromNs, toNs: endNs, endedBy: 'open' });
  }
  stints.sort((x, y) => x.fromNs - y.fromNs);

  return {
    observation: { cpus, endNs, stints, wakeups, marks, locks: calls, boosts, sleeps: sleepsOfLog(log) },
    startNs,
    cpuBefore: (settledNs) => {
      const last: Record<string, number> = {};
      for (const stint of stints) if (stint.fromNs < settledNs) last[stint.thread] = stint.cpu;
      return last;
    },
    stopMark: marks.some((mark) => mark.text === 'watchdog stop'),
  };
}

function noteLock(calls: LockCall[], atNs: Ns, text: string): void {
  const m = /^lock_(req|acq|rel|abort) (\S+) (\S+)/.exec(text);
  if (m === null) return;
  const thread = m[2] ?? '';
  const lock = m[3] ?? '';
  const iterations = /\siters=(\S+)/.exec(text)?.[1];
  const counted = iterations === undefined ? {} : { iterations: Number(iterations) };
  const last = calls.findLastIndex((call) => call.thread === thread && call.lock === lock);
  const call = calls[last];
  if (m[1] === 'req') calls.push({ thread, lock, askedNs: atNs });
  else if (call === undefined) throw new Error(`bug: a lock must be asked for before: ${text}`);
  else if (m[1] === 'acq') calls[last] = { ...call, acquiredNs: atNs, ...counted };
  else if (m[1] === 'abort') calls[last] = { ...call, abortedNs: atNs, ...counted };
  else calls[last] = { ...call, releasedNs: atNs };
}
