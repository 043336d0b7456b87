// A verdict in words: the word, one sentence of at most 140 characters, one line of time and proof, and the clauses
// of the proof. The whole outcome of a run ("No hang" included) is `describeOutcome`.

import { assertNever } from '../base/assert.ts';
import { formatShort } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import type { CpuId, LockId, TaskId } from '../trace/ids.ts';
import type { Fact, Verdict } from '../trace/verdicts.ts';
import { cpuListText } from './cpu_list_text.ts';
import { factClause, RESCUER_TEXT } from './fact_text.ts';
import { lockPart, type NameTables, threadPart } from './names.ts';
import { capitalised, cpuPart, listOf, type Part, type Sentence, say, spanPart, timePart, toText } from './parts.ts';

export type VerdictTone = 'danger' | 'warn' | 'ok';

export interface VerdictText {
  /** `Hang`, `Stall of 0.54 s`, `No hang`, `Deadlock`: the largest words of the page. */
  readonly word: string;
  readonly tone: VerdictTone;
  /** Who holds, who spins, why it can't change. At most 140 characters where names allow. */
  readonly sentence: Sentence;
  /** Since when and until when, and what that rests on. */
  readonly timeLine: Sentence;
  /** The proof, clause by clause. */
  readonly because: readonly Sentence[];
}

/** A wait for a lock, for the words of a run without findings. */
export interface LockWaitFact {
  readonly lock: string;
  readonly waiter: string;
  /** Undefined where it was not known who held the lock. */
  readonly holder: string | undefined;
  readonly fromNs: Ns;
  readonly waitedNs: Ns;
}

/** A wait that ended. */
export type ClearedWait = LockWaitFact;

export interface RunFacts {
  readonly endNs: Ns;
  /** Longest wait that ended; undefined: none did. */
  readonly longestClearedWait: LockWaitFact | undefined;
  /** Longest wait that the run's end cut off. */
  readonly longestOpenWait?: LockWaitFact | undefined;
  /** Nothing stopped the run early. */
  readonly complete: boolean;
}

/** The outcome of a run in words: its worst finding, or that there is none. `verdicts` worst first, as the simulation gives them. */
export function describeOutcome(tables: NameTables, verdicts: readonly Verdict[], run: RunFacts): VerdictText {
  const worst = verdicts[0];
  return worst === undefined ? describeNoHang(run) : describeVerdict(tables, worst);
}

/** One finding in words. */
export function describeVerdict(tables: NameTables, verdict: Verdict): VerdictText {
  return {
    word: wordOf(verdict),
    tone: verdict.forever || verdict.kind === 'deadlock' || verdict.kind === 'livelock' ? 'danger' : 'warn',
    sentence: shortestFitting(sentencesOf(tables, verdict)),
    timeLine: timeLineOf(tables, verdict),
    because: verdict.facts.map((fact) => factClause(tables, fact)),
  };
}

/** Longest sentence for the page's second line. */
const SENTENCE_MAX = 140;

function describeNoHang(run: RunFacts): VerdictText {
  return {
    word: 'No hang',
    tone: 'ok',
    sentence: noHangSentence(run),
    timeLine: run.complete
      ? say`Seen up to ${timePart(run.endNs)}. Not a proof: run longer, or search for the worst case.`
      : say`The run stopped at ${timePart(run.endNs)}: a bound was reached.`,
    because: [],
  };
}

function noHangSentence({ longestClearedWait, longestOpenWait }: RunFacts): Sentence {
  if (longestOpenWait !== undefined) {
    const { waiter, lock, holder, waitedNs } = longestOpenWait;
    const held = holder === undefined ? say`` : say`, held by ${holder}`;
    return say`When the run ends ${waiter} has waited ${spanPart(waitedNs)} for ${lock}${held}.`;
  }
  return longestClearedWait === undefined ? say`No thread waits for a lock.` : clearedSentence(longestClearedWait);
}

function clearedSentence(wait: LockWaitFact): Sentence {
  const span = spanPart(wait.waitedNs);
  if (wait.holder === undefined) return say`${wait.waiter} gets ${wait.lock} after ${span}, the longest wait.`;
  return say`${wait.holder} runs and releases ${wait.lock}. The longest wait, of ${wait.waiter}, clears after ${span}.`;
}

function wordOf(verdict: Verdict): string {
  const lengthText = formatShort(verdict.toNs - verdict.fromNs);
  switch (verdict.kind) {
    case 'rt-spin-hang':
      return verdict.forever ? 'Hang' : `Stall of ${lengthText}`;
    case 'boost-without-weight':
      return `Stall of ${lengthText}`;
    case 'deadlock':
      return 'Deadlock';
    case 'livelock':
      return 'Livelock';
    case 'starvation':
      return 'Starvation';
    case 'priority-inversion':
      return 'Priority inversion';
    case 'overload':
      return 'Overload';
    case 'throttled':
      return 'Throttled';
    case 'convoy':
      return 'Convoy';
    default:
      return assertNever(verdict.kind);
  }
}

/** Ways to say it, the fullest first. */
function sentencesOf(tables: NameTables, verdict: Verdict): readonly Sentence[] {
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
  const rescue = factsOf(verdict, 'rescue').find((fact) => fact.state === 'acts');
  if (!verdict.forever && rescue !== undefined) {
    const who = capitalised(say`${RESCUER_TEXT[rescue.by]}`);
    return [
      say`${kept(verdict, spins)} spin on ${lock}, held by ${holder}. ${who} lets ${holder} run.`,
      say`${who} lets ${holder} run and release ${lock}.`,
    ];
  }
  const where = runnableText(verdict, holds.task);
  const end = verdict.forever ? 'can never run' : 'gets no CPU';
  return [
    say`${kept(verdict, spins)} spin on ${lock}. ${holder} holds it, is runnable${where} and ${end}.`,
    say`${holder} holds ${lock}, is runnable and ${end}.`,
  ];
}

/** `All 4 CPUs`, or the CPUs by number where the holder may use others too few to help. */
function kept(verdict: Verdict, spins: readonly Extract<Fact, { fact: 'spinsOn' }>[]): string {
  const cpus = [...new Set(spins.map((fact) => fact.cpu))].sort((x, y) => x - y);
  const mayUse = factOf(verdict, 'mayUse')?.cpus ?? [];
  const all = cpus.length > 1 && cpus.length === mayUse.length && cpus.every((cpu, i) => cpu === i && mayUse[i] === i);
  return all ? `All ${cpus.length} CPUs` : cpuListText(cpus);
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

function timeLineOf(tables: NameTables, verdict: Verdict): Sentence {
  const from = timePart(verdict.fromNs);
  if (verdict.forever) return say`From ${from}, for ever: ${proofText(verdict)}.`;
  const rescue = factsOf(verdict, 'rescue').find((fact) => fact.state === 'acts');
  const by = rescue === undefined ? say`` : say`, then ${factClause(tables, rescue)}`;
  if (verdict.ended)
    return say`From ${from} to ${timePart(verdict.toNs)}, ${spanPart(verdict.toNs - verdict.fromNs)}${rescue === undefined ? '' : endedBy(rescue.by)}.`;
  return say`From ${from}, still so when the run ends at ${timePart(verdict.toNs)}${by}.`;
}

function endedBy(by: Extract<Fact, { fact: 'rescue' }>['by']): string {
  return `: ended by ${RESCUER_TEXT[by]}`;
}

function proofText(verdict: Verdict): string {
  if (verdict.kind === 'deadlock') return 'each waits for a lock that only another of them can release';
  if (verdict.kind === 'livelock') return 'time does not go on';
  return 'no timer, wake-up or throttle is left that could stop it';
}

function shortestFitting(sentences: readonly Sentence[]): Sentence {
  return sentences.find((sentence) => toText(sentence).length <= SENTENCE_MAX) ?? sentences.at(-1) ?? [];
}

function factOf<K extends Fact['fact']>(verdict: Verdict, kind: K): Extract<Fact, { fact: K }> | undefined {
  return factsOf(verdict, kind)[0];
}

function factsOf<K extends Fact['fact']>(verdict: Verdict, kind: K): readonly Extract<Fact, { fact: K }>[] {
  return verdict.facts.filter((fact): fact is Extract<Fact, { fact: K }> => fact.fact === kind);
}
