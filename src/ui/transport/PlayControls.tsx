// Restart, step back, play or pause, step.

import { useApp, useAppState } from '../app_context.ts';
import { Icon } from '../parts/Icon.tsx';

export function PlayControls() {
  const { commands } = useApp();
  const playing = useAppState((s) => s.play === 'playing');
  return (
    <span className="play-controls">
      <button
        type="button"
        className="button square restart-button"
        aria-label="Restart"
        title="Restart"
        onClick={commands.restart}
      >
        <Icon name="restart" />
      </button>
      <button
        type="button"
        className="button square"
        aria-label="Step back"
        title="Step back ( , )"
        onClick={() => commands.step(-1)}
      >
        <Icon name="stepBack" />
      </button>
      <button
        type="button"
        className="button ink play-button"
        title={playing ? 'Pause (Space)' : 'Play (Space)'}
        onClick={commands.playPause}
      >
        <Icon name={playing ? 'pause' : 'play'} />
        {playing ? 'Pause' : 'Play'}
      </button>
      <button
        type="button"
        className="button square"
        aria-label="Step"
        title="Step ( . )"
        onClick={() => commands.step(1)}
      >
        <Icon name="step" />
      </button>
    </span>
  );
}
