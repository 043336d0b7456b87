// A run for people: what it was, how it came out and why, the timeline, threads, locks, marks, claims and notes.

import { runFacts } from '../analysis/outcome.ts';
import type { LockResult, RunResult, SlowPathCall, ThreadResult } from '../analysis/result.ts';
import { formatDecimal, formatInt, formatMs, formatPercent, formatUs, NO_NUMBER } from '../base/format.ts';
import { capitalised, plain, say, toPlainText } from '../explain/parts.ts';
import { policyText } from '../explain/prio_text.ts';
import { describeOutcome, describeVerdict, type VerdictText } from '../explain/verdict_text.ts';
import type { Claim } from '../scenario/scenario.ts';
import type { TaskInfo } from '../trace/meta.ts';
import { claimLine } from './claim_text.ts';
import { harmless } from './problems_text.ts';
import type { RunOutput } from './simulate.ts';
import { tableText } from './text_table.ts';

/** Slow-path calls that are listed one by one. */
const MAX_CALLS = 10;
const MAX_MARKS = 30;

/** The report as one text. `timeline` is the drawing; empty where there is none. */
export function reportText(run: RunOutput, claims: readonly Claim[], timeline: string): string {
  const { result } = run;
  const sections = [
    headText(result),
    verdictText(run),
    timeline,
    threadsText(result.threads, run.sim.tasks),
    cpusText(result),
    ...result.locks.map(lockText),
    marksText(result),
    result.claims.length === 0
      ? ''
      : `Claims\n${result.claims.map((claim, i) => claimLine(claim, claims[i])).join('')}`,
    result.notes.length === 0 ? '' : `Notes\n${result.notes.map((note) => `- ${note}\n`).join('')}`,
  ];
  // What comes from a document is text: no control character of it reaches the terminal.
  return sections
    .filter((section) => section !== '')
    .map((section) => section.split('\n').map(harmless).join('\n'))
    .join('\n');
}

function headText(result: RunResult): string {
  const settings = Object.entries(result.settings).map(([id, value]) => `${id}=${value}`);
  return `${result.title}\n${settings.join(' ')}\n${ms(result.duration_ns)} simulated, ${plain(formatInt(result.events))} events, hash ${result.hash}\n`;
}

function verdictText(run: RunOutput): string {
  const { result, sim, verdicts } = run;
  const tables = { ...sim.meta, tasks: sim.tasks };
  const outcome = describeOutcome(tables, verdicts, runFacts(result, run.state === 'done'));
  const more = alsoLines(verdicts.slice(1).map((verdict) => describeVerdict(tables, verdict)));
  const because = outcome.because.map((clause) => `- ${toPlainText(capitalised(clause))}\n`);
  const head = say`${outcome.word}. ${outcome.sentence}`;
  return `${toPlainText(head)}\n${toPlainText(outcome.timeLine)}\n${because.join('')}${more.join('')}`;
}

/** The other findings, a line each; those that differ in their time only are told once. */
function alsoLines(texts: readonly VerdictText[]): readonly string[] {
  const times = new Map<string, string[]>();
  for (const text of texts) {
    const what = `Also: ${plain(text.word)}. ${toPlainText(text.sentence)}`;
    const timeLine = toPlainText(text.timeLine);
    const known = times.get(what);
    if (known === undefined) times.set(what, [timeLine]);
    else known.push(timeLine);
  }
  return [...times].map(([what, lines]) => {
    const more = lines.length - 1;
    return `${what} ${lines[0]}${more === 0 ? '' : ` And ${more === 1 ? 'once' : `${more} times`} more.`}\n`;
  });
}

function threadsText(threads: readonly ThreadResult[], tasks: readonly TaskInfo[]): string {
  const head = [
    'Thread',
    'Policy',
    'Share',
    'Running',
    'Spinning',
    'Runnable',
    'Blocked',
    'Sleeping',
    'Throttled',
    'Switches',
    'Longest wait',
  ];
  const rows = threads.map((thread, i) => {
    const info = tasks[i]!;
    return [
      thread.name,
      plain(policyText(info.policy, info.rtPrio, info.nice)),
      plain(formatPercent(thread.share, 2)),
      ...[
        thread.run_ns,
        thread.spin_ns,
        thread.runnable_ns,
        thread.blocked_ns,
        thread.sleep_ns,
        thread.throttled_ns,
      ].map(msNumber),
      plain(formatInt(thread.switches)),
      msNumber(thread.longest_wait_ns),
    ];
  });
  return `Threads (times in ms, share of one CPU)\n${tableText(head, rows, 'llrrrrrrrrr')}`;
}

function cpusText(result: RunResult): string {
  const rows = result.cpus.map((cpu) => [
    String(cpu.cpu),
    msNumber(cpu.busy_ns),
    msNumber(cpu.idle_ns),
    msNumber(cpu.irq_ns),
    plain(formatInt(cpu.switches)),
  ]);
  return `CPUs (ms)\n${tableText(['CPU', 'Busy', 'Idle', 'Interrupts', 'Switches'], rows, 'lrrrr')}`;
}

function lockText(lock: LockResult): string {
  const acquisitions = Object.entries(lock.acquisitions).map(([name, n]) => `${name} ${n}`);
  const holds = lock.hold_ns.max === null ? 'no hold ended' : `longest hold ${ms(lock.hold_ns.max)}`;
  const head = `Lock ${lock.name} (${lock.kind}): ${acquisitions.length === 0 ? 'nobody got it' : `got by ${acquisitions.join(', ')}`}; ${holds}\n`;
  if (lock.slow_path.length === 0) return head;
  const shown = [...lock.slow_path].sort((a, b) => b.wall_ns - a.wall_ns).slice(0, MAX_CALLS);
  const more = lock.slow_path.length - shown.length;
  const table = tableText(
    ['Slow path', 'From (ms)', 'Runtime (us)', 'Execution (us)', 'Iterations', 'Execution / runtime'],
    shown.map(callRow),
    'lrrrrr',
  );
  return `${head}${table}${more > 0 ? `and ${more} shorter calls\n` : ''}`;
}

function callRow(call: SlowPathCall): readonly string[] {
  return [
    call.thread + (call.open ? ' (never ends)' : ''),
    msNumber(call.start_ns),
    plain(formatUs(call.wall_ns)).replace(/ µs$/, ''),
    plain(formatUs(call.exec_ns)).replace(/ µs$/, ''),
    plain(formatInt(call.iterations)),
    call.exec_share === null ? NO_NUMBER : plain(formatPercent(call.exec_share, 2)),
  ];
}

function marksText(result: RunResult): string {
  if (result.marks.length === 0) return '';
  const shown = result.marks.slice(0, MAX_MARKS).map(([atNs, thread, text]) => [ms(atNs), thread, text]);
  const more = result.marks.length - shown.length;
  return `Marks\n${tableText(['Time', 'Thread', 'Mark'], shown, 'rll')}${more > 0 ? `and ${more} more\n` : ''}`;
}

function ms(ns: number): string {
  return plain(formatMs(ns));
}

function msNumber(ns: number): string {
  return plain(formatDecimal(ns / 1_000_000, 3));
}
