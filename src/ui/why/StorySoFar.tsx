// Before a finding may be known: what the document's author says of the run, up to the playhead. Notes are about the
// run as it was written; once a switch was flipped they would be about another one.

import { useMemo } from 'react';
import { say } from '../../explain/parts.ts';
import type { Note } from '../../scenario/scenario.ts';
import { useAppState } from '../app_context.ts';
import { WhyChain } from './WhyChain.tsx';

const NO_NOTES: readonly Note[] = [];

export function StorySoFar() {
  const scenario = useAppState((s) => s.scenario);
  const asWritten = useAppState((s) => Object.keys(s.settings).length === 0 && s.interventions.length === 0);
  const notes = asWritten ? (scenario?.view.notes ?? NO_NOTES) : NO_NOTES;
  const toldCount = useAppState((s) => notes.filter((note) => note.atNs <= s.playheadNs).length);
  const steps = useMemo(
    () => notes.slice(0, toldCount).map((note) => ({ text: say`${note.text}`, atNs: note.atNs })),
    [notes, toldCount],
  );
  return (
    <>
      <p className="who">{notes.length > 0 ? 'The story so far' : 'Nothing is selected'}</p>
      <h2 className="question">{notes.length > 0 ? scenario?.title : 'What do you want to know?'}</h2>
      {steps.length > 0 ? <WhyChain steps={steps} /> : <p className="answer">{asWritten && scenario?.summary}</p>}
      <p className="hint">
        {steps.length < notes.length
          ? 'Play shows what happens next. Click a stretch of a lane to learn why it is so.'
          : 'Click a stretch of a lane, or an empty one, and read here why it is so.'}
      </p>
    </>
  );
}
