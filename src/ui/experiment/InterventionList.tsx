// What was flipped on the way: one chip for each instant, which leads there and can be taken back.

import { formatNs } from '../../base/format.ts';
import type { InterventionSpec } from '../../store/index.ts';
import { useApp, useAppState } from '../app_context.ts';
import { Icon } from '../parts/Icon.tsx';
import { settingText } from './setting_words.ts';

export function InterventionList() {
  const interventions = useAppState((s) => s.interventions);
  if (interventions.length === 0) return null;
  return (
    <ul className="interventions" aria-label="Flipped on the way">
      {interventions.map((one) => (
        <Chip key={one.atNs} intervention={one} />
      ))}
    </ul>
  );
}

const NO_TOGGLES: readonly never[] = [];

function Chip({ intervention: { atNs, set } }: { readonly intervention: InterventionSpec }) {
  const { store, commands } = useApp();
  const toggles = useAppState((s) => s.scenario?.toggles ?? NO_TOGGLES);
  const what = Object.entries(set)
    .map(([setting, value]) => settingText(setting, value, toggles))
    .join(', ');
  return (
    <li className="chip">
      <button type="button" className="link" onClick={() => commands.goTo(atNs)}>
        {formatNs(atNs)}
      </button>
      <span>{what}</span>
      <button
        type="button"
        className="chip-close"
        aria-label={`Take back: ${what} at ${formatNs(atNs)}`}
        onClick={() => store.getState().removeIntervention(atNs)}
      >
        <Icon name="close" sizePx={11} />
      </button>
    </li>
  );
}
