// The theme in force: the reader's choice, else what the system asks for. Its colours stand as custom properties on the root element.

import { useLayoutEffect } from 'react';
import type { ThemeName } from '../../view/api.ts';
import { cssVariables, isDark } from '../../view/tokens.ts';
import { useAppState } from '../app_context.ts';
import { useMedia } from './use_media.ts';

export function useThemeName(): ThemeName {
  const choice = useAppState((s) => s.theme);
  const dark = useMedia('(prefers-color-scheme: dark)');
  const contrast = useMedia('(prefers-contrast: more)');
  if (choice !== 'system') return choice;
  return contrast ? 'contrast' : dark ? 'dark' : 'light';
}

export function useApplyTheme(theme: ThemeName): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    for (const [name, value] of Object.entries(cssVariables(theme))) root.style.setProperty(name, value);
    root.style.colorScheme = isDark(theme) ? 'dark' : 'light';
    root.dataset.theme = theme;
  }, [theme]);
}
