// The reader's preferences, kept in the browser. No preference is worth an error: a refused or spoilt storage means defaults.

import { DEFAULT_PREFERENCES, type Preferences } from './view_slice.ts';

const KEY = 'spinlane.preferences';
const ALLOWED: { readonly [K in keyof Preferences]: readonly Preferences[K][] } = {
  theme: ['system', 'light', 'dark', 'projector', 'contrast'],
  laneSize: ['auto', 'compact', 'normal', 'tall'],
  habits: ['perfetto', 'kernelshark', 'browser'],
};

/** The part of `Storage` that is used; undefined where the browser refuses one. */
export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem'> | undefined;

export function loadPreferences(storage: PreferenceStorage): Preferences {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(KEY) ?? '{}');
    return { theme: pick(stored, 'theme'), laneSize: pick(stored, 'laneSize'), habits: pick(stored, 'habits') };
  } catch {
    return DEFAULT_PREFERENCES;
  }
}

export function savePreferences(storage: PreferenceStorage, { theme, laneSize, habits }: Preferences): void {
  try {
    storage?.setItem(KEY, JSON.stringify({ theme, laneSize, habits }));
  } catch {
    // Full or forbidden storage: the choice holds until the page is left.
  }
}

function pick<K extends keyof Preferences>(stored: unknown, key: K): Preferences[K] {
  const value = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>)[key] : undefined;
  return ALLOWED[key].find((allowed) => allowed === value) ?? DEFAULT_PREFERENCES[key];
}
