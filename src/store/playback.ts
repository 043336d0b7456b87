// Moves the playhead while it plays, and the range with it. The only writer of the playhead that nobody pressed a key for.

import { NS_PER_US, type Ns } from '../base/units.ts';
import type { Viewport } from '../view/api.ts';
import type { AppStore } from './app_state.ts';
import type { TimePort } from './ports.ts';
import { SPEEDS_NS_PER_S } from './view_slice.ts';

/** Where the playhead stands in the range while the range follows it. */
const FOLLOW_RATIO = 0.7;
/** Playback steps at this rate where motion is unwelcome. */
const REDUCED_MOTION_STEP_MS = 250;
/** A frame that took longer (the tab was hidden) counts as this. */
const MAX_FRAME_MS = 500;

export interface Playback {
  close(): void;
}

export function createPlayback(store: AppStore, time: TimePort, reducedMotion: () => boolean): Playback {
  let cancelFrame: (() => void) | undefined;
  let lastMs = 0;

  const stopListening = store.subscribe((now, before) => {
    if (now.play === before.play) return;
    if (now.play === 'playing') begin();
    else pause();
  });

  function begin(): void {
    lastMs = time.nowMs();
    cancelFrame?.();
    cancelFrame = time.frame(tick);
  }

  function pause(): void {
    cancelFrame?.();
    cancelFrame = undefined;
  }

  function tick(nowMs: number): void {
    const { play } = store.getState();
    if (play !== 'playing') return;
    const passedMs = nowMs - lastMs;
    if (!reducedMotion() || passedMs >= REDUCED_MOTION_STEP_MS) {
      lastMs = nowMs;
      advance(Math.min(Math.max(passedMs, 0), MAX_FRAME_MS));
    }
    if (store.getState().play === 'playing') cancelFrame = time.frame(tick);
  }

  function advance(passedMs: number): void {
    const s = store.getState();
    const stepNs = (SPEEDS_NS_PER_S[s.speedIndex]! * passedMs) / 1000;
    // A run on its way is caught up with, never overtaken.
    const limitNs = s.status === 'running' ? s.watermarkNs : (s.scenario?.durationNs ?? 0);
    const playheadNs = Math.max(s.playheadNs, Math.min(roundedStep(s.playheadNs + stepNs, stepNs), limitNs));
    const followed = followPlayhead(s.viewport, s.playheadNs, playheadNs);
    s.setPlayhead(playheadNs);
    if (followed !== s.viewport) s.setViewport(followed);
  }

  return {
    close() {
      stopListening();
      pause();
    },
  };
}

/** Whole µs where a step is many of them: a link made after a pause stays short. */
function roundedStep(atNs: Ns, stepNs: Ns): Ns {
  return stepNs < 5 * NS_PER_US ? Math.round(atNs) : Math.round(atNs / NS_PER_US) * NS_PER_US;
}

/** The range after the playhead moved: unchanged until the playhead reaches FOLLOW_RATIO of it, or when the reader looks elsewhere. */
export function followPlayhead(viewport: Viewport, fromNs: Ns, toNs: Ns): Viewport {
  const widthNs = viewport.t1Ns - viewport.t0Ns;
  const wasInView = fromNs >= viewport.t0Ns && fromNs <= viewport.t1Ns;
  const t0Ns = toNs - widthNs * FOLLOW_RATIO;
  return wasInView && t0Ns > viewport.t0Ns ? { t0Ns, t1Ns: t0Ns + widthNs } : viewport;
}
