// With nothing selected: why the run's worst finding is so, once the reader may know it. The thread that waits is asked
// for; the clauses that prove the verdict stand below, folded.

import { useMemo } from 'react';
import { capitalised } from '../../explain/parts.ts';
import type { VerdictText } from '../../explain/verdict_text.ts';
import { useAppState, useTrace } from '../app_context.ts';
import { SentenceText } from '../parts/SentenceText.tsx';
import { segmentAt } from '../timeline/follow.ts';
import { proofSegment } from '../verdict/proof_segment.ts';
import { useOutcomeText } from '../verdict/use_outcome_text.ts';
import { SelectedSegment } from './SelectedSegment.tsx';
import { StorySoFar } from './StorySoFar.tsx';

export function ProofSteps() {
  const trace = useTrace();
  const text = useOutcomeText();
  const worst = useAppState((s) => s.summary?.verdicts[0]);
  const hidden = useAppState(
    (s) => (s.veiled || s.play === 'playing') && s.playheadNs < (s.summary?.verdicts[0]?.fromNs ?? 0),
  );
  const segment = useMemo(
    () => (trace === undefined || worst === undefined ? undefined : segmentAt(trace, proofSegment(trace, worst))),
    [trace, worst],
  );
  if (text === undefined || text.because.length === 0 || hidden) return <StorySoFar />;
  return (
    <>
      {segment !== undefined && <SelectedSegment segment={segment} />}
      <Proof text={text} open={segment === undefined} />
    </>
  );
}

function Proof({ text, open }: { readonly text: VerdictText; readonly open: boolean }) {
  return (
    <details className="proof" open={open}>
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
