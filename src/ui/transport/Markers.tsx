// Two markers and the time between them. A press puts a marker at the playhead; a press where it stands takes it away.

import { formatDecimal, formatNs, NO_NUMBER } from '../../base/format.ts';
import { NS_PER_MS } from '../../base/units.ts';
import type { MarkerName } from '../../store/index.ts';
import { useApp, useAppState } from '../app_context.ts';

export function Markers() {
  const aNs = useAppState((s) => s.markerANs);
  const bNs = useAppState((s) => s.markerBNs);
  const difference = aNs === undefined || bNs === undefined ? NO_NUMBER : formatNs(bNs - aNs);
  return (
    <span className="markers">
      <MarkerButton name="a" atNs={aNs} />
      <MarkerButton name="b" atNs={bNs} />
      <span className="marker-difference">
        <span aria-hidden="true">A–B</span>{' '}
        <span role="status" aria-label="A–B">
          {difference}
        </span>
      </span>
    </span>
  );
}

function MarkerButton({ name, atNs }: { readonly name: MarkerName; readonly atNs: number | undefined }) {
  const { store } = useApp();
  const letter = name.toUpperCase();
  const at = atNs === undefined ? undefined : formatDecimal(atNs / NS_PER_MS, 3);
  return (
    <button
      type="button"
      className="button outlined marker-button"
      aria-label={`Marker ${letter}`}
      aria-description={at === undefined ? 'Not set' : `At ${at} ms`}
      title={`Marker ${letter} at the playhead (Shift+${letter})`}
      onClick={() => store.getState().toggleMarker(name, store.getState().playheadNs)}
    >
      <span className={`marker-flag ${name}`} aria-hidden="true">
        {letter}
      </span>
      {at ?? `Marker ${letter}`}
    </button>
  );
}
