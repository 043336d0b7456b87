// Says to screen readers what was selected.

import { useMemo } from 'react';
import { accessibleText } from '../../explain/state_text.ts';
import { useTrace } from '../app_context.ts';
import { useSelectedSegment } from '../why/use_selected_segment.ts';

export function SelectionAnnouncer() {
  const trace = useTrace();
  const segment = useSelectedSegment();
  const text = useMemo(
    () => (trace === undefined || segment === undefined ? '' : accessibleText(trace, segment)),
    [trace, segment],
  );
  return (
    <div className="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}
