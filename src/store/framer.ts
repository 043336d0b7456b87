// Applies framing.ts where the reader and the link left range or playhead open: once when the run begins, for good when it is done.

import type { AppStore } from './app_state.ts';
import { frameRun } from './framing.ts';

/** Returns how to stop. */
export function createFramer(store: AppStore): () => void {
  return store.subscribe((now, before) => {
    const begun = now.scenario !== before.scenario;
    const done = now.summary !== before.summary && now.summary !== undefined;
    if (now.scenario === undefined || !(begun || done)) return;
    if (!now.unframed.range && !now.unframed.playhead) return;
    const framing = frameRun(now.scenario, now.summary?.verdicts ?? []);
    store.setState({
      ...(now.unframed.range ? { viewport: framing.viewport } : {}),
      ...(now.unframed.playhead ? { playheadNs: framing.playheadNs } : {}),
      ...(done ? { unframed: { range: false, playhead: false } } : {}),
    });
  });
}
