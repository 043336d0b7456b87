// The whole state of the page: five slices side by side. Typed arrays never enter it; traces live in trace_registry.ts.

import type { StoreApi } from 'zustand/vanilla';
import type { AsideSlice } from './aside_slice.ts';
import type { RunSlice } from './run_slice.ts';
import type { ScenarioSlice } from './scenario_slice.ts';
import type { SelectionSlice } from './selection_slice.ts';
import type { ViewSlice } from './view_slice.ts';

export type AppState = ScenarioSlice & RunSlice & ViewSlice & SelectionSlice & AsideSlice;
export type AppStore = StoreApi<AppState>;

/** What a slice is made with: zustand's own set and get. */
export type SetState = AppStore['setState'];
export type GetState = AppStore['getState'];
