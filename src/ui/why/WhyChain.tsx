// The chain of steps that leads to what is seen: numbered, each with its instant as a link, the conclusion last.

import { formatMs } from '../../base/format.ts';
import { capitalised, type Sentence, say, toText } from '../../explain/parts.ts';
import type { WhyStep } from '../../explain/why.ts';
import { threadSlots } from '../../view/slots.ts';
import { useApp, useAppState, useTrace } from '../app_context.ts';
import { SentenceText } from '../parts/SentenceText.tsx';

export function WhyChain({ steps }: { readonly steps: readonly WhyStep[] }) {
  return (
    <ol className="chain">
      {steps.map((step, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps never change their order
        <ChainStep key={i} step={step} number={i + 1} />
      ))}
    </ol>
  );
}

function ChainStep({ step, number }: { readonly step: WhyStep; readonly number: number }) {
  // While the future is veiled, what has not happened yet stands back.
  const ahead = useAppState((s) => (s.veiled || s.play === 'playing') && s.playheadNs < step.atNs);
  const classes = ['step', step.conclusion === undefined ? '' : `conclusion ${step.conclusion}`, ahead ? 'ahead' : ''];
  return (
    <li className={classes.join(' ')}>
      <span className="disc" aria-hidden="true">
        {number}
      </span>
      <span className="step-text">
        <SentenceText sentence={fullSentence(step.text)} />{' '}
        {step.rows === undefined || step.rows.length < 2 ? <TimeLink atNs={step.atNs} /> : <Rows rows={step.rows} />}
      </span>
    </li>
  );
}

/** Steps of one chain come from clauses and from sentences: on the page each is a sentence. */
function fullSentence(text: Sentence): Sentence {
  // Names of functions and of threads like worker/0 keep their spelling.
  const sentence = /^\w*[_/:]/.test(toText(text)) ? text : capitalised(text);
  return /[.:?]$/.test(toText(sentence)) ? sentence : say`${sentence}.`;
}

function TimeLink({ atNs }: { readonly atNs: number }) {
  const { commands } = useApp();
  return (
    <button type="button" className="link" onClick={() => commands.goTo(atNs)}>
      {formatMs(atNs)}
    </button>
  );
}

/** More rows than this are counted. */
const MAX_ROWS = 8;

/** Threads that do the same, each on its CPU from its instant on. */
function Rows({ rows }: { readonly rows: NonNullable<WhyStep['rows']> }) {
  const trace = useTrace();
  if (trace === undefined) return null;
  const slots = threadSlots(trace.tasks);
  return (
    <>
      {rows.slice(0, MAX_ROWS).map(({ task, cpu, atNs }) => (
        <span className="step-row" key={task}>
          <span className="step-cpu">CPU {cpu}</span>
          <span
            className="chip-hatch"
            style={{ color: `var(--thread-${(slots[task] ?? 0) + 1})` }}
            aria-hidden="true"
          />
          <span className="step-thread">{trace.tasks[task]?.name}</span>
          <TimeLink atNs={atNs} />
        </span>
      ))}
      {rows.length > MAX_ROWS && <span className="step-row">and {rows.length - MAX_ROWS} more</span>}
    </>
  );
}
