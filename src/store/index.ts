// What ui/ may use of store/.

export type { AppState, AppStore } from './app_state.ts';
export type { Fix, FixList, SimulatedCall } from './aside_slice.ts';
export type { Commands } from './commands.ts';
export { type App, createApp } from './create_app.ts';
export type { Outcome } from './outcome.ts';
export type { InterventionSpec, LibraryEntry, SettingValues } from './ports.ts';
export { offBy, REFERENCES, type Reference } from './references.ts';
export type { Notice, RunStatus } from './run_slice.ts';
export { type ApplyMode, START_ONLY_SETTINGS, settingsAt } from './scenario_slice.ts';
export type { MarkerName, SegmentRef } from './selection_slice.ts';
export {
  type LaneSize,
  type PlayState,
  type Preferences,
  SPEEDS_NS_PER_S,
  type TableTab,
  type ThemeChoice,
} from './view_slice.ts';
