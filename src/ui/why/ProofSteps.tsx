// With nothing selected: the proof of the run's worst finding, clause by clause, once the reader may know it.

import { useAppState } from '../app_context.ts';
import { SentenceText } from '../parts/SentenceText.tsx';
import { useOutcomeText } from '../verdict/use_outcome_text.ts';

export function ProofSteps() {
  const text = useOutcomeText();
  const hidden = useAppState(
    (s) => (s.veiled || s.play === 'playing') && s.playheadNs < (s.summary?.verdicts[0]?.fromNs ?? 0),
  );
  if (text === undefined || text.because.length === 0 || hidden) return <Hint />;
  const last = text.because.length - 1;
  return (
    <>
      <p className="who">The finding of this run</p>
      <h2 className="question">Why does this happen?</h2>
      <p className="answer">
        <SentenceText sentence={text.sentence} />
      </p>
      <ol className="chain">
        {text.because.map((clause, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: clauses never change their order
          <li key={i} className={i === last ? `step conclusion ${text.tone}` : 'step'}>
            <span className="disc" aria-hidden="true">
              {i + 1}
            </span>
            <span className="step-text">
              <SentenceText sentence={clause} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Hint() {
  return (
    <>
      <p className="who">Nothing is selected</p>
      <h2 className="question">What do you want to know?</h2>
      <p className="answer">
        Click a stretch of a lane, or an empty one, and read here why it is so. Play shows how it comes about.
      </p>
    </>
  );
}
