// Applies framing.ts where the reader and the link left things open: once when a run begins, for good when it is done.

import type { Verdict } from '../trace/verdicts.ts';
import type { AppState, AppStore } from './app_state.ts';
import { firstTable, frameRun } from './framing.ts';
import { speedFor } from './view_slice.ts';

/** Returns how to stop. */
export function createFramer(store: AppStore): () => void {
  return store.subscribe((now, before) => {
    const begun = now.scenario !== before.scenario;
    const done = now.summary !== before.summary && now.summary !== undefined;
    if (now.scenario === undefined || !(begun || done)) return;
    if (now.unframed.range || now.unframed.playhead) store.setState(framed(now, now.scenario, done));
    const { fresh, scenario, viewport } = store.getState();
    if (fresh && scenario !== undefined) {
      store.setState({ fresh: !done, speedIndex: speedFor(viewport), tab: firstTable(scenario) });
    }
  });
}

function framed(now: AppState, scenario: NonNullable<AppState['scenario']>, done: boolean): Partial<AppState> {
  const framing = frameRun(scenario, now.summary?.verdicts ?? []);
  return {
    ...(now.unframed.range ? { viewport: framing.viewport } : {}),
    ...(now.unframed.playhead ? { playheadNs: framing.playheadNs } : {}),
    ...(done ? { unframed: { range: false, playhead: false } } : {}),
    ...(done && now.fresh && !holdsASurprise(now.summary?.verdicts ?? []) ? { veiled: false } : {}),
  };
}

/** Findings that form at an instant are worth watching as they do; a share that is wrong all along is seen best as a whole. */
const SURPRISES: readonly Verdict['kind'][] = ['rt-spin-hang', 'deadlock', 'livelock', 'starvation'];

function holdsASurprise(verdicts: readonly Verdict[]): boolean {
  return verdicts.some((one) => SURPRISES.includes(one.kind));
}
