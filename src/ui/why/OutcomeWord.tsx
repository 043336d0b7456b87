// How a run would end, in a few words with their glyph.

import { formatShort } from '../../base/format.ts';
import type { Fix, Outcome } from '../../store/index.ts';
import { useAppState } from '../app_context.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';

interface Words {
  readonly tone: 'ok' | 'warn' | 'danger';
  readonly icon: IconName;
  readonly text: string;
}

export function OutcomeWord({ outcome }: { readonly outcome: Fix['outcome'] }) {
  const worst = useAppState((s) => s.summary?.verdicts[0]?.kind);
  if (outcome === undefined) return <span className="outcome reason">not yet run</span>;
  if (outcome === 'failed') return <span className="outcome reason">does not run</span>;
  const { tone, icon, text } = wordsOf(outcome.ends === 'other' && outcome.kind === worst ? { ends: 'same' } : outcome);
  return (
    <span className={`outcome ${tone}`}>
      <Icon name={icon} sizePx={13} />
      {text}
    </span>
  );
}

function wordsOf(outcome: Outcome): Words {
  switch (outcome.ends) {
    case 'clear':
      return { tone: 'ok', icon: 'clear', text: 'no hang' };
    case 'clears':
      return { tone: 'ok', icon: 'clear', text: `clears in ${formatShort(outcome.afterNs)}` };
    case 'same':
      return { tone: 'warn', icon: 'stall', text: 'no change' };
    case 'stall':
      return { tone: 'warn', icon: 'stall', text: `stall, ${formatShort(outcome.lengthNs)}` };
    case 'hang':
      return { tone: 'danger', icon: 'hang', text: 'still hangs' };
    case 'other':
      return { tone: 'warn', icon: 'stall', text: outcome.kind.replaceAll('-', ' ') };
  }
}
