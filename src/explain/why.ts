// "Why?" for a stretch of a lane: a question, an answer in one sentence, and the chain of steps that leads to it,
// each with its instant. Everything follows from recorded reasons and from what the lanes show; nothing is guessed.

import { formatMs } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import { NONE } from '../trace/ids.ts';
import { segmentOf, stateAt } from '../trace/query.ts';
import { PickReason, StopReason } from '../trace/reasons.ts';
import { type LaneInfo, SegFlag, SegKind, type Segment } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Verdict } from '../trace/verdicts.ts';
import { lockPart, type NameTables, threadPart } from './names.ts';
import { capitalised, cpuPart, listOf, type Part, type Sentence, say, spanPart } from './parts.ts';
import { prioText } from './prio_text.ts';
import { reasonClause } from './reason_text.ts';
import { holderAt, locksHeldAt, tablesOf } from './state_text.ts';
import { type Stretch, stretchOf } from './stretch.ts';

export interface WhyStep {
  readonly text: Sentence;
  readonly atNs: Ns;
  /** Set on the last step: how bad the end of the chain is. */
  readonly conclusion?: 'danger' | 'warn' | 'ok';
}

export interface Why {
  readonly question: Sentence;
  readonly answer: Sentence;
  /** 0 to 7, in the order of reading; the last is the conclusion. */
  readonly steps: readonly WhyStep[];
}

/** Most CPUs that a chain lists one by one. */
const MAX_CPU_STEPS = 4;
/** Longest chain of "held by … who waits for …". */
const MAX_CHAIN = 3;

interface Ask {
  readonly trace: TraceStore;
  readonly tables: NameTables;
  readonly verdicts: readonly Verdict[];
  readonly segment: Segment;
  readonly stretch: Stretch;
}

/**
 * Why a lane shows what it shows.
 *
 * @param verdicts of the run so far; they give the conclusion when the thread is party to one
 * @returns undefined where there is no such segment
 * O(rows of the stretch + CPUs log rows).
 */
export function explainSegment(
  trace: TraceStore,
  verdicts: readonly Verdict[],
  laneId: number,
  row: number,
): Why | undefined {
  const segment = segmentOf(trace, laneId, row);
  const lane = trace.lanes[laneId];
  if (segment === undefined || lane === undefined) return undefined;
  const ask: Ask = { trace, tables: tablesOf(trace), verdicts, segment, stretch: stretchOf(trace, segment) };
  if (lane.kind === 'lock') return whyLock(ask, lane);
  if (lane.kind === 'lockWait') return onThreadLane(ask, lane.task) ?? whyLock(ask, lane);
  if (lane.kind === 'thread') return whyThread(ask, lane.subject);
  return segment.who === NONE
    ? whyCpu(ask, lane.subject)
    : (onThreadLane(ask, segment.who) ?? whyCpu(ask, lane.subject));
}

/** The same question of the thread's own lane at that instant. */
function onThreadLane(ask: Ask, task: number): Why | undefined {
  const lane = ask.trace.laneOf.thread[task];
  const segment = lane === undefined ? undefined : stateAt(ask.trace, lane, ask.segment.startNs);
  return segment === undefined ? undefined : explainSegment(ask.trace, ask.verdicts, segment.lane, segment.row);
}

function whyThread(ask: Ask, task: number): Why {
  switch (ask.segment.kind) {
    case SegKind.runnable:
      return whyRunnable(ask, task);
    case SegKind.throttled:
      return whyThrottled(ask, task);
    case SegKind.blocked:
      return whyBlocked(ask, task);
    case SegKind.spin:
      return whySpinning(ask, task);
    case SegKind.run:
      return whyRunning(ask, task);
    case SegKind.sleep:
      return whyAsleep(ask, task);
    case SegKind.absent:
      return whyAbsent(ask, task);
    default:
      return {
        question: say`What does ${threadPart(ask.tables, task)} do here?`,
        answer: say`The trace lost events here.`,
        steps: [],
      };
  }
}

function whyRunnable(ask: Ask, task: number): Why {
  const { tables, segment, stretch } = ask;
  const self = threadPart(tables, task);
  const allowed = ask.trace.tasks[task]?.allowedCpus ?? [];
  const on = segment.who === NONE ? undefined : runsOn(ask, segment.who, segment.startNs);
  const answer =
    on === undefined || on.who === NONE
      ? say`No thread has ${segment.who === NONE ? 'its CPU' : cpuPart(segment.who)}, but ${self} has not been put there yet.`
      : say`${threadPart(tables, on.who)} has ${cpuPart(segment.who)}: ${rankText(on.prio, segment.prio)}.`;
  return {
    question: say`Why isn't ${self} running?`,
    answer,
    steps: [
      {
        text: say`${self} is runnable: ${orElse(reasonClause(tables, stretch.first), 'it woke')}`,
        atNs: stretch.first.startNs,
      },
      ...holdsSteps(ask, task),
      ...cpuSteps(ask, allowed, segment.startNs),
      conclusionOf(ask, task, 'runs again', 'does not run again before the end'),
    ],
  };
}

function whyThrottled(ask: Ask, task: number): Why {
  const { tables, stretch } = ask;
  const self = threadPart(tables, task);
  const cpu = stretch.first.who === NONE ? say`its CPU` : say`${cpuPart(stretch.first.who)}`;
  return {
    question: say`Why isn't ${self} running?`,
    answer: say`Real-time throttling: the real-time threads of ${cpu} have used up their time of this period.`,
    steps: [
      { text: say`${self} is put off the CPU`, atNs: stretch.first.startNs },
      ...cpuSteps(ask, stretch.first.who === NONE ? [] : [stretch.first.who], stretch.first.startNs),
      conclusionOf(ask, task, 'may run again', 'stays throttled to the end'),
    ],
  };
}

function whyBlocked(ask: Ask, task: number): Why {
  const { tables, stretch } = ask;
  const self = threadPart(tables, task);
  const { first } = stretch;
  if (first.reason !== StopReason.lockBlocked) {
    return {
      question: say`Why is ${self} blocked?`,
      answer: say`${capitalised(orElse(reasonClause(tables, first), 'the trace does not say'))}.`,
      steps: [conclusionOf(ask, task, 'goes on', 'is still blocked at the end')],
    };
  }
  const lock = lockPart(tables, first.arg);
  const holder = first.arg2 === NONE ? holderAt(ask.trace, first.arg, first.startNs) : first.arg2;
  return {
    question: say`Why is ${self} blocked?`,
    answer:
      holder === NONE ? say`It waits for ${lock}.` : say`It waits for ${lock}, held by ${threadPart(tables, holder)}.`,
    steps: [
      { text: say`${self} asks for ${lock} and sleeps`, atNs: first.startNs },
      ...holderSteps(ask, holder, first.startNs, new Set([task])),
      conclusionOf(ask, task, `goes on`, 'is still blocked at the end'),
    ],
  };
}

function whySpinning(ask: Ask, task: number): Why {
  const { tables, segment } = ask;
  const self = threadPart(tables, task);
  const lockId = spunLock(ask, task);
  if (lockId === NONE) {
    return {
      question: say`Why does ${self} spin?`,
      answer: say`It tries a lock again and again.`,
      steps: [conclusionOf(ask, task, 'goes on', 'still spins at the end')],
    };
  }
  const lock = lockPart(tables, lockId);
  const holder = holderAt(ask.trace, lockId, segment.startNs);
  const begin = waitBegin(ask, task, lockId);
  return {
    question: say`Why does ${self} spin?`,
    answer:
      holder === NONE
        ? say`${lock} is free, but its next attempt is still to come.`
        : say`${lock} is held by ${threadPart(tables, holder)}${doingNow(ask, holder)}.`,
    steps: [
      { text: say`${self} wants ${lock} and enters its loop`, atNs: begin },
      ...holderSteps(ask, holder, segment.startNs, new Set([task])),
      conclusionOf(ask, task, 'stops spinning', 'still spins at the end'),
    ],
  };
}

function whyRunning(ask: Ask, task: number): Why {
  const { tables, stretch, segment } = ask;
  const self = threadPart(tables, task);
  const cpu = cpuPart(segment.who);
  const pick = orElse(reasonClause(tables, stretch.first), 'the trace does not say');
  return {
    question: say`Why does ${self} run on ${cpu}?`,
    answer: say`${capitalised(pick)}.`,
    steps: [
      ...(stretch.before === undefined || stretch.before.kind === SegKind.absent
        ? []
        : [{ text: say`before: ${beforeText(ask, stretch.before)}`, atNs: stretch.before.startNs }]),
      { text: say`${pick}`, atNs: stretch.first.startNs },
      ...boostSteps(ask),
      conclusionOf(ask, task, 'leaves the CPU', 'runs to the end'),
    ],
  };
}

function whyAsleep(ask: Ask, task: number): Why {
  const { tables, stretch } = ask;
  const self = threadPart(tables, task);
  const why = orElse(reasonClause(tables, stretch.first), 'by its own wish');
  const until =
    stretch.after === undefined ? say`to the end of the run` : say`until ${formatMs(stretch.after.startNs)}`;
  return {
    question: say`Why is ${self} asleep?`,
    answer: say`${capitalised(why)}, ${until}.`,
    steps: [
      { text: say`${self} goes to sleep: ${why}`, atNs: stretch.first.startNs },
      conclusionOf(ask, task, 'wakes', 'sleeps to the end'),
    ],
  };
}

function whyAbsent(ask: Ask, task: number): Why {
  const self = threadPart(ask.tables, task);
  const ended = ask.stretch.first.reason === StopReason.ended;
  if (ended)
    return {
      question: say`Where is ${self}?`,
      answer: say`It has ended.`,
      steps: [{ text: say`${self} ends`, atNs: ask.stretch.first.startNs, conclusion: 'ok' }],
    };
  const { after } = ask.stretch;
  const steps: readonly WhyStep[] =
    after === undefined ? [] : [{ text: say`${self} starts`, atNs: after.startNs, conclusion: 'ok' }];
  return {
    question: say`Where is ${self}?`,
    answer: after === undefined ? say`It does not start in this run.` : say`It has not started yet.`,
    steps,
  };
}

function whyCpu(ask: Ask, cpu: number): Why {
  const { segment, stretch, tables } = ask;
  const question = say`Why is ${cpuPart(cpu)} idle?`;
  const waiting = waitingFor(ask, cpu, segment.startNs);
  if (segment.reason === PickReason.idleThrottled) {
    return { question, answer: say`${capitalised(reasonClause(tables, segment))}.`, steps: [idleEnd(ask, cpu)] };
  }
  if (waiting.length === 0) {
    return {
      question,
      answer: say`Nothing to explain here: ${cpuPart(cpu)} is idle and no thread waits for it.`,
      steps: [],
    };
  }
  const names = listOf(waiting.slice(0, 3).map(({ task }) => threadPart(tables, task)));
  const many = waiting.length > 1;
  return {
    question,
    answer: say`${names} could run here, but ${many ? 'wait' : 'waits'} on another CPU until a balancer moves ${many ? 'them' : 'it'}.`,
    steps: [
      { text: say`${cpuPart(cpu)} falls idle`, atNs: stretch.first.startNs },
      ...waiting.slice(0, 3).map(({ task, state }) => ({
        text: say`${threadPart(tables, task)} waits on ${state.who === NONE ? 'another CPU' : cpuPart(state.who)}`,
        atNs: state.startNs,
      })),
      idleEnd(ask, cpu),
    ],
  };
}

function idleEnd(ask: Ask, cpu: number): WhyStep {
  const { after, last } = ask.stretch;
  if (after === undefined)
    return { text: say`${cpuPart(cpu)} stays idle to the end`, atNs: last.endNs, conclusion: 'warn' };
  return {
    text: after.who === NONE ? say`this ends` : say`${threadPart(ask.tables, after.who)} takes it`,
    atNs: after.startNs,
    conclusion: 'ok',
  };
}

function whyLock(ask: Ask, lane: LaneInfo): Why {
  const { tables, segment } = ask;
  const lock = lockPart(tables, lane.subject);
  const holder = holderAt(ask.trace, lane.subject, segment.startNs);
  if (holder === NONE) {
    const waiters = segment.kind === SegKind.free ? segment.arg : 0;
    const answer =
      waiters === 0
        ? say`Nobody holds it and nobody waits for it.`
        : say`Nobody holds it: ${waiters} still have to notice that it is free.`;
    return { question: say`Why is ${lock} free?`, answer, steps: [] };
  }
  const heldFrom = heldSince(ask, lane.subject, segment.startNs);
  const released = releaseAfter(ask, lane.subject, segment.startNs);
  return {
    question: say`Why is ${lock} held?`,
    answer: say`${threadPart(tables, holder)} holds it${doingNow(ask, holder)}.`,
    steps: [
      { text: say`${threadPart(tables, holder)} takes ${lock}`, atNs: heldFrom },
      ...holderSteps(ask, holder, segment.startNs, new Set()).slice(1),
      released === undefined
        ? (verdictStep(ask, holder) ?? {
            text: say`it is not released before the end`,
            atNs: ask.trace.watermarkNs,
            conclusion: 'warn' as const,
          })
        : { text: say`${threadPart(tables, holder)} releases ${lock}`, atNs: released, conclusion: 'ok' as const },
    ],
  };
}

// ---- pieces of chains ----

/** The conclusion: a verdict that the thread is party to, or how the stretch ends. */
function conclusionOf(ask: Ask, task: number, ends: string, open: string): WhyStep {
  const proved = verdictStep(ask, task);
  if (proved !== undefined) return proved;
  const { stretch, tables } = ask;
  const self = threadPart(tables, task);
  if (stretch.after === undefined) return { text: say`${self} ${open}`, atNs: stretch.last.endNs, conclusion: 'warn' };
  const clause = reasonClause(tables, stretch.after);
  const lasted = spanPart(stretch.after.startNs - stretch.first.startNs);
  return {
    text: clause.length === 0 ? say`${self} ${ends} after ${lasted}` : say`${self} ${ends} after ${lasted}: ${clause}`,
    atNs: stretch.after.startNs,
    conclusion: 'ok',
  };
}

/** Only where the stretch never ends and a verdict for ever covers it: then it is proved, not merely seen. */
function verdictStep(ask: Ask, task: number): WhyStep | undefined {
  const { stretch, tables } = ask;
  const verdict = ask.verdicts.find(
    (v) =>
      v.forever &&
      v.tasks.includes(task) &&
      v.fromNs < Math.max(stretch.last.endNs, v.fromNs + 1) &&
      stretch.after === undefined,
  );
  if (verdict === undefined) return undefined;
  const holds = verdict.facts.some((fact) => fact.fact === 'holds' && fact.task === task);
  const starves = verdict.kind === 'starvation' || holds;
  const what = starves ? 'can never run' : 'never gets the lock';
  return { text: say`${threadPart(tables, task)} ${what}: proved`, atNs: verdict.fromNs, conclusion: 'danger' };
}

function holdsSteps(ask: Ask, task: number): readonly WhyStep[] {
  const { segment, tables, trace } = ask;
  if ((segment.flags & SegFlag.holdsLock) === 0) return [];
  return locksHeldAt(trace, task, segment.startNs)
    .slice(0, 2)
    .map((lock) => ({
      text: say`${threadPart(tables, task)} holds ${lockPart(tables, lock)}${waitersText(ask, lock)}`,
      atNs: heldSince(ask, lock, segment.startNs),
    }));
}

function waitersText(ask: Ask, lock: number): string {
  const lane = ask.trace.laneOf.lock[lock];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, ask.segment.endNs - 1);
  return state === undefined || state.arg <= 0 ? '' : `, ${state.arg} ${state.arg === 1 ? 'waits' : 'wait'} for it`;
}

/** What each CPU does instead; more than a few are counted. */
function cpuSteps(ask: Ask, cpus: readonly number[], atNs: Ns): readonly WhyStep[] {
  const steps = cpus.slice(0, MAX_CPU_STEPS).flatMap((cpu): WhyStep[] => {
    const on = runsOn(ask, cpu, atNs);
    if (on === undefined) return [];
    return [{ text: say`${cpuPart(cpu)}: ${occupantText(ask, on)}`, atNs: on.startNs }];
  });
  const more = cpus.length - MAX_CPU_STEPS;
  return more <= 0 ? steps : [...steps, { text: say`and ${more} more CPUs`, atNs }];
}

function occupantText(ask: Ask, on: Segment): Sentence {
  if (on.who === NONE)
    return on.reason === PickReason.idleThrottled ? say`idle, its real-time threads are throttled` : say`idle`;
  const who = threadPart(ask.tables, on.who);
  const rank = prioText(on.prio);
  return say`${who} ${on.kind === SegKind.spin ? 'spins' : 'runs'}${rank === '' ? '' : `, ${rank}`}`;
}

/** The holder, what it does, and if it waits itself: for whom. */
function holderSteps(ask: Ask, holder: number, atNs: Ns, seen: Set<number>): readonly WhyStep[] {
  const { tables, trace } = ask;
  if (holder === NONE) return [];
  if (seen.has(holder)) return [{ text: say`${threadPart(tables, holder)} waits for the first one: a circle`, atNs }];
  seen.add(holder);
  const lane = trace.laneOf.thread[holder];
  const state = lane === undefined ? undefined : stateAt(trace, lane, atNs);
  if (state === undefined) return [];
  const self = threadPart(tables, holder);
  const first = stretchOf(trace, state).first;
  if (state.kind === SegKind.run)
    return [{ text: say`${self} holds it and runs on ${cpuPart(state.who)}`, atNs: first.startNs }];
  if (state.kind === SegKind.runnable) {
    const on = state.who === NONE ? undefined : runsOn(ask, state.who, atNs);
    const instead =
      on === undefined || on.who === NONE ? say`` : say`; ${threadPart(tables, on.who)} has ${cpuPart(state.who)}`;
    return [
      {
        text: say`${self} holds it and is runnable: ${orElse(reasonClause(tables, first), 'it woke')}${instead}`,
        atNs: first.startNs,
      },
    ];
  }
  if (state.kind === SegKind.blocked && first.reason === StopReason.lockBlocked && seen.size <= MAX_CHAIN) {
    const next = holderAt(trace, first.arg, atNs);
    return [
      { text: say`${self} holds it and waits for ${lockPart(tables, first.arg)}`, atNs: first.startNs },
      ...holderSteps(ask, next, atNs, seen),
    ];
  }
  return [
    {
      text: say`${self} holds it: ${orElse(reasonClause(tables, first), 'the trace does not say what it does')}`,
      atNs: first.startNs,
    },
  ];
}

function boostSteps(ask: Ask): readonly WhyStep[] {
  const { segment } = ask;
  if ((segment.flags & SegFlag.boosted) === 0) return [];
  return [
    {
      text: say`it runs with an inherited priority: ${prioText(segment.prio)} (prio ${segment.prio})`,
      atNs: segment.startNs,
    },
  ];
}

// ---- look-ups ----

function runsOn(ask: Ask, cpu: number, atNs: Ns): Segment | undefined {
  const lane = ask.trace.laneOf.cpu[cpu];
  return lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
}

/** Threads that are runnable at `atNs` and may use `cpu`, first come first. O(threads log rows). */
function waitingFor(ask: Ask, cpu: number, atNs: Ns): readonly { readonly task: number; readonly state: Segment }[] {
  const found: { task: number; state: Segment }[] = [];
  ask.trace.tasks.forEach((info, task) => {
    const lane = ask.trace.laneOf.thread[task];
    const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
    if (state?.kind === SegKind.runnable && info.allowedCpus.includes(cpu)) found.push({ task, state });
  });
  return found.sort((a, b) => a.state.startNs - b.state.startNs || a.task - b.task);
}

/** The lock that a thread waits for at the segment, from the wait lanes; NONE where it waits for none. */
function spunLock(ask: Ask, task: number): number {
  const { trace, segment } = ask;
  for (let lock = 0; lock < trace.waitLanes.length; lock++) {
    if (waitState(ask, task, lock, segment.startNs) !== undefined) return lock;
  }
  return NONE;
}

function waitBegin(ask: Ask, task: number, lock: number): Ns {
  const state = waitState(ask, task, lock, ask.segment.startNs);
  return state === undefined ? ask.segment.startNs : stretchOf(ask.trace, state).first.startNs;
}

function waitState(ask: Ask, task: number, lock: number, atNs: Ns): Segment | undefined {
  const lane = ask.trace.waitLanes[lock]?.find((id) => ask.trace.lanes[id]?.task === task);
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
  return state !== undefined && state.who !== NONE ? state : undefined;
}

function heldSince(ask: Ask, lock: number, atNs: Ns): Ns {
  const lane = ask.trace.laneOf.lock[lock];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
  if (state === undefined) return atNs;
  let first = state;
  for (let row = state.row - 1; row >= 0; row--) {
    const earlier = segmentOf(ask.trace, state.lane, row);
    if (earlier === undefined || earlier.kind !== SegKind.held || earlier.who !== state.who) break;
    first = earlier;
  }
  return first.startNs;
}

function releaseAfter(ask: Ask, lock: number, atNs: Ns): Ns | undefined {
  const lane = ask.trace.laneOf.lock[lock];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, atNs);
  if (state === undefined) return undefined;
  for (let row = state.row + 1; ; row++) {
    const later = segmentOf(ask.trace, state.lane, row);
    if (later === undefined) return undefined;
    if (later.kind !== SegKind.held || later.who !== state.who) return later.startNs;
  }
}

// ---- words ----

/** `, which is runnable and does not run`: what a holder does while others wait. */
function doingNow(ask: Ask, task: number): string {
  const lane = ask.trace.laneOf.thread[task];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, ask.segment.startNs);
  switch (state?.kind) {
    case SegKind.run:
      return ', which runs';
    case SegKind.spin:
      return ', which spins for another lock';
    case SegKind.runnable:
      return ', which is runnable and gets no CPU';
    case SegKind.throttled:
      return ', which is throttled';
    case SegKind.blocked:
      return ', which is blocked';
    case SegKind.sleep:
      return ', which sleeps';
    default:
      return '';
  }
}

function rankText(byPrio: number, ownPrio: number): string {
  if (byPrio < ownPrio && byPrio < 100) return `${prioText(byPrio)} goes before ${prioText(ownPrio)}`;
  if (byPrio < 100 && byPrio === ownPrio) return 'it has the same priority and came first';
  return 'both are normal threads, and it is not its turn yet';
}

function beforeText(ask: Ask, before: Segment): Sentence {
  const clause = reasonClause(ask.tables, before);
  if (clause.length > 0) return clause;
  return before.kind === SegKind.runnable ? say`runnable` : say`off the CPU`;
}

function orElse(clause: Sentence, text: string): Sentence {
  const part: Part = { part: 'text', text };
  return clause.length > 0 ? clause : [part];
}
