// "What would clear it, from here": each fix with the outcome of a real run; a press makes it so.

import { formatMs } from '../../base/format.ts';
import type { Fix } from '../../store/index.ts';
import { useApp, useAppState } from '../app_context.ts';
import { settingText } from '../experiment/setting_words.ts';
import { Icon } from '../parts/Icon.tsx';
import { OutcomeWord } from './OutcomeWord.tsx';

export function FixesFoot() {
  const list = useAppState((s) => s.fixList);
  if (list === undefined || list.fixes.length === 0) return null;
  return (
    <div className="fixes">
      <h3>What would clear it, from here</h3>
      <p className="visually-hidden">From {formatMs(list.atNs)}</p>
      <ul>
        {list.fixes.map((fix) => (
          <FixRow key={`${fix.setting}=${fix.value}`} fix={fix} />
        ))}
      </ul>
    </div>
  );
}

const NO_TOGGLES: readonly never[] = [];

function FixRow({ fix }: { readonly fix: Fix }) {
  const { commands } = useApp();
  const toggles = useAppState((s) => s.scenario?.toggles ?? NO_TOGGLES);
  return (
    <li>
      <button type="button" className="fix" onClick={() => commands.applyFix(fix)}>
        <span className="fix-name">
          {settingText(fix.setting, fix.value, toggles)}
          {fix.applies === 'start' && <span className="reason">, from the start</span>}
        </span>
        <OutcomeWord outcome={fix.outcome} />
        <Icon name="arrow" sizePx={14} />
      </button>
    </li>
  );
}
