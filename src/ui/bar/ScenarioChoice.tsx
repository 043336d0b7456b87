// Which scenario: the library, and a document of one's own while one is open.

import { useApp, useAppState } from '../app_context.ts';

const OWN = ' own';

export function ScenarioChoice() {
  const { library, commands } = useApp();
  const source = useAppState((s) => s.source);
  const ownTitle = useAppState((s) =>
    s.source.kind === 'own' && typeof s.document.title === 'string' ? s.document.title : 'Untitled',
  );
  return (
    <span className="select scenario-choice">
      <select
        aria-label="Scenario"
        value={source.kind === 'own' ? OWN : source.name}
        onChange={(event) => commands.openScenario(event.target.value)}
      >
        {source.kind === 'own' && <option value={OWN}>{ownTitle}</option>}
        {[...new Set(library.entries.map((entry) => entry.group))].map((group) => (
          <optgroup key={group} label={group}>
            {library.entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <option key={entry.name} value={entry.name}>
                  {entry.title}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </span>
  );
}
