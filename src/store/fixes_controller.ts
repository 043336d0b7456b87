// Fills the list "What would clear it, from here": once the shown run rests and nothing plays, each fix is run aside.

import type { AppState, AppStore } from './app_state.ts';
import type { Fix } from './aside_slice.ts';
import { fixesFor, needsFix } from './fixes.ts';
import { lastWaitEndNs, outcomeOf } from './outcome.ts';
import type { TimePort } from './ports.ts';
import { requestOf } from './run_controller.ts';
import type { RunsAside } from './runs_aside.ts';
import { settingsAt } from './scenario_slice.ts';

const LOT = 'fixes';
/** The playhead must rest so long: dragging it asks nothing. */
const REST_MS = 400;

export function createFixesController(store: AppStore, aside: RunsAside, time: TimePort): () => void {
  let cancelRest: (() => void) | undefined;
  let turn = 0;

  const stop = store.subscribe((now, before) => {
    if (
      now.summary === before.summary &&
      now.playheadNs === before.playheadNs &&
      now.play === before.play &&
      now.status === before.status
    )
      return;
    cancelRest?.();
    if (now.status === 'done' && now.play !== 'playing') cancelRest = time.after(REST_MS, () => void renew());
    else if (now.status === 'running') forget();
  });

  function forget(): void {
    turn += 1;
    aside.drop(LOT);
    if (store.getState().fixList !== undefined) store.setState({ fixList: undefined });
  }

  async function renew(): Promise<void> {
    const s = store.getState();
    if (s.summary === undefined || s.scenario === undefined) return;
    if (s.fixList?.atNs === s.playheadNs) return;
    forget();
    if (!needsFix(s.summary.verdicts, s.playheadNs)) return;
    const mine = turn;
    store.setState({ fixList: { atNs: s.playheadNs, fixes: fixesFor(s.scenario, settingsAt(s, s.playheadNs)) } });
    for (const fix of store.getState().fixList?.fixes ?? []) {
      const outcome = await tryFix(s, fix);
      if (mine !== turn) return;
      if (outcome !== undefined) settle(fix, outcome);
    }
  }

  async function tryFix(s: AppState, fix: Fix): Promise<Fix['outcome']> {
    const { runId: _unused, ...request } = requestOf(withFix(s, fix), 0);
    const summary = await aside.run(LOT, request);
    if (summary === undefined || summary === 'failed') return summary;
    const atNs = s.playheadNs;
    const here = { atNs, without: s.summary?.verdicts ?? [], waitsEndNs: lastWaitEndNs(summary.result, atNs) };
    return outcomeOf(summary.verdicts, fix.applies === 'here' ? here : undefined);
  }

  function settle(fix: Fix, outcome: Fix['outcome']): void {
    const list = store.getState().fixList;
    if (list === undefined) return;
    const fixes = list.fixes.map((one) =>
      one.setting === fix.setting && one.value === fix.value ? { ...one, outcome } : one,
    );
    store.setState({ fixList: { ...list, fixes } });
  }

  return () => {
    stop();
    cancelRest?.();
    turn += 1;
  };
}

/** What would be run if the reader chose `fix`. Interventions after the playhead belong to another future. */
export function withFix(
  s: Pick<AppState, 'document' | 'settings' | 'interventions' | 'playheadNs'>,
  fix: Fix,
): Pick<AppState, 'document' | 'settings' | 'interventions'> {
  const change = { [fix.setting]: fix.value };
  if (fix.applies === 'start' || s.playheadNs === 0)
    return { document: s.document, settings: { ...s.settings, ...change }, interventions: s.interventions };
  const before = s.interventions.filter((one) => one.atNs < s.playheadNs);
  const here = s.interventions.find((one) => one.atNs === s.playheadNs);
  return {
    document: s.document,
    settings: s.settings,
    interventions: [...before, { atNs: s.playheadNs, set: { ...here?.set, ...change } }],
  };
}
