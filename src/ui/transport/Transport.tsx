// Playing: the time slider, the play controls, the time itself, the speed, and the markers.

import { formatMs } from '../../base/format.ts';
import { useAppState } from '../app_context.ts';
import { PHONE_QUERY, useMedia } from '../hooks/use_media.ts';
import { Markers } from './Markers.tsx';
import { PlayControls } from './PlayControls.tsx';
import { SpeedSlider } from './SpeedSlider.tsx';
import { TimeSlider } from './TimeSlider.tsx';

export function Transport() {
  const phone = useMedia(PHONE_QUERY);
  return (
    <section className="transport" aria-label="Playback">
      <TimeSlider />
      <PlayControls />
      <PlayheadTime />
      <span className="spacer" />
      {!phone && <SpeedSlider />}
      <Markers />
    </section>
  );
}

function PlayheadTime() {
  const text = useAppState((s) => formatMs(s.playheadNs));
  const endNs = useAppState((s) => s.scenario?.durationNs ?? 0);
  return (
    <span className="playhead-time">
      <span className="now">{text}</span> <span className="of">of {formatMs(endNs, 0)}</span>
    </span>
  );
}
