// With nothing selected: why the run's worst finding is so. Its question, its answer and the chain that proves it;
// below, folded, every clause of the proof and what the document's author says. A run without findings has its notes alone.

import { useMemo } from 'react';
import { capitalised } from '../../explain/parts.ts';
import type { VerdictText } from '../../explain/verdict_text.ts';
import type { Why } from '../../explain/why.ts';
import { explainClear, explainVerdict } from '../../explain/why_verdict.ts';
import type { Verdict } from '../../trace/verdicts.ts';
import { useAppState, useTrace } from '../app_context.ts';
import { SentenceText } from '../parts/SentenceText.tsx';
import { longestEndedWait, useOutcomeText } from '../verdict/use_outcome_text.ts';
import { StoryNotes, StorySoFar } from './StorySoFar.tsx';
import { WhyChain } from './WhyChain.tsx';

export function ProofSteps() {
  const text = useOutcomeText();
  const worst = useAppState((s) => s.summary?.verdicts[0]);
  if (text === undefined || worst === undefined) return <ClearWhy />;
  return (
    <>
      <FindingWhy verdict={worst} />
      {text.because.length > 0 && <Proof text={text} />}
      <StoryNotes />
      <p className="hint">Click a stretch of a lane, or an empty one, to learn why it is so.</p>
    </>
  );
}

function FindingWhy({ verdict }: { readonly verdict: Verdict }) {
  const trace = useTrace();
  const why = useMemo(() => (trace === undefined ? undefined : explainVerdict(trace, verdict)), [trace, verdict]);
  return why === undefined ? null : <Chain head="The finding, step by step" why={why} />;
}

/** A run without findings: how its longest wait ended, where there was one. */
function ClearWhy() {
  const trace = useTrace();
  const locks = useAppState((s) => s.summary?.result.locks);
  const why = useMemo(() => {
    const wait = trace === undefined || locks === undefined ? undefined : longestEndedWait(locks, trace);
    return trace === undefined || wait === undefined ? undefined : explainClear(trace, wait);
  }, [trace, locks]);
  if (why === undefined) return <StorySoFar />;
  return (
    <>
      <Chain head="Nothing hangs" why={why} />
      <StoryNotes />
      <p className="hint">Click a stretch of a lane, or an empty one, to learn why it is so.</p>
    </>
  );
}

function Chain({ head, why }: { readonly head: string; readonly why: Why }) {
  return (
    <>
      <p className="who">{head}</p>
      <h2 className="question">
        <SentenceText sentence={why.question} />
      </h2>
      <p className="answer">
        <SentenceText sentence={why.answer} />
      </p>
      <WhyChain steps={why.steps} />
    </>
  );
}

function Proof({ text }: { readonly text: VerdictText }) {
  return (
    <details className="proof">
      <summary>The proof, clause by clause</summary>
      <ol>
        {text.because.map((clause, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: clauses never change their order
          <li key={i}>
            <SentenceText sentence={capitalised(clause)} />
          </li>
        ))}
      </ol>
    </details>
  );
}
