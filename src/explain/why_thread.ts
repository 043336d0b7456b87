// "Why?" for a stretch of a thread's lane, a function a state.

import { formatMs } from '../base/format.ts';
import { NONE } from '../trace/ids.ts';
import { StopReason } from '../trace/reasons.ts';
import { SegKind } from '../trace/segments.ts';
import { lockPart, quotaText, threadPart } from './names.ts';
import { capitalised, cpuPart, type Sentence, say } from './parts.ts';
import { reasonClause } from './reason_text.ts';
import { holderAt } from './state_text.ts';
import { runsOn, spunLock, waitBegin } from './why_lookup.ts';
import { boostSteps, conclusionOf, cpuSteps, holderSteps, holdsSteps } from './why_steps.ts';
import type { Ask, Why, WhyStep } from './why_types.ts';
import { beforeText, doingNow, orElse, rankText } from './why_words.ts';

/** The explanation by the state of the stretch. */
export function whyThread(ask: Ask, task: number): Why {
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
      ? say`No thread has ${segment.who === NONE ? 'its CPU' : cpuPart(segment.who)}, but it has not switched to ${self} yet.`
      : say`${threadPart(tables, on.who)} has ${cpuPart(segment.who)}: ${rankText(on, segment.prio)}.`;
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
    answer: throttledAnswer(ask, cpu),
    steps: [
      {
        text: say`${self} is ${stretch.before?.kind === SegKind.run ? 'put off the CPU' : 'stopped'}`,
        atNs: stretch.first.startNs,
      },
      ...cpuSteps(ask, stretch.first.who === NONE ? [] : [stretch.first.who], stretch.first.startNs),
      conclusionOf(ask, task, 'may run again', 'stays throttled to the end'),
    ],
  };
}

function throttledAnswer(ask: Ask, cpu: Sentence): Sentence {
  const { reason, arg } = ask.stretch.first;
  switch (reason) {
    case StopReason.quotaSpent:
      return say`${capitalised(say`${quotaText(ask.tables, arg)}`)} is used up. It waits until the quota is filled up again, even where a CPU is idle.`;
    case StopReason.dlBudgetSpent:
      return say`Its deadline budget is used up. It waits until the budget is filled up again.`;
    case StopReason.dlYielded:
      return say`It gave up the rest of its deadline budget (sched_yield) and waits for the next one.`;
    default:
      return say`Real-time throttling: the real-time threads of ${cpu} have used up their time of this period.`;
  }
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
  const doing = holder === NONE ? '' : doingNow(ask, holder);
  return {
    question: say`Why does ${self} spin?`,
    answer:
      holder === NONE
        ? say`${lock} is free, but its next attempt is still to come.`
        : say`${lock} is held by ${threadPart(tables, holder)}${doing === '' ? '' : `, which ${doing}`}.`,
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
