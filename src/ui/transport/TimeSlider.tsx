// The playhead over the whole run.

import type { CSSProperties } from 'react';
import { formatMs } from '../../base/format.ts';
import { useApp, useAppState } from '../app_context.ts';

export function TimeSlider() {
  const { commands } = useApp();
  const playheadNs = useAppState((s) => s.playheadNs);
  const endNs = useAppState((s) => s.scenario?.durationNs ?? 1);
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
      onChange={(event) => commands.goTo(Number(event.target.value))}
    />
  );
}
