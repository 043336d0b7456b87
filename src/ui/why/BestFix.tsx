// The first fix that clears the finding, as one button: what a phone shows of the list while the sheet is folded.

import type { Fix } from '../../store/index.ts';
import { useApp, useAppState } from '../app_context.ts';
import { settingText } from '../experiment/setting_words.ts';

const NO_TOGGLES: readonly never[] = [];

export function BestFix() {
  const { commands } = useApp();
  const best = useAppState((s) => s.fixList?.fixes.find(clears));
  const toggles = useAppState((s) => s.scenario?.toggles ?? NO_TOGGLES);
  if (best === undefined) return null;
  return (
    <button type="button" className="button filled best-fix" onClick={() => commands.applyFix(best)}>
      Try {settingText(best.setting, best.value, toggles)} {best.applies === 'here' ? 'from here' : ''}
    </button>
  );
}

/** A back-off is what the story is about; other ways out count too. */
function clears({ outcome, applies }: Fix): boolean {
  return applies === 'here' && typeof outcome === 'object' && (outcome.ends === 'clears' || outcome.ends === 'clear');
}
