// What of the run is shown and how: range, playhead, playing, and the reader's preferences.

import { NS_PER_MS, NS_PER_S, NS_PER_US, type Ns } from '../base/units.ts';
import type { Habits, ThemeName, Viewport } from '../view/api.ts';
import { clampViewport } from '../view/viewport.ts';
import type { GetState, SetState } from './app_state.ts';

/** As the root element's data-play says it. */
export type PlayState = 'playing' | 'paused' | 'end';
/** `auto`: as the screen's height and the number of lanes allow. */
export type LaneSize = 'auto' | 'compact' | 'normal' | 'tall';
export type ThemeChoice = 'system' | ThemeName;
export type TableTab = 'slowPath' | 'threads' | 'locks' | 'events';

/** Steps of the slider "Speed", in simulated ns for each second of the reader. */
export const SPEEDS_NS_PER_S: readonly number[] = [
  10 * NS_PER_US,
  20 * NS_PER_US,
  50 * NS_PER_US,
  100 * NS_PER_US,
  200 * NS_PER_US,
  500 * NS_PER_US,
  NS_PER_MS,
  2 * NS_PER_MS,
  5 * NS_PER_MS,
  10 * NS_PER_MS,
  20 * NS_PER_MS,
  50 * NS_PER_MS,
  100 * NS_PER_MS,
  200 * NS_PER_MS,
  500 * NS_PER_MS,
  NS_PER_S,
];
const DEFAULT_SPEED_INDEX = 6;
const SECONDS_PER_RANGE = 10;

export interface Preferences {
  readonly theme: ThemeChoice;
  readonly laneSize: LaneSize;
  readonly habits: Habits;
}

export interface ViewSlice extends Preferences {
  readonly viewport: Viewport;
  readonly playheadNs: Ns;
  /** Index into SPEEDS_NS_PER_S. */
  readonly speedIndex: number;
  readonly play: PlayState;
  /** What lies after the playhead is veiled: while it plays, and until the reader has played or looked ahead once. */
  readonly veiled: boolean;
  /** Still to be chosen by framing.ts once the run is known; what the reader or a link chose stays. */
  readonly unframed: { readonly range: boolean; readonly playhead: boolean };
  /** Opened and not shown yet: framing.ts also chooses the speed and the first table. */
  readonly fresh: boolean;
  readonly tab: TableTab;
  setViewport(viewport: Viewport): void;
  setPlayhead(atNs: Ns): void;
  setPlay(play: PlayState): void;
  setVeiled(veiled: boolean): void;
  setSpeedIndex(index: number): void;
  setTab(tab: TableTab): void;
  setPreferences(change: Partial<Preferences>): void;
}

export const DEFAULT_PREFERENCES: Preferences = { theme: 'system', laneSize: 'auto', habits: 'perfetto' };

export function createViewSlice(set: SetState, get: GetState, preferences: Preferences): ViewSlice {
  return {
    ...preferences,
    viewport: { t0Ns: 0, t1Ns: 10 * NS_PER_MS },
    playheadNs: 0,
    speedIndex: DEFAULT_SPEED_INDEX,
    play: 'paused',
    veiled: true,
    unframed: { range: true, playhead: true },
    fresh: true,
    tab: 'slowPath',

    setViewport(viewport) {
      const { scenario, unframed } = get();
      set({
        viewport: scenario === undefined ? viewport : clampViewport(viewport, { fromNs: 0, toNs: scenario.durationNs }),
        unframed: unframed.range ? { ...unframed, range: false } : unframed,
      });
    },

    setPlayhead(atNs) {
      const endNs = get().scenario?.durationNs ?? Number.POSITIVE_INFINITY;
      const playheadNs = Math.round(Math.min(Math.max(atNs, 0), endNs));
      const { play, unframed, veiled } = get();
      const atEnd = playheadNs >= endNs;
      set({
        playheadNs,
        play: atEnd ? 'end' : play === 'playing' ? 'playing' : 'paused',
        veiled: veiled && !atEnd,
        unframed: unframed.playhead ? { ...unframed, playhead: false } : unframed,
      });
    },

    setPlay(play) {
      // Whoever has played once may look ahead.
      set(play === 'playing' ? { play } : { play, veiled: false });
    },

    setVeiled(veiled) {
      set({ veiled });
    },

    setSpeedIndex(index) {
      set({ speedIndex: Math.min(Math.max(Math.round(index), 0), SPEEDS_NS_PER_S.length - 1) });
    },

    setTab(tab) {
      set({ tab });
    },

    setPreferences(change) {
      set(change);
    },
  };
}

/** Step of SPEEDS_NS_PER_S at which the range passes in about ten seconds of the reader. */
export function speedFor({ t0Ns, t1Ns }: Viewport): number {
  const wished = (t1Ns - t0Ns) / SECONDS_PER_RANGE;
  const index = SPEEDS_NS_PER_S.findIndex((speed) => speed >= wished * 0.99);
  return index < 0 ? SPEEDS_NS_PER_S.length - 1 : index;
}
