// The chain of steps that leads to what is seen: numbered, each with its instant as a link, the conclusion last.

import { formatMs } from '../../base/format.ts';
import type { WhyStep } from '../../explain/why.ts';
import { useApp } from '../app_context.ts';
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
  const { commands } = useApp();
  return (
    <li className={step.conclusion === undefined ? 'step' : `step conclusion ${step.conclusion}`}>
      <span className="disc" aria-hidden="true">
        {number}
      </span>
      <span className="step-text">
        <SentenceText sentence={step.text} />{' '}
        <button type="button" className="link" onClick={() => commands.goTo(step.atNs)}>
          {formatMs(step.atNs)}
        </button>
      </span>
    </li>
  );
}
