// One clause of a verdict's proof in words: what is true, and since when.

import { assertNever } from '../base/assert.ts';
import { formatInt } from '../base/format.ts';
import type { Fact } from '../trace/verdicts.ts';
import { cpuListText } from './cpu_list_text.ts';
import { lockPart, type NameTables, quotaText, threadPart } from './names.ts';
import { cpuPart, type Sentence, say, spanPart, timePart } from './parts.ts';
import { prioText } from './prio_text.ts';

/** `WebProcess holds heap since 5.002 ms`: no full stop, so that clauses can be joined. */
export function factClause(tables: NameTables, fact: Fact): Sentence {
  switch (fact.fact) {
    case 'holds':
      return say`${threadPart(tables, fact.task)} holds ${lockPart(tables, fact.lock)} since ${timePart(fact.sinceNs)}`;
    case 'runnableOn':
      return say`${threadPart(tables, fact.task)} is runnable on ${cpuPart(fact.cpu)} since ${timePart(fact.sinceNs)}`;
    case 'spinsOn':
      return say`${threadPart(tables, fact.task)} spins on ${lockPart(tables, fact.lock)} on ${cpuPart(fact.cpu)} since ${timePart(fact.sinceNs)}`;
    case 'mayUse':
      return say`${threadPart(tables, fact.task)} may use ${cpuListText(fact.cpus)}`;
    case 'cpuKeptBy':
      return say`${threadPart(tables, fact.by)} keeps ${cpuPart(fact.cpu)}: ${strongerText(fact.byPrio, fact.starvedPrio)}`;
    case 'neverSleeps':
      return say`no spinner on ${lockPart(tables, fact.lock)} ever sleeps: ${BACKOFF_TEXT[fact.backoff]}`;
    case 'rescue':
      return rescueClause(fact);
    case 'waitedFor':
      return say`${threadPart(tables, fact.task)} waits ${spanPart(fact.ns)}`;
    case 'inheritsPrio':
      return say`${threadPart(tables, fact.task)} inherits prio ${fact.prio} from ${threadPart(tables, fact.from)} (its own: ${fact.basePrio})`;
    case 'keepsWeight':
      return say`${threadPart(tables, fact.task)} keeps weight ${fact.weight}; its inherited prio would weigh ${fact.prioWeight}`;
    case 'waitsFor':
      return say`${threadPart(tables, fact.task)} waits for ${lockPart(tables, fact.lock)}, held by ${threadPart(tables, fact.holder)}, since ${timePart(fact.sinceNs)}`;
    case 'kernelNoticed':
      return say`the kernel notices the cycle at ${lockPart(tables, fact.lock)} and answers EDEADLK`;
    case 'ranInstead':
      return say`${threadPart(tables, fact.by)} runs ${spanPart(fact.ns)} while ${threadPart(tables, fact.task)} waits`;
    case 'inversionBound':
      return fact.bounded
        ? say`the wait is bounded by the holder's own work, ${spanPart(fact.ns)}`
        : say`nothing bounds the wait: threads in between run as long as they like`;
    case 'throttledFor':
      return throttledClause(tables, fact);
    case 'demand':
      return say`the threads ask for ${spanPart(fact.wantedNs)} of CPU time; ${formatInt(fact.cpus)} ${fact.cpus === 1 ? 'CPU gives' : 'CPUs give'} ${spanPart(fact.givenNs)}`;
    case 'missed':
      return missedClause(tables, fact);
    case 'queueOn':
      return say`${lockPart(tables, fact.lock)} goes from hand to hand ${timesText(fact.handovers)}; each holds it ${spanPart(fact.holdNs)} while ${formatInt(fact.waiters)} more ${fact.waiters === 1 ? 'waits' : 'wait'}`;
    case 'stepsAtOneInstant':
      return say`${threadPart(tables, fact.task)} does ${formatInt(fact.steps)} steps at one instant`;
    default:
      return assertNever(fact);
  }
}

/** `once`, `twice`, `5 times`. */
export function timesText(times: number): string {
  return times === 1 ? 'once' : times === 2 ? 'twice' : `${formatInt(times)} times`;
}

function throttledClause(tables: NameTables, fact: Extract<Fact, { fact: 'throttledFor' }>): Sentence {
  const often = say`${timesText(fact.times)}, for ${spanPart(fact.ns)}${fact.times === 1 ? '' : ' in all'}`;
  switch (fact.what) {
    case 'rt':
      return say`real-time throttling stops ${cpuPart(fact.cpu)} ${often}`;
    case 'quota':
      // Counted on each CPU that the group runs on.
      return say`${quotaText(tables, fact.group)} is used up and stops a CPU ${often}`;
    case 'deadline':
      return say`the deadline budget is used up ${often}`;
    default:
      return assertNever(fact.what);
  }
}

/** `high is late twice, by 32 ms at worst`. */
export function missedClause(tables: NameTables, fact: Extract<Fact, { fact: 'missed' }>): Sentence {
  const worst = fact.times === 1 ? '' : ' at worst';
  return say`${threadPart(tables, fact.task)} is late ${timesText(fact.times)}, by ${spanPart(fact.worstNs)}${worst}`;
}

const BACKOFF_TEXT = {
  none: 'the loop has no back-off',
  yield: 'sched_yield steps aside only for threads of the same priority',
  pause: 'the back-off only pauses on the CPU',
} as const;

type Rescue = Extract<Fact, { fact: 'rescue' }>;

/** The rescuer as the subject of a sentence. */
export const RESCUER_TEXT: Readonly<Record<Rescue['by'], string>> = {
  'rt-throttling': 'RT throttling',
  'fair-server': 'the fair server',
  intervention: 'a flipped switch',
  'timed-step': 'a timed step',
};

function rescueClause(fact: Rescue): Sentence {
  const who = RESCUER_TEXT[fact.by];
  switch (fact.state) {
    case 'off':
      return say`${who} is off`;
    case 'absent':
      return say`${ABSENT_TEXT[fact.by]}`;
    case 'does-not-help':
      return say`${who} does not help`;
    case 'acts':
      if (fact.by === 'intervention' && fact.atNs !== undefined)
        return say`a switch is flipped at ${timePart(fact.atNs)}`;
      return fact.atNs === undefined ? say`${who} ends it` : say`${who} acts at ${timePart(fact.atNs)}`;
    default:
      return assertNever(fact.state);
  }
}

const ABSENT_TEXT: Readonly<Record<Rescue['by'], string>> = {
  'rt-throttling': 'this kernel throttles no real-time thread',
  'fair-server': 'this kernel has no fair server',
  intervention: 'no switch is flipped later',
  'timed-step': 'no timer or timed step is left that could stop a spinner',
};

/** Why one of two effective prios keeps the CPU from the other. */
function strongerText(byPrio: number, starvedPrio: number): string {
  if (byPrio === starvedPrio) return `the same priority, ${prioText(byPrio)}, and first in line`;
  if (byPrio < 0) return 'deadline threads go before all others';
  return `${prioText(byPrio)} goes before ${prioText(starvedPrio)}`;
}
