// The playhead over the whole run.

import type { CSSProperties, KeyboardEvent } from 'react';
import { formatMs } from '../../base/format.ts';
import { useApp, useAppState } from '../app_context.ts';

/** Of the range that is shown, for each press of a key. */
const SHARES: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
};

export function TimeSlider() {
  const { commands, store } = useApp();
  const playheadNs = useAppState((s) => s.playheadNs);
  const endNs = useAppState((s) => s.scenario?.durationNs ?? 1);

  /** Arrows move as far as the eye can tell on the lanes, not by a share of the whole run. */
  function onKeyDown(event: KeyboardEvent): void {
    const share = SHARES[event.key];
    if (share === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { viewport } = store.getState();
    commands.goTo(playheadNs + share * (viewport.t1Ns - viewport.t0Ns));
  }

  const done = `${Math.min(100, (playheadNs / endNs) * 100)}%`;
  return (
    <input
      type="range"
      className="time-slider"
      aria-label="Time"
      aria-valuetext={formatMs(playheadNs)}
      min={0}
      max={endNs}
      step="any"
      value={playheadNs}
      style={{ '--done': done } as CSSProperties}
      onKeyDown={onKeyDown}
      onChange={(event) => commands.goTo(Number(event.target.value))}
    />
  );
}
