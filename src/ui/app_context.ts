// How components reach the app: one context, narrow selectors.

import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { App, AppState } from '../store/index.ts';
import type { TraceStore } from '../trace/trace_store.ts';

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('bug: it must hold that a component stands inside AppContext');
  return app;
}

/** A part of the state; the component renders again only when that part changes. */
export function useAppState<T>(select: (state: AppState) => T): T {
  return useStore(useApp().store, select);
}

/** Trace of the shown run. Its columns grow in place: read `dataVersion` too where that matters. */
export function useTrace(): TraceStore | undefined {
  const { traces } = useApp();
  return traces.get(useAppState((s) => s.shownRunId));
}
