// The reader's theme, as on the page of scenarios. This page has no setting for it.

import { useLayoutEffect, useSyncExternalStore } from 'react';
import { loadPreferences } from '../store/preferences.ts';
import type { ThemeName } from '../view/api.ts';
import { cssVariables, isDark } from '../view/tokens.ts';

const DARK = matchMedia('(prefers-color-scheme: dark)');
const CONTRAST = matchMedia('(prefers-contrast: more)');

function themeNow(): ThemeName {
  const choice = loadPreferences(storage()).theme;
  if (choice !== 'system') return choice;
  return CONTRAST.matches ? 'contrast' : DARK.matches ? 'dark' : 'light';
}

function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

function subscribe(onChange: () => void): () => void {
  for (const query of [DARK, CONTRAST]) query.addEventListener('change', onChange);
  return () => {
    for (const query of [DARK, CONTRAST]) query.removeEventListener('change', onChange);
  };
}

/** The theme in force; its colours stand as custom properties on the root element. */
export function usePageTheme(): ThemeName {
  const theme = useSyncExternalStore(subscribe, themeNow);
  useLayoutEffect(() => {
    const root = document.documentElement;
    for (const [name, value] of Object.entries(cssVariables(theme))) root.style.setProperty(name, value);
    root.style.colorScheme = isDark(theme) ? 'dark' : 'light';
    root.dataset.theme = theme;
  }, [theme]);
  return theme;
}
