// The region "Why": what stands at the selection and why, else the proof of the run's finding; at its foot what would clear it.

import { useApp, useAppState } from '../app_context.ts';
import { Icon } from '../parts/Icon.tsx';
import { BestFix } from './BestFix.tsx';
import { FixesFoot } from './FixesFoot.tsx';
import { ProofSteps } from './ProofSteps.tsx';
import { SelectedSegment } from './SelectedSegment.tsx';
import { useSelectedSegment } from './use_selected_segment.ts';

interface WhyPanelProps {
  /** As a sheet or a drawer it can be opened and closed. */
  readonly sheet: boolean;
  readonly expanded: boolean;
  onExpand(expanded: boolean): void;
}

export function WhyPanel({ sheet, expanded, onExpand }: WhyPanelProps) {
  const segment = useSelectedSegment();
  const { store } = useApp();
  const hasSelection = useAppState((s) => s.selection !== undefined);
  return (
    <section className="why" aria-label="Why" tabIndex={-1} id="why" data-expanded={expanded}>
      {sheet && (
        <button type="button" className="sheet-handle" aria-expanded={expanded} onClick={() => onExpand(!expanded)}>
          <span className="visually-hidden">{expanded ? 'Fold why' : 'Unfold why'}</span>
        </button>
      )}
      <div className="why-body">
        {segment === undefined ? <ProofSteps /> : <SelectedSegment segment={segment} />}
        {hasSelection && (
          <button
            type="button"
            className="button square why-close"
            aria-label="Let go of the selection"
            onClick={() => store.getState().select(undefined)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {sheet && (
        <div className="sheet-foot">
          <button
            type="button"
            className="button outlined more-button"
            aria-hidden={expanded}
            onClick={() => onExpand(true)}
          >
            Steps
            <Icon name="up" sizePx={14} />
          </button>
          <BestFix />
        </div>
      )}
      <FixesFoot />
    </section>
  );
}
