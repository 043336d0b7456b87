// Runs the published slow-path calls again, once for a visit, when the table that shows them asks for it.

import type { AppStore } from './app_state.ts';
import type { LibraryPort } from './ports.ts';
import { longestCall, REFERENCES, SLOW_PATH_SCENARIO } from './references.ts';
import type { RunsAside } from './runs_aside.ts';

/** Returns the request to fill `references`; asking twice runs nothing twice. */
export function createReferences(store: AppStore, aside: RunsAside, library: LibraryPort): () => void {
  let asked = false;
  return () => {
    const document = library.entries.find((one) => one.name === SLOW_PATH_SCENARIO)?.document;
    if (asked || document === undefined) return;
    asked = true;
    for (const { key, settings } of REFERENCES) {
      void aside.run('references', { document, settings, interventions: [] }).then((summary) => {
        if (summary === undefined) return;
        const call = summary === 'failed' ? 'failed' : (longestCall(summary.result.locks) ?? 'failed');
        store.setState((s) => ({ references: { ...s.references, [key]: call } }));
      });
    }
  };
}
