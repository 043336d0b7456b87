// The value of a setting that is in force at the playhead, and how to change it.

import { settingsAt } from '../../store/index.ts';
import { useApp, useAppState } from '../app_context.ts';

/** `fallback` stands until the run has said what its settings are. */
export function useSetting(id: string, fallback = ''): readonly [value: string, set: (value: string) => void] {
  const { store } = useApp();
  const value = useAppState((s) => settingsAt(s, s.playheadNs)[id] ?? baseValue(s.scenario?.settings, id) ?? fallback);
  return [value, (next) => store.getState().setSetting(id, next)];
}

function baseValue(settings: Readonly<Record<string, string>> | undefined, id: string): string | undefined {
  return settings !== undefined && Object.hasOwn(settings, id) ? settings[id] : undefined;
}
