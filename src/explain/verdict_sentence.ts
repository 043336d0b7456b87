// The one sentence of a verdict, by its kind: who is party to it and why it can't change. Several ways to say it,
// the fullest first, since names may be long.

import { assertNever } from '../base/assert.ts';
import { formatInt } from '../base/format.ts';
import type { CpuId, LockId, TaskId } from '../trace/ids.ts';
import type { Fact, Verdict } from '../trace/verdicts.ts';
import { cpuListText } from './cpu_list_text.ts';
import { factClause, missedClause, RESCUER_TEXT, timesText } from './fact_text.ts';
import { factOf, factsOf, rescueOf } from './facts.ts';
import { lockPart, type NameTables, quotaText, threadPart } from './names.ts';
import { capitalised, cpuPart, listOf, type Part, type Sentence, say, spanPart, timePart } from './parts.ts';

/** Ways to say it, the fullest first. */
export function sentencesOf(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  switch (verdict.kind) {
    case 'rt-spin-hang':
      return hangSentences(tables, verdict);
    case 'boost-without-weight':
      return boostSentences(tables, verdict);
    case 'deadlock':
      return deadlockSentences(tables, verdict);
    case 'livelock':
      return livelockSentences(tables, verdict);
    case 'starvation':
      return starvationSentences(tables, verdict);
    case 'priority-inversion':
      return inversionSentences(tables, verdict);
    case 'overload':
      return overloadSentences(tables, verdict);
    case 'throttled':
      return throttledSentences(tables, verdict);
    case 'convoy':
      return convoySentences(tables, verdict);
    default:
      return assertNever(verdict.kind);
  }
}

function hangSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const holds = factOf(verdict, 'holds');
  const spins = factsOf(verdict, 'spinsOn');
  if (holds === undefined || spins.length === 0) return plainSentences(tables, verdict);
  const holder = threadPart(tables, holds.task);
  const lock = lockPart(tables, holds.lock);
  const rescue = rescueOf(verdict);
  if (!verdict.forever && rescue !== undefined) {
    if (rescue.by === 'intervention') {
      const at = rescue.atNs === undefined ? say`` : say` at ${timePart(rescue.atNs)}`;
      return [say`${kept(verdict, spins)} on ${lock}, held by ${holder}, until a switch is flipped${at}.`];
    }
    const who = capitalised(say`${RESCUER_TEXT[rescue.by]}`);
    return [
      say`${kept(verdict, spins)} on ${lock}, held by ${holder}. ${who} lets ${holder} run.`,
      say`${who} lets ${holder} run and release ${lock}.`,
    ];
  }
  const where = runnableText(verdict, holds.task);
  const end = verdict.forever ? 'can never run' : 'gets no CPU';
  return [
    say`${kept(verdict, spins)} on ${lock}. ${holder} holds it, is runnable${where} and ${end}.`,
    say`${holder} holds ${lock}, is runnable and ${end}.`,
  ];
}

/** `All 4 CPUs spin`, or the CPUs by number where the holder may use others too few to help. */
function kept(verdict: Verdict, spins: readonly Extract<Fact, { fact: 'spinsOn' }>[]): string {
  const cpus = [...new Set(spins.map((fact) => fact.cpu))].sort((x, y) => x - y);
  const mayUse = factOf(verdict, 'mayUse')?.cpus ?? [];
  const all = cpus.length > 1 && cpus.length === mayUse.length && cpus.every((cpu, i) => cpu === i && mayUse[i] === i);
  const who = all ? `All ${cpus.length} CPUs` : cpuListText(cpus);
  return `${who} ${cpus.length === 1 ? 'spins' : 'spin'}`;
}

function runnableText(verdict: Verdict, task: TaskId): Sentence {
  const fact = factsOf(verdict, 'runnableOn').find((candidate) => candidate.task === task);
  return fact === undefined ? say`` : say` on ${cpuPart(fact.cpu)}`;
}

function boostSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const inherits = factOf(verdict, 'inheritsPrio');
  const keeps = factOf(verdict, 'keepsWeight');
  if (inherits === undefined || keeps === undefined) return plainSentences(tables, verdict);
  const waiter = threadPart(tables, inherits.from);
  const boosted = threadPart(tables, inherits.task);
  const span = spanPart(factOf(verdict, 'waitedFor')?.ns ?? verdict.toNs - verdict.fromNs);
  return [
    say`${waiter} waits ${span}: ${boosted} inherits its priority but keeps weight ${keeps.weight}, not ${keeps.prioWeight}.`,
    say`${boosted} inherits a priority but keeps weight ${keeps.weight}.`,
  ];
}

function deadlockSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const circle = factsOf(verdict, 'waitsFor');
  const first = circle[0];
  if (first === undefined) return plainSentences(tables, verdict);
  const noticed = factOf(verdict, 'kernelNoticed') === undefined ? '' : ' The kernel notices: EDEADLK.';
  if (circle.length === 1)
    return [
      say`${threadPart(tables, first.task)} waits for ${lockPart(tables, first.lock)}, which it holds itself.${noticed}`,
    ];
  const clauses = circle.map(
    ({ task, lock, holder }) =>
      say`${threadPart(tables, task)} waits for ${lockPart(tables, lock)}, held by ${threadPart(tables, holder)}`,
  );
  const joined: Part[] = clauses.flatMap((clause, i) => (i === 0 ? clause : say`; ${clause}`));
  const names = listOf(circle.map(({ task }) => threadPart(tables, task)));
  return [
    say`${joined}.${noticed}`,
    say`${joined}.`,
    say`${names} wait for each other's locks in a circle.${noticed}`,
    say`${formatInt(circle.length)} threads wait for each other's locks in a circle.${noticed}`,
  ];
}

/** Up to three by name, the others counted: `a, b, c and 2 more`. */
function threadsText(tables: NameTables, tasks: readonly TaskId[]): Sentence {
  const rest = tasks.length - 3;
  const more: Part = { part: 'text', text: `${formatInt(rest)} more` };
  return listOf([...tasks.slice(0, 3).map((task) => threadPart(tables, task)), ...(rest > 0 ? [more] : [])]);
}

/** Who waits for whom, who runs instead and how long, and whether anything bounds it. */
function inversionSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const waits = factOf(verdict, 'waitsFor');
  const waited = factOf(verdict, 'waitedFor');
  if (waits === undefined || waited === undefined) return plainSentences(tables, verdict);
  const ran = factsOf(verdict, 'ranInstead');
  const self = threadPart(tables, waits.task);
  const holder = threadPart(tables, waits.holder);
  const lock = lockPart(tables, waits.lock);
  const sumNs = ran.reduce((sum, { ns }) => sum + ns, 0);
  const first = ran[0];
  if (first === undefined) {
    const head = say`${self} waits ${spanPart(waited.ns)} for ${lock}, held by ${holder}`;
    return factOf(verdict, 'inversionBound')?.bounded === true
      ? [
          say`${head}, which inherits its priority: what ${holder} does with the lock bounds the wait.`,
          say`${head}: bounded by inheritance.`,
        ]
      : [say`${head}.`];
  }
  // Several waits are told as one finding: the longest of them, and what ran in all of them.
  const longest = sumNs > waited.ns ? ' at longest' : '';
  const inAll = sumNs > waited.ns ? ' in all' : '';
  const head = say`${self} waits ${spanPart(waited.ns)}${longest} for ${lock}, held by ${holder}`;
  const names = threadsText(
    tables,
    ran.map(({ by }) => by),
  );
  const runs = ran.length === 1 ? 'runs' : 'run';
  const count = `${formatInt(ran.length)} ${ran.length === 1 ? 'thread' : 'threads'}`;
  return [
    say`${head}. Meanwhile ${names}, no stronger than ${self}, ${runs} ${spanPart(sumNs)}${inAll}: nothing bounds the wait.`,
    say`${head}. Meanwhile ${names} ${runs} ${spanPart(sumNs)}${inAll}.`,
    say`${head}. Meanwhile ${count} ${runs} ${spanPart(sumNs)}${inAll}.`,
    say`${self} waits ${spanPart(waited.ns)}${longest} while ${count} no stronger ${runs} ${spanPart(sumNs)}${inAll}.`,
  ];
}

/** Who is late how often, the worst first. */
function overloadSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const missed = [...factsOf(verdict, 'missed')].sort((a, b) => b.worstNs - a.worstNs);
  const worst = missed[0];
  const demand = factOf(verdict, 'demand');
  if (worst === undefined) {
    return demand === undefined ? plainSentences(tables, verdict) : [say`${capitalised(factClause(tables, demand))}.`];
  }
  const times = missed.reduce((sum, one) => sum + one.times, 0);
  const short = say`${formatInt(missed.length)} threads are late, ${timesText(times)} in all; the worst is ${threadPart(tables, worst.task)}, by ${spanPart(worst.worstNs)}.`;
  if (missed.length > 3) return [short];
  const clauses = missed.flatMap((fact, i) =>
    i === 0 ? missedClause(tables, fact) : say`; ${missedClause(tables, fact)}`,
  );
  return missed.length === 1 ? [say`${clauses}.`] : [say`${clauses}.`, short];
}

/** What stops whom, for how long and how often. */
function throttledSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const fact = factOf(verdict, 'throttledFor');
  if (fact === undefined) return plainSentences(tables, verdict);
  const { tasks } = verdict;
  const all = tasks.length === 0 ? say`its threads` : threadsText(tables, tasks);
  const counted = tasks.length > 1 ? say`${formatInt(tasks.length)} threads` : all;
  const span = spanPart(fact.ns);
  const often = fact.times === 1 ? '' : ' in all';
  switch (fact.what) {
    case 'rt':
      return [all, counted].map(
        (who) =>
          say`Real-time throttling stops the real-time threads of ${cpuPart(fact.cpu)} ${timesText(fact.times)}: ${who} ${tasks.length > 1 ? 'stand' : 'stands'} still for ${span}${often}.`,
      );
    case 'quota': {
      const cause = capitalised(say`${quotaText(tables, fact.group)}`);
      return [all, counted].map((who) => say`${cause} is used up: it holds up ${who} for ${span}${often}.`);
    }
    case 'deadline':
      return [all, counted].map(
        (who) =>
          say`${who} uses up its deadline budget ${timesText(fact.times)} and waits ${span}${often} for the next.`,
      );
    default:
      return assertNever(fact.what);
  }
}

function convoySentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const fact = factOf(verdict, 'queueOn');
  if (fact === undefined) return plainSentences(tables, verdict);
  const lock = lockPart(tables, fact.lock);
  const head = say`${lock} goes from hand to hand ${timesText(fact.handovers)}`;
  const rest = `${formatInt(fact.waiters)} more ${fact.waiters === 1 ? 'waits' : 'wait'}`;
  return [
    say`${head}, each time to a thread that waited: a switch for every ${spanPart(fact.holdNs)} of work, while ${rest}.`,
    say`${head}; each holds it ${spanPart(fact.holdNs)} while ${rest}.`,
  ];
}

function livelockSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const steps = factOf(verdict, 'stepsAtOneInstant');
  if (steps === undefined) return plainSentences(tables, verdict);
  return [say`${capitalised(factClause(tables, steps))}: its program makes no progress in time.`];
}

function starvationSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const starved = threadsText(tables, verdict.tasks);
  const many = verdict.tasks.length > 1;
  const kept = factsOf(verdict, 'cpuKeptBy');
  const end = verdict.forever ? `can never run` : `${many ? 'get' : 'gets'} no CPU`;
  const by = listOf(uniqueTasks(kept).map((task) => threadPart(tables, task)));
  const verb = many ? 'are' : 'is';
  return [
    say`${starved} ${verb} runnable and ${end}: ${by.length > 0 ? by : 'stronger threads'} ${uniqueTasks(kept).length === 1 ? 'keeps' : 'keep'} ${keptCpus(kept)}.`,
    say`${starved} ${verb} runnable and ${end}: stronger threads keep ${keptCpus(kept)}.`,
    say`${verdict.tasks.length} threads are runnable and ${verdict.forever ? 'can never run' : 'get no CPU'}.`,
  ];
}

function uniqueTasks(kept: readonly Extract<Fact, { fact: 'cpuKeptBy' }>[]): readonly TaskId[] {
  return [...new Set(kept.map((fact) => fact.by))];
}

function keptCpus(kept: readonly Extract<Fact, { fact: 'cpuKeptBy' }>[]): string {
  const cpus: CpuId[] = [...new Set(kept.map((fact) => fact.cpu))].sort((x, y) => x - y);
  return cpus.length === 0 ? 'the CPUs' : cpuListText(cpus);
}

/** For a finding whose facts tell less than its kind usually has: who is party to it. */
function plainSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const parties = listOf([
    ...verdict.tasks.slice(0, 4).map((task) => threadPart(tables, task)),
    ...verdict.locks.slice(0, 2).map((lock: LockId) => lockPart(tables, lock)),
  ]);
  const first = verdict.facts[0];
  const cause = first === undefined ? [] : [say`${capitalised(factClause(tables, first))}.`];
  return parties.length === 0 ? [...cause, say`A finding without parties.`] : [...cause, say`It concerns ${parties}.`];
}
