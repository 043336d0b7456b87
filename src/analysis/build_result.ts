// Records in, result out: the streaming builder behind `--json`, the page's tables and the claims.
// One pass feeds the window that was asked for and one more per window that a claim names.

import type { Ns } from '../base/units.ts';
import { factClause } from '../explain/fact_text.ts';
import { toPlainText } from '../explain/parts.ts';
import type { Claim, Scenario } from '../scenario/scenario.ts';
import { NONE } from '../trace/ids.ts';
import type { TaskInfo, TraceMeta } from '../trace/meta.ts';
import type { RecordColumns } from '../trace/records.ts';
import { SegKind } from '../trace/segments.ts';
import type { Verdict } from '../trace/verdicts.ts';
import { type ClaimResult, holds } from './claims.ts';
import { summarise } from './distribution.ts';
import type { Call, LockTrack } from './lock_track.ts';
import { measureValue } from './measure.ts';
import { addToNumbers, closeNumbers, costsOf, createNumbers, type Numbers, windowLengthNs } from './numbers.ts';
import { missedOf, releasesOf } from './releases.ts';
import type { CpuResult, LockResult, RunResult, SlowPathCall, ThreadResult, VerdictResult } from './result.ts';
import { type RunTables, specOf } from './run_tables.ts';
import { isInside } from './window.ts';

export interface ResultBuilder {
  readonly scenario: Scenario;
  readonly meta: TraceMeta;
  readonly numbers: Numbers;
  readonly claims: readonly Claim[];
  /** Numbers of the claims' windows by `windowKey`; the whole run's are among them when a claim has no window of its own. */
  readonly byWindow: ReadonlyMap<string, Numbers>;
}

/** What the simulation knows at the end of the run. */
export interface RunEnd {
  /** Forked tasks included. */
  readonly tasks: readonly TaskInfo[];
  readonly texts: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly hash: string;
  readonly engine: string;
  readonly events: number;
  /** Instant up to which the run went: the scenario's duration unless a bound stopped it. */
  readonly endNs: Ns;
  /** Rows of `--segments`; absent where they were not asked for. */
  readonly segments?: RunResult['segments'];
  /** Notes of the run beyond the scenario's own, e.g. that a bound was reached. */
  readonly notes?: readonly string[];
}

/**
 * A builder for one run.
 *
 * @param window [from, to) that the result counts over; undefined: the whole run
 * @param claims what to check, usually `claimsInForce(document, scenario)`. Give `probesFor(claims, window)` to the simulation.
 */
export function createResultBuilder(
  scenario: Scenario,
  meta: TraceMeta,
  window?: readonly [Ns, Ns],
  claims: readonly Claim[] = [],
): ResultBuilder {
  const costs = costsOf(scenario);
  const numbers = createNumbers(meta, costs, window);
  const byWindow = new Map<string, Numbers>([[windowKey(window), numbers]]);
  for (const claim of claims) {
    const key = windowKey(claim.betweenNs);
    if (!byWindow.has(key)) byWindow.set(key, createNumbers(meta, costs, claim.betweenNs));
  }
  return { scenario, meta, numbers, claims, byWindow };
}

/** Feeds records in their order; any split into pieces gives the same result. O(rows x windows). */
export function addRecords(builder: ResultBuilder, records: RecordColumns): void {
  for (const numbers of builder.byWindow.values()) addToNumbers(numbers, records);
}

/** The result, exactly as `--json` prints it. Call once, after the last records. */
export function finishResult(builder: ResultBuilder, end: RunEnd): RunResult {
  for (const numbers of builder.byWindow.values()) closeNumbers(numbers, end.endNs, end.tasks.length);
  const { scenario, numbers } = builder;
  const tables: RunTables = { scenario, tasks: end.tasks, locks: builder.meta.locks, texts: end.texts };
  return {
    title: scenario.title,
    engine: end.engine,
    settings: scenario.settings,
    duration_ns: end.endNs,
    events: end.events,
    hash: end.hash,
    cpus: numbers.cpus.map(
      (cpu, i): CpuResult => ({
        cpu: i,
        busy_ns: cpu.busyNs,
        idle_ns: cpu.idleNs,
        irq_ns: cpu.irqNs,
        switches: cpu.switches,
      }),
    ),
    threads: end.tasks.map((_, task) => threadResult(numbers, tables, task)),
    locks: numbers.locks.map((lock, id) => lockResult(lock, id, tables)),
    ...(end.segments === undefined ? {} : { segments: end.segments }),
    verdicts: end.verdicts.map((verdict) => verdictResult(verdict, tables)),
    marks: numbers.marks.map((mark) => [mark.atNs, taskName(tables, mark.task), end.texts[mark.text] ?? ''] as const),
    notes: [...scenario.notes, ...(end.notes ?? []), ...findingNotes(numbers, tables)],
    claims: builder.claims.map((claim) => claimResult(claim, builder, tables, end.verdicts)),
  };
}

function windowKey(window: readonly [Ns, Ns] | undefined): string {
  return window === undefined ? '' : `${window[0]}-${window[1]}`;
}

function threadResult(numbers: Numbers, tables: RunTables, task: number): ThreadResult {
  const info = tables.tasks[task]!;
  const track = numbers.threads[task]!;
  const lengthNs = windowLengthNs(numbers);
  const runNs = track.timesNs[SegKind.run]!;
  const spinNs = track.timesNs[SegKind.spin]!;
  const releases = releasesOf(specOf(tables, task), track, numbers.window, numbers.endNs);
  const finished = track.finishedNs !== undefined && isInside(numbers.window, track.finishedNs);
  return {
    name: info.name,
    tid: info.tid,
    policy: info.policy,
    run_ns: runNs,
    spin_ns: spinNs,
    runnable_ns: track.timesNs[SegKind.runnable]!,
    blocked_ns: track.timesNs[SegKind.blocked]!,
    sleep_ns: track.timesNs[SegKind.sleep]!,
    throttled_ns: track.timesNs[SegKind.throttled]!,
    share: lengthNs === 0 ? 0 : (runNs + spinNs) / lengthNs,
    switches: track.switches,
    preemptions: track.preemptions,
    migrations: track.migrations,
    wakeups: track.wakeups,
    wakeup_latency_ns: summarise(track.wakeupLatency),
    sleep_time_ns: summarise(track.sleepTime),
    stint_ns: summarise(track.stint),
    longest_wait_ns: track.longestWaitNs,
    finished_ns: finished ? track.finishedNs! : null,
    releases: releases?.releases ?? null,
    missed: missedOf(specOf(tables, task), track, numbers.window, numbers.endNs) ?? null,
    priority: track.priority,
  };
}

function lockResult(lock: LockTrack, id: number, tables: RunTables): LockResult {
  const info = tables.locks[id]!;
  const byTask = [...lock.acquisitions].sort(([a], [b]) => a - b);
  return {
    name: info.name,
    kind: info.kind,
    // fromEntries defines keys as they are: a thread may be called __proto__.
    acquisitions: Object.fromEntries(byTask.map(([task, count]) => [taskName(tables, task), count])),
    wait_ns: summarise(lock.wait),
    hold_ns: summarise(lock.hold),
    slow_path: [...lock.calls]
      .sort((a, b) => a.startNs - b.startNs || a.task - b.task)
      .map((call) => callResult(call, tables)),
  };
}

function callResult(call: Call, tables: RunTables): SlowPathCall {
  return {
    thread: taskName(tables, call.task),
    start_ns: call.startNs,
    wall_ns: call.wallNs,
    exec_ns: call.execNs,
    iterations: call.iterations,
    exec_share: call.wallNs === 0 ? null : call.execNs / call.wallNs,
    holder: call.holder === NONE ? null : taskName(tables, call.holder),
    ...(call.open ? { open: true as const } : {}),
  };
}

function verdictResult(verdict: Verdict, tables: RunTables): VerdictResult {
  return {
    kind: verdict.kind,
    from_ns: verdict.fromNs,
    to_ns: verdict.toNs,
    threads: verdict.tasks.map((task) => taskName(tables, task)),
    locks: verdict.locks.map((lock) => tables.locks[lock]?.name ?? ''),
    because: verdict.facts.map((fact) => toPlainText(factClause(tables, fact))),
    forever: verdict.forever,
  };
}

function claimResult(
  claim: Claim,
  builder: ResultBuilder,
  tables: RunTables,
  verdicts: readonly Verdict[],
): ClaimResult {
  const numbers = builder.byWindow.get(windowKey(claim.betweenNs)) ?? builder.numbers;
  const actual = measureValue(claim.measure, numbers, tables, verdicts);
  return { claim: claim.claim, ok: holds(claim.test, actual), actual: actual ?? null };
}

/** Findings on the timeline, in words of the simulation, as notes. */
function findingNotes(numbers: Numbers, tables: RunTables): readonly string[] {
  return numbers.findings.map((finding) => tables.texts[finding.text] ?? '').filter((text) => text !== '');
}

function taskName(tables: RunTables, task: number): string {
  return tables.tasks[task]?.name ?? '';
}
