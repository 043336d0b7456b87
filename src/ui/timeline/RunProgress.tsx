// How far a run is that takes longer than half a second.

import { useEffect, useState } from 'react';
import { useAppState } from '../app_context.ts';

const PATIENCE_MS = 500;

export function RunProgress() {
  const running = useAppState((s) => s.status === 'running');
  const [late, setLate] = useState(false);

  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [running]);

  return running && late ? <Bar /> : null;
}

function Bar() {
  const percent = useAppState((s) =>
    Math.round((100 * s.watermarkNs) / (s.scenario?.durationNs ?? Number.POSITIVE_INFINITY)),
  );
  return (
    <div
      className="run-progress"
      role="progressbar"
      aria-label="Simulation"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      style={{ '--done': `${percent}%` } as React.CSSProperties}
    />
  );
}
