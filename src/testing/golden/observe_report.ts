// The text of `trace-cmd report -t` as an observation. The project's own reader of trace.dat will take this
// file's place; the observation stays.

import type { Ns } from '../../base/units.ts';
import { NS_PER_US } from '../../base/units.ts';
import type { LockCall, Mark, Observation, SleepSample, Stint, StintEnd, Wakeup } from './observation.ts';

interface ReportEvent {
  readonly pid: number;
  readonly cpu: number;
  readonly atNs: Ns;
  readonly event: string;
  readonly text: string;
}

/** The observation, and the instants on the guest's clock that the boot conditions are read from. */
export interface RecordedRun {
  readonly observation: Observation;
  /** The guest's monotonic clock at the workload's start. */
  readonly startNs: Ns;
  /** CPU on which each thread of the workload ran last before `settledNs`. */
  readonly cpuBefore: (settledNs: Ns) => Readonly<Record<string, number>>;
  readonly stopMark: boolean;
}

const LINE = /^\s*\S.*?-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}): (\w+):\s*(.*)$/;
const SWITCH = /^.*:(\d+) \[-?\d+\] (\S+) ==> .*:(\d+) \[-?\d+\]$/;

function parseLine(line: string): ReportEvent | undefined {
  const m = LINE.exec(line);
  if (m === null) return undefined;
  return {
    pid: Number(m[1]),
    cpu: Number(m[2]),
    // The two parts stay below 2^53 ns: guests run for minutes.
    atNs: Number(m[3]) * 1_000_000_000 + Number(m[4]),
    event: m[5] ?? '',
    text: m[6] ?? '',
  };
}

function endOf(state: string): StintEnd {
  if (state.startsWith('R')) return 'runnable';
  if (state === 'Z' || state === 'X') return 'exited';
  return 'sleeping';
}

function field(text: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(text)?.[1];
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

/** `report`: the output of `trace-cmd report -t`; `log`: what the program printed, '' where it printed nothing. */
export function observeReport(report: string, log: string): RecordedRun {
  const events: ReportEvent[] = [];
  for (const line of report.split('\n')) {
    const event = parseLine(line);
    if (event !== undefined) events.push(event);
  }
  const cpus = Number(/^cpus=(\d+)/m.exec(report)?.[1] ?? 1);
  const first = events.find((e) => e.event === 'print' && e.text.includes('lab: workload'));
  if (first === undefined) throw new Error('bug: the report must begin with the mark of its workload');
  const startNs = first.atNs;

  const names = new Map<number, string>();
  for (const e of events) {
    const m = /lab: thread (\S+) tid=(\d+)/.exec(e.text);
    if (e.event === 'print' && m !== null && !names.has(Number(m[2]))) names.set(Number(m[2]), m[1] ?? '');
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
    if (e.event === 'sched_switch') {
      const m = SWITCH.exec(e.text);
      if (m === null) throw new Error(`bug: a sched_switch must have this form: ${e.text}`);
      const prev = Number(m[1]);
      const next = Number(m[3]);
      const running = onCpu.get(e.cpu);
      const prevName = names.get(prev);
      if (prevName !== undefined) {
        // The first thread was on its CPU when the recording began.
        stints.push({
          thread: prevName,
          cpu: e.cpu,
          fromNs: running?.tid === prev ? running.fromNs : 0,
          toNs: atNs,
          endedBy: endOf(m[2] ?? ''),
        });
      }
      onCpu.set(e.cpu, { tid: next, fromNs: atNs });
      const nextName = names.get(next);
      const wokenNs = waking.get(next);
      if (nextName !== undefined && wokenNs !== undefined) {
        wakeups.push({ thread: nextName, atNs: wokenNs, latencyNs: atNs - wokenNs });
      }
      waking.delete(next);
      endNs = atNs;
    } else if (e.event === 'sched_waking') {
      const tid = Number(field(e.text, 'pid'));
      if (names.has(tid) && !waking.has(tid)) waking.set(tid, atNs);
    } else if (e.event === 'sched_pi_setprio') {
      const name = names.get(Number(field(e.text, 'pid'))) ?? '?';
      boosts.push(`${name} ${field(e.text, 'oldprio')}->${field(e.text, 'newprio')}`);
    } else if (e.event === 'print') {
      const text = /lab: (.*)$/.exec(e.text)?.[1];
      if (text === undefined) continue;
      endNs = Math.max(endNs, atNs);
      const thread = names.get(e.pid) ?? '?';
      marks.push({ atNs, thread, text });
      noteLock(calls, atNs, text);
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
  const iterations = field(text, 'iters');
  const counted = iterations === undefined ? {} : { iterations: Number(iterations) };
  const last = calls.findLastIndex((call) => call.thread === thread && call.lock === lock);
  const call = calls[last];
  if (m[1] === 'req') calls.push({ thread, lock, askedNs: atNs });
  else if (call === undefined) throw new Error(`bug: a lock must be asked for before: ${text}`);
  else if (m[1] === 'acq') calls[last] = { ...call, acquiredNs: atNs, ...counted };
  else if (m[1] === 'abort') calls[last] = { ...call, abortedNs: atNs, ...counted };
  else calls[last] = { ...call, releasedNs: atNs };
}
