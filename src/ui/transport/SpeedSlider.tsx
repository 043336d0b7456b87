// Simulated time for each second of the reader's.

import type { CSSProperties } from 'react';
import { formatShort } from '../../base/format.ts';
import { SPEEDS_NS_PER_S } from '../../store/index.ts';
import { useApp, useAppState } from '../app_context.ts';

export function SpeedSlider() {
  const { setSpeedIndex } = useApp().store.getState();
  const index = useAppState((s) => s.speedIndex);
  const last = SPEEDS_NS_PER_S.length - 1;
  const text = `${formatShort(SPEEDS_NS_PER_S[index] ?? 0)}/s`;
  return (
    <span className="speed field">
      <span className="caption" aria-hidden="true">
        Speed
      </span>
      <input
        type="range"
        aria-label="Speed"
        aria-valuetext={text}
        min={0}
        max={last}
        step={1}
        value={index}
        style={{ '--done': `${(index / last) * 100}%` } as CSSProperties}
        onChange={(event) => setSpeedIndex(Number(event.target.value))}
      />
      <span className="speed-value" aria-hidden="true">
        {text}
      </span>
    </span>
  );
}
