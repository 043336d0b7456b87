// "Why?" for an idle stretch of a CPU, and for a stretch of a lock's lane.

import { NONE } from '../trace/ids.ts';
import { PickReason } from '../trace/reasons.ts';
import { type LaneInfo, SegKind } from '../trace/segments.ts';
import { lockPart, threadPart } from './names.ts';
import { capitalised, cpuPart, listOf, say } from './parts.ts';
import { reasonClause } from './reason_text.ts';
import { holderAt } from './state_text.ts';
import { heldSince, releaseAfter, waitingFor } from './why_lookup.ts';
import { holderSteps, verdictStep } from './why_steps.ts';
import type { Ask, Why, WhyStep } from './why_types.ts';
import { doingNow } from './why_words.ts';

export function whyCpu(ask: Ask, cpu: number): Why {
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
  const own = waiting.find(({ state }) => state.who === cpu);
  if (own !== undefined) {
    const self = threadPart(tables, own.task);
    return {
      question,
      answer: say`${self} is runnable here, but the CPU has not switched to it yet.`,
      steps: [{ text: say`${self} is put here`, atNs: own.state.startNs }, idleEnd(ask, cpu)],
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

export function idleEnd(ask: Ask, cpu: number): WhyStep {
  const { after, last } = ask.stretch;
  if (after === undefined)
    return { text: say`${cpuPart(cpu)} stays idle to the end`, atNs: last.endNs, conclusion: 'warn' };
  return {
    text: after.who === NONE ? say`this ends` : say`${threadPart(ask.tables, after.who)} takes it`,
    atNs: after.startNs,
    conclusion: 'ok',
  };
}

/** What ends a wait for a thing that nobody holds. */
const SIGNAL_OF: Readonly<Record<string, string>> = {
  sem: 'it is posted',
  cond: 'it is signalled',
  barrier: 'the last one comes',
};

export function whyLock(ask: Ask, lane: LaneInfo): Why {
  const { tables, segment } = ask;
  const lock = lockPart(tables, lane.subject);
  const holder = holderAt(ask.trace, lane.subject, segment.startNs);
  const signal = SIGNAL_OF[ask.trace.meta.locks[lane.subject]?.kind ?? ''];
  if (holder === NONE && signal !== undefined) {
    const waiters = segment.kind === SegKind.free ? segment.arg : 0;
    const many = waiters === 1 ? 'thread waits' : 'threads wait';
    return {
      question: say`Who waits for ${lock}?`,
      answer: waiters === 0 ? say`Nobody waits for it.` : say`${waiters} ${many} until ${signal}.`,
      steps: [],
    };
  }
  if (holder === NONE) {
    const waiters = segment.kind === SegKind.free ? segment.arg : 0;
    const answer =
      waiters === 0
        ? say`Nobody holds it and nobody waits for it.`
        : say`Nobody holds it: ${waiters} still have to notice that it is free.`;
    return { question: say`Why is ${lock} free?`, answer, steps: [] };
  }
  const heldFrom = heldSince(ask, lane.subject, segment.startNs);
  const doing = doingNow(ask, holder);
  const released = releaseAfter(ask, lane.subject, segment.startNs);
  return {
    question: say`Why is ${lock} held?`,
    answer: say`${threadPart(tables, holder)} holds it${doing === '' ? '' : `: it ${doing}`}.`,
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
