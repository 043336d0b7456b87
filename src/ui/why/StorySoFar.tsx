// What the document's author says of the run, up to the playhead. Notes are about the run as it was written; once a
// switch was flipped they would be about another one.

import { useMemo } from 'react';
import { say } from '../../explain/parts.ts';
import type { WhyStep } from '../../explain/why.ts';
import type { Note } from '../../scenario/scenario.ts';
import { useAppState } from '../app_context.ts';
import { WhyChain } from './WhyChain.tsx';

const NO_NOTES: readonly Note[] = [];

export function StorySoFar() {
  const scenario = useAppState((s) => s.scenario);
  const { steps, all, asWritten } = useNotes();
  return (
    <>
      <p className="who">{all > 0 ? 'The story so far' : 'Nothing is selected'}</p>
      <h2 className="question">{all > 0 ? scenario?.title : 'What do you want to know?'}</h2>
      {steps.length > 0 ? <WhyChain steps={steps} /> : <p className="answer">{asWritten && scenario?.summary}</p>}
      <p className="hint">
        {steps.length < all
          ? 'Play shows what happens next. Click a stretch of a lane to learn why it is so.'
          : 'Click a stretch of a lane, or an empty one, to learn why it is so.'}
      </p>
    </>
  );
}

/** The notes alone, folded, for below a finding. */
export function StoryNotes() {
  const summary = useAppState((s) => s.scenario?.summary);
  const { steps, asWritten } = useNotes();
  if (!asWritten || (steps.length === 0 && (summary ?? '') === '')) return null;
  return (
    <details className="proof">
      <summary>What the author says</summary>
      <p>{summary}</p>
      {steps.length > 0 && <WhyChain steps={steps} />}
    </details>
  );
}

function useNotes(): { readonly steps: readonly WhyStep[]; readonly all: number; readonly asWritten: boolean } {
  const scenario = useAppState((s) => s.scenario);
  const asWritten = useAppState((s) => Object.keys(s.settings).length === 0 && s.interventions.length === 0);
  const notes = asWritten ? (scenario?.view.notes ?? NO_NOTES) : NO_NOTES;
  const toldCount = useAppState((s) => notes.filter((note) => note.atNs <= s.playheadNs).length);
  const steps = useMemo(
    () => notes.slice(0, toldCount).map((note) => ({ text: say`${note.text}`, atNs: note.atNs })),
    [notes, toldCount],
  );
  return { steps, all: notes.length, asWritten };
}
