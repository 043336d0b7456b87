// Steps of a chain: what CPUs do instead, who holds the lock and why it does not go on, how it ends.

import type { Ns } from '../base/units.ts';
import { NONE } from '../trace/ids.ts';
import { stateAt } from '../trace/query.ts';
import { PickReason, StopReason } from '../trace/reasons.ts';
import { SegFlag, SegKind, type Segment } from '../trace/segments.ts';
import { lockPart, threadPart } from './names.ts';
import { cpuPart, type Sentence, say, spanPart } from './parts.ts';
import { prioText } from './prio_text.ts';
import { reasonClause } from './reason_text.ts';
import { holderAt, locksHeldAt } from './state_text.ts';
import { stretchOf } from './stretch.ts';
import { heldSince, runsOn } from './why_lookup.ts';
import type { Ask, WhyStep } from './why_types.ts';
import { orElse } from './why_words.ts';

/** Most CPUs that a chain lists one by one. */
const MAX_CPU_STEPS = 4;
/** Longest chain of "held by … who waits for …". */
const MAX_CHAIN = 3;

/** The conclusion: a verdict that the thread is party to, or how the stretch ends. */
export function conclusionOf(ask: Ask, task: number, ends: string, open: string): WhyStep {
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
export function verdictStep(ask: Ask, task: number): WhyStep | undefined {
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

export function holdsSteps(ask: Ask, task: number): readonly WhyStep[] {
  const { segment, tables, trace } = ask;
  if ((segment.flags & SegFlag.holdsLock) === 0) return [];
  return locksHeldAt(trace, task, segment.startNs)
    .slice(0, 2)
    .map((lock) => ({
      text: say`${threadPart(tables, task)} holds ${lockPart(tables, lock)}${waitersText(ask, lock)}`,
      atNs: heldSince(ask, lock, segment.startNs),
    }));
}

export function waitersText(ask: Ask, lock: number): string {
  const lane = ask.trace.laneOf.lock[lock];
  const state = lane === undefined ? undefined : stateAt(ask.trace, lane, ask.segment.endNs - 1);
  return state === undefined || state.arg <= 0 ? '' : `, ${state.arg} ${state.arg === 1 ? 'waits' : 'wait'} for it`;
}

/** What each CPU does instead; more than a few are counted. */
export function cpuSteps(ask: Ask, cpus: readonly number[], atNs: Ns): readonly WhyStep[] {
  const steps = cpus.slice(0, MAX_CPU_STEPS).flatMap((cpu): WhyStep[] => {
    const on = runsOn(ask, cpu, atNs);
    if (on === undefined) return [];
    return [{ text: say`${cpuPart(cpu)}: ${occupantText(ask, on)}`, atNs: on.startNs }];
  });
  const more = cpus.length - MAX_CPU_STEPS;
  return more <= 0 ? steps : [...steps, { text: say`and ${more} more CPUs`, atNs }];
}

export function occupantText(ask: Ask, on: Segment): Sentence {
  if (on.who === NONE)
    return on.reason === PickReason.idleThrottled ? say`idle, its real-time threads are throttled` : say`idle`;
  const who = threadPart(ask.tables, on.who);
  const rank = prioText(on.prio);
  return say`${who} ${on.kind === SegKind.spin ? 'spins' : 'runs'}${rank === '' ? '' : `, ${rank}`}`;
}

/** The holder, what it does, and if it waits itself: for whom. */
export function holderSteps(ask: Ask, holder: number, atNs: Ns, seen: Set<number>): readonly WhyStep[] {
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

export function boostSteps(ask: Ask): readonly WhyStep[] {
  const { segment } = ask;
  if ((segment.flags & SegFlag.boosted) === 0) return [];
  return [
    {
      text: say`it runs with an inherited priority: ${prioText(segment.prio)} (prio ${segment.prio})`,
      atNs: segment.startNs,
    },
  ];
}
