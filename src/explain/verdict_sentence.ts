// The one sentence of a verdict, by its kind: who is party to it and why it can't change. Several ways to say it,
// the fullest first, since names may be long.

import { assertNever } from '../base/assert.ts';
import type { CpuId, LockId, TaskId } from '../trace/ids.ts';
import type { Fact, Verdict } from '../trace/verdicts.ts';
import { cpuListText } from './cpu_list_text.ts';
import { factClause, RESCUER_TEXT } from './fact_text.ts';
import { factOf, factsOf, rescueOf } from './facts.ts';
import { lockPart, type NameTables, threadPart } from './names.ts';
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
    case 'overload':
    case 'throttled':
    case 'convoy':
      return plainSentences(tables, verdict);
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
  const holds = factsOf(verdict, 'holds');
  if (holds.length < 2) return plainSentences(tables, verdict);
  const clauses = holds.map((fact, i) => {
    const next = holds[(i + 1) % holds.length]!;
    return say`${threadPart(tables, fact.task)} waits for ${lockPart(tables, next.lock)}, held by ${threadPart(tables, next.task)}`;
  });
  const joined: Part[] = clauses.flatMap((clause, i) => (i === 0 ? clause : say`; ${clause}`));
  return [say`${joined}.`, say`${holds.length} threads wait for each other's locks in a circle.`];
}

function livelockSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const steps = factOf(verdict, 'stepsAtOneInstant');
  if (steps === undefined) return plainSentences(tables, verdict);
  return [say`${capitalised(factClause(tables, steps))}: its program makes no progress in time.`];
}

function starvationSentences(tables: NameTables, verdict: Verdict): readonly Sentence[] {
  const starved = listOf(verdict.tasks.slice(0, 3).map((task) => threadPart(tables, task)));
  const more = verdict.tasks.length > 3 ? ` and ${verdict.tasks.length - 3} more` : '';
  const many = verdict.tasks.length > 1;
  const kept = factsOf(verdict, 'cpuKeptBy');
  const end = verdict.forever ? `can never run` : `${many ? 'get' : 'gets'} no CPU`;
  const by = listOf(uniqueTasks(kept).map((task) => threadPart(tables, task)));
  const verb = many ? 'are' : 'is';
  return [
    say`${starved}${more} ${verb} runnable and ${end}: ${by.length > 0 ? by : 'stronger threads'} ${uniqueTasks(kept).length === 1 ? 'keeps' : 'keep'} ${keptCpus(kept)}.`,
    say`${starved}${more} ${verb} runnable and ${end}: stronger threads keep ${keptCpus(kept)}.`,
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
