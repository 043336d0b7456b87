// Whether a flip acts on the whole run or from the playhead on.

import { useApp, useAppState } from '../app_context.ts';
import { RadioGroup } from '../parts/RadioGroup.tsx';

const OPTIONS = [
  { value: 'start', label: 'from the start', shown: 'start', title: 'A flip changes the whole run' },
  { value: 'here', label: 'from here', shown: 'here', title: 'A flip changes the run from the playhead on' },
] as const;

export function ApplyChoice() {
  const { setApplyMode } = useApp().store.getState();
  const mode = useAppState((s) => s.applyMode);
  return (
    <span className="apply-choice">
      <RadioGroup label="Apply" caption="Apply from" value={mode} options={OPTIONS} onChange={setApplyMode} />
    </span>
  );
}
