// Says to screen readers what every CPU does at the playhead, once it rests after a step or a pause.

import { useEffect, useState } from 'react';
import { sceneText } from '../../explain/screen_text.ts';
import { useApp, useAppState, useTrace } from '../app_context.ts';

const REST_MS = 400;

export function SceneAnnouncer() {
  const { store } = useApp();
  const trace = useTrace();
  const playing = useAppState((s) => s.play === 'playing');
  const [text, setText] = useState('');

  useEffect(() => {
    if (trace === undefined || playing) return;
    // What the page opened with needs no announcement; what the reader changed does.
    let lastNs = store.getState().playheadNs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = store.subscribe(({ playheadNs }) => {
      if (playheadNs === lastNs) return;
      lastNs = playheadNs;
      clearTimeout(timer);
      timer = setTimeout(() => setText(sceneText(trace, playheadNs)), REST_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store, trace, playing]);

  return (
    <div className="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}
