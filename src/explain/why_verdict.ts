// "Why?" for a finding as a whole: what a reader sees when nothing is selected. The proof's facts as a chain in the
// order of time, the conclusion last.

import { formatDecimal, formatInt, withUnit } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import { createBins } from '../trace/bins.ts';
import type { LockId, TaskId } from '../trace/ids.ts';
import { binsFor, previousSegment, rowEndNs, rowsIn, stateAt } from '../trace/query.ts';
import { SegKind } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Fact, Verdict } from '../trace/verdicts.ts';
import { cpuListText } from './cpu_list_text.ts';
import { factClause, RESCUER_TEXT } from './fact_text.ts';
import { factOf, factsOf, rescueOf } from './facts.ts';
import { lockPart, type NameTables, quotaText, threadPart } from './names.ts';
import { capitalised, cpuPart, listOf, type Sentence, say, spanPart } from './parts.ts';
import { prioText } from './prio_text.ts';
import { tablesOf } from './state_text.ts';
import { describeVerdict } from './verdict_text.ts';
import type { Why, WhyStep } from './why_types.ts';

/** Why a run has this finding. O(facts + rows of the hold). */
export function explainVerdict(trace: TraceStore, verdict: Verdict): Why {
  return chainOf(trace, verdict) ?? whyOther(trace, verdict);
}

/** The chain that a kind of finding has of its own. */
function chainOf(trace: TraceStore, verdict: Verdict): Why | undefined {
  switch (verdict.kind) {
    case 'rt-spin-hang':
      return whyHang(trace, verdict);
    case 'boost-without-weight':
      return whyBoost(trace, verdict);
    case 'priority-inversion':
      return whyInversion(trace, verdict);
    default:
      return undefined;
  }
}

function whyHang(trace: TraceStore, verdict: Verdict): Why | undefined {
  const tables = tablesOf(trace);
  const holds = factOf(verdict, 'holds');
  const spins = [...factsOf(verdict, 'spinsOn')].sort((a, b) => a.sinceNs - b.sinceNs);
  const first = spins[0];
  if (holds === undefined || first === undefined) return undefined;
  const holder = threadPart(tables, holds.task);
  const lock = lockPart(tables, holds.lock);
  return {
    question: verdict.forever ? say`Why does it hang?` : say`Why does it stall?`,
    answer: say`Every CPU that ${holder} may use spins for ${lock}, which ${holder} itself holds.`,
    steps: [
      { text: say`${holder} takes ${lock}.`, atNs: holds.sinceNs },
      {
        text: say`${threadPart(tables, first.task)} wants ${lock}, fails and loops.${followers(spins.length - 1)}`,
        atNs: first.sinceNs,
        rows: spins.map(({ task, cpu, sinceNs }) => ({ task, cpu, atNs: sinceNs })),
      },
      ...putOffSteps(tables, verdict, holds.task),
      ...noWayOutSteps(tables, verdict),
      { ...hangConclusion(tables, verdict, holds.task, holds.lock), conclusion: verdict.forever ? 'danger' : 'warn' },
    ],
  };
}

function followers(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' Another thread follows.' : ` ${COUNTS[count] ?? formatInt(count)} more threads follow.`;
}

const COUNTS: readonly string[] = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** How the holder lost its CPU, and which ones it may use. */
function putOffSteps(tables: NameTables, verdict: Verdict, holder: TaskId): readonly WhyStep[] {
  const runnable = factsOf(verdict, 'runnableOn').find((fact) => fact.task === holder);
  if (runnable === undefined) return [];
  const kept = factsOf(verdict, 'cpuKeptBy').find((fact) => fact.cpu === runnable.cpu);
  const rule = kept === undefined ? say`` : say`: ${prioText(kept.byPrio)} goes before ${prioText(kept.starvedPrio)}`;
  const mayUse = factOf(verdict, 'mayUse')?.cpus ?? [];
  const where = mayUse.length === 0 ? say`` : say` It may use ${cpuListText(mayUse)}; none is free.`;
  return [
    {
      text: say`${threadPart(tables, holder)} is ready on ${cpuPart(runnable.cpu)} but does not get it${rule}.${where}`,
      atNs: runnable.sinceNs,
    },
  ];
}

const NO_ROOM: Readonly<Record<Extract<Fact, { fact: 'neverSleeps' }>['backoff'], string>> = {
  none: 'The loop has no back-off, so no spinner ever makes room.',
  yield: 'sched_yield steps aside only for threads of the same priority, so no spinner ever makes room.',
  pause: 'The back-off only pauses on the CPU, so no spinner ever makes room.',
};

/** Why no spinner makes room, and what else might have ended it and does not. */
function noWayOutSteps(tables: NameTables, verdict: Verdict): readonly WhyStep[] {
  const never = factOf(verdict, 'neverSleeps');
  const idle = factsOf(verdict, 'rescue').filter((fact) => fact.state !== 'acts');
  if (never === undefined && idle.length === 0) return [];
  const room = never === undefined ? '' : NO_ROOM[never.backoff];
  const gap = room === '' || idle.length === 0 ? '' : ' ';
  const clauses = capitalised(listOf(idle.map((fact) => factClause(tables, fact))));
  return [{ text: say`${room}${gap}${clauses}${idle.length === 0 ? '' : '.'}`, atNs: verdict.fromNs }];
}

function hangConclusion(tables: NameTables, verdict: Verdict, holder: TaskId, lockId: LockId): WhyStep {
  const self = threadPart(tables, holder);
  const lock = lockPart(tables, lockId);
  if (verdict.forever)
    return { text: say`Only ${self} can release ${lock}, and no CPU is ever free for it.`, atNs: verdict.fromNs };
  const lasted = spanPart(verdict.toNs - verdict.fromNs);
  if (!verdict.ended) return { text: say`It is still so when the run ends, after ${lasted}.`, atNs: verdict.toNs };
  const rescue = rescueOf(verdict);
  if (rescue === undefined) return { text: say`After ${lasted} ${self} gets a CPU again.`, atNs: verdict.toNs };
  return {
    text: say`After ${lasted} ${RESCUER_TEXT[rescue.by]} ends it: ${self} gets a CPU.`,
    atNs: verdict.toNs,
  };
}

function whyBoost(trace: TraceStore, verdict: Verdict): Why | undefined {
  const tables = tablesOf(trace);
  const inherits = factOf(verdict, 'inheritsPrio');
  const keeps = factOf(verdict, 'keepsWeight');
  const lockId = verdict.locks[0];
  if (verdict.kind !== 'boost-without-weight' || inherits === undefined || keeps === undefined || lockId === undefined)
    return undefined;
  const low = threadPart(tables, inherits.task);
  const high = threadPart(tables, inherits.from);
  const lock = lockPart(tables, lockId);
  const waited = spanPart(verdict.toNs - verdict.fromNs);
  const share = shareOfHolder(trace, verdict);
  const takenNs = takenAt(trace, lockId, verdict.fromNs);
  return {
    question: say`Why does ${high} wait ${waited}?`,
    answer: say`${low} holds ${lock}. It inherits the priority of ${high}, but a normal thread’s share of the CPU follows from its weight, and that stays.`,
    steps: [
      ...(takenNs === undefined ? [] : [{ text: say`${low} takes ${lock}.`, atNs: takenNs }]),
      { text: say`${high} wants ${lock} and sleeps until it is released.`, atNs: verdict.fromNs },
      {
        text: say`${low} inherits prio ${inherits.prio} from ${high}; its own is ${inherits.basePrio}.`,
        atNs: verdict.fromNs,
      },
      {
        text: say`Its weight stays ${keeps.weight}. A thread of prio ${inherits.prio} weighs ${keeps.prioWeight}.`,
        atNs: verdict.fromNs,
      },
      ...(share === undefined ? [] : [{ text: say`So ${share}.`, atNs: verdict.fromNs }]),
      {
        text: verdict.ended
          ? say`${low} releases ${lock} only then: ${high} has waited ${waited}.`
          : say`${high} still waits when the run ends, after ${waited}.`,
        atNs: verdict.toNs,
        conclusion: 'warn',
      },
    ],
  };
}

/**
 * `low gets 9.7 % of CPU 0 while high waits`: what the thread that inherits got, counted over the finding.
 * Undefined for findings in which nobody inherits.
 */
export function shareOfHolder(trace: TraceStore, verdict: Verdict): Sentence | undefined {
  const inherits = factOf(verdict, 'inheritsPrio');
  if (inherits === undefined) return undefined;
  const tables = tablesOf(trace);
  const ratio = shareBetween(trace, inherits.task, verdict.fromNs, verdict.toNs);
  if (ratio === undefined) return undefined;
  const self = threadPart(tables, inherits.task);
  return say`${self} gets ${percentOf(trace, inherits.task, ratio)} while ${threadPart(tables, inherits.from)} waits`;
}

const bin = createBins(1);

/** A wait for a lock that came to an end, in a run without findings: why nothing hangs. */
export interface EndedWait {
  readonly lock: LockId;
  readonly waiter: TaskId;
  readonly fromNs: Ns;
  readonly toNs: Ns;
}

/** Why a run has no finding, by its longest wait for a lock. O(rows of the hold). */
export function explainClear(trace: TraceStore, wait: EndedWait): Why {
  const tables = tablesOf(trace);
  const lock = lockPart(tables, wait.lock);
  const waiter = threadPart(tables, wait.waiter);
  const holder = holderDuring(trace, wait);
  const waited = spanPart(wait.toNs - wait.fromNs);
  const begin: WhyStep = { text: say`${waiter} wants ${lock}.`, atNs: wait.fromNs };
  const end: WhyStep = { text: say`${waiter} gets ${lock} after ${waited}.`, atNs: wait.toNs, conclusion: 'ok' };
  const question = say`How does the longest wait end?`;
  if (holder === undefined)
    return { question, answer: say`${waiter} waits ${waited} for ${lock} and gets it.`, steps: [begin, end] };
  const self = threadPart(tables, holder);
  const share = shareWhileWaiting(trace, wait);
  const takenNs = takenAt(trace, wait.lock, wait.fromNs);
  return {
    question,
    answer: say`${self} holds ${lock}, but it gets to run and releases it.`,
    steps: [
      ...(takenNs === undefined ? [] : [{ text: say`${self} takes ${lock}.`, atNs: takenNs }]),
      begin,
      ...(share === undefined ? [] : [{ text: say`${share}.`, atNs: wait.fromNs }]),
      end,
    ],
  };
}

/** `low gets 50.0 % of CPU 0 while high waits`; undefined where the lock was free when the wait began. */
export function shareWhileWaiting(trace: TraceStore, wait: EndedWait): Sentence | undefined {
  const holder = holderDuring(trace, wait);
  const ratio = holder === undefined ? undefined : shareBetween(trace, holder, wait.fromNs, wait.toNs);
  if (holder === undefined || ratio === undefined) return undefined;
  const tables = tablesOf(trace);
  return say`${threadPart(tables, holder)} gets ${percentOf(trace, holder, ratio)} while ${threadPart(tables, wait.waiter)} waits`;
}

/** Who had the lock when the wait began. */
function holderDuring(trace: TraceStore, wait: EndedWait): TaskId | undefined {
  const lane = trace.laneOf.lock[wait.lock];
  const held = lane === undefined ? undefined : stateAt(trace, lane, wait.fromNs);
  return held?.kind === SegKind.held && held.who !== wait.waiter ? held.who : undefined;
}

/** `9.7 % of CPU 0`. */
function percentOf(trace: TraceStore, task: TaskId, ratio: number): string {
  const cpus = trace.tasks[task]?.allowedCpus ?? [];
  return `${withUnit(formatDecimal(ratio * 100, 1), '%')} of ${cpus.length === 1 ? cpuListText(cpus) : 'one CPU'}`;
}

/** Share of one CPU, 0..1, that the thread had over [fromNs, toNs), spinning included; undefined where the trace knows nothing of it. O(rows of the range, at most 4096). */
export function shareBetween(trace: TraceStore, task: TaskId, fromNs: Ns, toNs: Ns): number | undefined {
  const lane = trace.laneOf.thread[task];
  const t0Ns = Math.max(0, fromNs);
  const t1Ns = Math.min(toNs, trace.watermarkNs);
  if (lane === undefined || !(t1Ns > t0Ns)) return undefined;
  const { lo, hi } = rowsIn(trace, lane, t0Ns, t1Ns);
  if (hi - lo <= MOST_COUNTED) return busyNs(trace, lane, lo, hi, t0Ns, t1Ns) / (t1Ns - t0Ns);
  binsFor(trace, lane, t0Ns, t1Ns, 1, bin);
  return bin.busy[0];
}

/** Up to so many rows are counted one by one; of more the sums of whole blocks differ by less than what is shown. */
const MOST_COUNTED = 4096;

function busyNs(trace: TraceStore, lane: number, lo: number, hi: number, t0Ns: Ns, t1Ns: Ns): Ns {
  const columns = trace.columns[lane];
  let sum = 0;
  for (let row = lo; columns !== undefined && row < hi; row++) {
    const kind = columns.kind[row];
    if (kind !== SegKind.run && kind !== SegKind.spin) continue;
    const beganNs = Math.max(t0Ns, columns.startNs[row] ?? t0Ns);
    sum += Math.max(0, Math.min(t1Ns, rowEndNs(trace, lane, row)) - beganNs);
  }
  return sum;
}

/** Since when its holder of that instant has had the lock; waiters that came meanwhile begin no new hold. */
function takenAt(trace: TraceStore, lockId: LockId, atNs: Ns): Ns | undefined {
  const lane = trace.laneOf.lock[lockId];
  let segment = lane === undefined ? undefined : stateAt(trace, lane, atNs);
  if (segment === undefined || segment.kind !== SegKind.held) return undefined;
  for (;;) {
    const before = previousSegment(trace, segment);
    if (before === undefined || before.kind !== SegKind.held || before.who !== segment.who) return segment.startNs;
    segment = before;
  }
}

/** Who waits for whom, who runs meanwhile, and whether anything bounds it. */
function whyInversion(trace: TraceStore, verdict: Verdict): Why | undefined {
  const tables = tablesOf(trace);
  const waits = factOf(verdict, 'waitsFor');
  const waited = factOf(verdict, 'waitedFor');
  if (waits === undefined || waited === undefined) return undefined;
  const high = threadPart(tables, waits.task);
  const low = threadPart(tables, waits.holder);
  const lock = lockPart(tables, waits.lock);
  const ran = factsOf(verdict, 'ranInstead');
  const bounded = factOf(verdict, 'inversionBound')?.bounded === true;
  const takenNs = takenAt(trace, waits.lock, waits.sinceNs);
  return {
    question: say`Why does ${high} wait ${spanPart(waited.ns)}?`,
    answer: describeVerdict(tables, verdict).sentence,
    steps: [
      ...(takenNs === undefined ? [] : [{ text: say`${low} takes ${lock}.`, atNs: takenNs }]),
      { text: say`${high} wants ${lock} and waits until it is released.`, atNs: waits.sinceNs },
      ...ran.slice(0, MAX_CLAUSES).map((fact) => ({
        text: say`${threadPart(tables, fact.by)} runs ${spanPart(fact.ns)} meanwhile. It is no stronger than ${high}, and ${low} does not get on.`,
        atNs: waits.sinceNs,
      })),
      bounded
        ? {
            text: say`${low} inherits the priority of ${high}: nobody weaker gets in between.`,
            atNs: waits.sinceNs,
          }
        : { text: say`Nothing bounds the wait: threads in between run as long as they like.`, atNs: waits.sinceNs },
      {
        text: verdict.ended
          ? say`${high} has ${lock}. Its longest wait: ${spanPart(waited.ns)}.`
          : say`${high} still waits when the run ends.`,
        atNs: verdict.toNs,
        conclusion: 'warn',
      },
    ],
  };
}

/** What a reader asks of a finding that has no chain of its own. */
function questionOf(tables: NameTables, verdict: Verdict): Sentence {
  const first = verdict.tasks[0];
  const self = first === undefined ? say`it` : say`${threadPart(tables, first)}`;
  const lock = verdict.locks[0];
  switch (verdict.kind) {
    case 'starvation':
      return say`Why does ${self} get no CPU?`;
    case 'deadlock':
      return say`Why does ${self} wait for ever?`;
    case 'overload':
      return verdict.tasks.length > 1 ? say`Who is late, and how often?` : say`How often is ${self} late?`;
    case 'throttled':
      return say`Why does ${self} stand still?`;
    case 'convoy':
      return lock === undefined ? say`Why is it slow?` : say`Why is ${lockPart(tables, lock)} a bottleneck?`;
    default:
      return say`What makes it “${describeVerdict(tables, verdict).word}”?`;
  }
}

/** What a budget does when it is spent, for the chain of a throttled thread. */
function budgetSteps(tables: NameTables, verdict: Verdict): readonly WhyStep[] {
  const fact = factOf(verdict, 'throttledFor');
  if (fact === undefined) return [];
  const rule = {
    rt: say`Without it real-time threads could keep ${cpuPart(fact.cpu)} for ever.`,
    quota: say`What it stops waits until ${quotaText(tables, fact.group)} is filled up again, even where a CPU is idle.`,
    deadline: say`Until its next period it may not run, even where a CPU is idle: so others keep what they were promised.`,
  }[fact.what];
  return [{ text: rule, atNs: verdict.fromNs }];
}

/** How it ends, for a finding that has no chain of its own. */
function otherEnd(verdict: Verdict): Sentence {
  if (verdict.forever) return say`Nothing can change it: proved.`;
  if (verdict.kind === 'overload')
    return verdict.fromNs === verdict.toNs ? say`It is seen here.` : say`It is seen here for the last time.`;
  if (!verdict.ended) return say`It is still so when the run ends.`;
  if (verdict.kind === 'throttled') return say`The last time ends here.`;
  return say`It lasts ${spanPart(verdict.toNs - verdict.fromNs)}.`;
}

/** Most clauses of a finding that has no chain of its own. */
const MAX_CLAUSES = 6;

function whyOther(trace: TraceStore, verdict: Verdict): Why {
  const tables = tablesOf(trace);
  const { sentence, tone } = describeVerdict(tables, verdict);
  return {
    question: questionOf(tables, verdict),
    answer: sentence,
    steps: [
      ...verdict.facts.slice(0, MAX_CLAUSES).map((fact) => ({
        text: say`${capitalised(factClause(tables, fact))}.`,
        atNs: 'sinceNs' in fact ? fact.sinceNs : verdict.fromNs,
      })),
      ...budgetSteps(tables, verdict),
      { text: otherEnd(verdict), atNs: verdict.forever ? verdict.fromNs : verdict.toNs, conclusion: tone },
    ],
  };
}
