// The answer, the largest thing on the page: word and glyph, one sentence, one line of time and proof.
// It changes only when the run does.

import { formatMs } from '../../base/format.ts';
import type { VerdictText } from '../../explain/verdict_text.ts';
import { useApp, useAppState, useTrace } from '../app_context.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { SentenceText } from '../parts/SentenceText.tsx';
import { proofSegment } from './proof_segment.ts';
import { useOutcomeText } from './use_outcome_text.ts';

const GLYPHS: Readonly<Record<VerdictText['tone'], IconName>> = { danger: 'hang', warn: 'stall', ok: 'clear' };

export function Verdict() {
  const text = useOutcomeText();
  return (
    <section className="verdict" data-tone={text?.tone ?? 'none'} aria-label="Outcome">
      <div className="verdict-status" role="status" aria-label="Verdict" aria-atomic="true">
        {text === undefined ? <NoOutcome /> : <Outcome text={text} />}
      </div>
      <ProofButton />
    </section>
  );
}

function Outcome({ text }: { readonly text: VerdictText }) {
  return (
    <>
      <div className="verdict-block">
        <Icon name={GLYPHS[text.tone]} sizePx={26} />
        <strong className="verdict-word">{text.word}</strong>{' '}
      </div>
      <div className="verdict-text">
        <p className="verdict-sentence">
          <SentenceText sentence={text.sentence} />
        </p>{' '}
        <p className="verdict-line">
          <SentenceText sentence={text.timeLine} />
        </p>
      </div>
    </>
  );
}

function NoOutcome() {
  const status = useAppState((s) => s.status);
  const watermark = useAppState((s) => formatMs(s.watermarkNs, 0));
  return (
    <>
      <div className="verdict-block">
        <strong className="verdict-word">{status === 'error' ? 'No run' : 'Running'}</strong>{' '}
      </div>
      <div className="verdict-text">
        <p className="verdict-sentence">
          {status === 'error' ? 'The message above says why.' : `Simulated up to ${watermark}.`}
        </p>
      </div>
    </>
  );
}

function ProofButton() {
  const { store, commands } = useApp();
  const trace = useTrace();
  const worst = useAppState((s) => s.summary?.verdicts[0]);
  if (worst === undefined || trace === undefined) return null;
  const segment = proofSegment(trace, worst);
  if (segment === undefined) return null;
  return (
    <button
      type="button"
      className="button outlined proof-button"
      onClick={() => {
        store.getState().select(segment);
        commands.goTo(worst.fromNs);
      }}
    >
      Show the proof
    </button>
  );
}
