// A verdict in words: the word, one sentence of at most 140 characters, one line of time and proof, and the clauses
// of the proof. The whole outcome of a run ("No hang" included) is `describeOutcome`.

import { assertNever } from '../base/assert.ts';
import { formatShort } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import type { Fact, Verdict } from '../trace/verdicts.ts';
import { factClause, RESCUER_TEXT } from './fact_text.ts';
import { factOf, rescueOf } from './facts.ts';
import { lockPart, type NameTables, threadPart } from './names.ts';
import { type Part, type Sentence, say, spanPart, timePart, toText } from './parts.ts';
import { sentencesOf } from './verdict_sentence.ts';

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
  return worst === undefined ? describeNoHang(tables, run) : describeVerdict(tables, worst);
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

function describeNoHang(tables: NameTables, run: RunFacts): VerdictText {
  return {
    word: 'No hang',
    tone: 'ok',
    sentence: noHangSentence(tables, run),
    timeLine: run.complete
      ? say`Seen up to ${timePart(run.endNs)}. Not a proof: run longer, or search for the worst case.`
      : say`The run stopped at ${timePart(run.endNs)}: a bound was reached.`,
    because: [],
  };
}

function noHangSentence(tables: NameTables, { longestClearedWait, longestOpenWait }: RunFacts): Sentence {
  // A short wait that the end happens to cut off says less than the longest one that was seen.
  if (longestOpenWait !== undefined && longestOpenWait.waitedNs >= (longestClearedWait?.waitedNs ?? 0)) {
    const { waiter, lock, holder } = partsOf(tables, longestOpenWait);
    const held = holder === undefined ? say`` : say`, held by ${holder}`;
    return say`When the run ends ${waiter} has waited ${spanPart(longestOpenWait.waitedNs)} for ${lock}${held}.`;
  }
  // A wait that ends at the instant at which it begins is none.
  return longestClearedWait === undefined || longestClearedWait.waitedNs === 0
    ? say`No thread waits for a lock.`
    : clearedSentence(tables, longestClearedWait);
}

function clearedSentence(tables: NameTables, wait: LockWaitFact): Sentence {
  const span = spanPart(wait.waitedNs);
  const { waiter, lock, holder } = partsOf(tables, wait);
  if (holder === undefined) return say`${waiter} gets ${lock} after ${span}, the longest wait.`;
  return say`${holder} runs and releases ${lock}. The longest wait for it: ${span}, by ${waiter}.`;
}

interface WaitParts {
  readonly waiter: Part;
  readonly lock: Part;
  readonly holder: Part | undefined;
}

/** The names of a wait as parts; a name that the tables lack stands as text. */
function partsOf(tables: NameTables, wait: LockWaitFact): WaitParts {
  const thread = (name: string): Part => {
    const task = tables.tasks.findIndex((one) => one.name === name);
    return task < 0 ? { part: 'text', text: name } : threadPart(tables, task);
  };
  const lock = tables.locks.findIndex((one) => one.name === wait.lock);
  return {
    waiter: thread(wait.waiter),
    lock: lock < 0 ? { part: 'text', text: wait.lock } : lockPart(tables, lock),
    holder: wait.holder === undefined ? undefined : thread(wait.holder),
  };
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

function timeLineOf(tables: NameTables, verdict: Verdict): Sentence {
  const from = timePart(verdict.fromNs);
  if (verdict.forever) return say`From ${from}, for ever: ${proofText(verdict)}.`;
  const rescue = rescueOf(verdict);
  const by = rescue === undefined ? say`` : say`, then ${factClause(tables, rescue)}`;
  if (comesAndGoes(verdict)) {
    if (verdict.fromNs === verdict.toNs) return say`At ${from}.`;
    const end = verdict.ended ? say`` : say`, and still so when the run ends`;
    return say`Between ${from} and ${timePart(verdict.toNs)}${end}.`;
  }
  if (verdict.ended)
    return say`From ${from} to ${timePart(verdict.toNs)}, ${spanPart(verdict.toNs - verdict.fromNs)}${rescue === undefined ? '' : endedBy(rescue.by)}.`;
  return say`From ${from}, still so when the run ends at ${timePart(verdict.toNs)}${by}.`;
}

/** Findings that sum up what happens now and then: not so all the time from their start to their end. */
function comesAndGoes(verdict: Verdict): boolean {
  const throttled = factOf(verdict, 'throttledFor');
  return verdict.kind === 'overload' || (throttled !== undefined && throttled.times > 1);
}

function endedBy(by: Extract<Fact, { fact: 'rescue' }>['by']): string {
  return `: ended by ${RESCUER_TEXT[by]}`;
}

function proofText(verdict: Verdict): string {
  if (verdict.kind === 'deadlock')
    return verdict.tasks.length === 1
      ? 'only the thread that waits could release it'
      : 'each waits for a lock that only another of them can release';
  if (verdict.kind === 'livelock') return 'time does not go on';
  return 'no timer, wake-up or throttle is left that could stop it';
}

function shortestFitting(sentences: readonly Sentence[]): Sentence {
  return sentences.find((sentence) => toText(sentence).length <= SENTENCE_MAX) ?? sentences.at(-1) ?? [];
}
