// A scenario from a file and into one. Nothing leaves the page.

import { useRef } from 'react';
import { useApp } from '../app_context.ts';
import { Icon } from '../parts/Icon.tsx';

export function FileButtons() {
  const { commands } = useApp();
  const input = useRef<HTMLInputElement>(null);

  async function open(file: File | undefined): Promise<void> {
    if (file !== undefined) await commands.openFile(file.name, file.size, () => file.text());
    // The same file may be chosen again after a change.
    if (input.current !== null) input.current.value = '';
  }

  return (
    <span className="file-buttons">
      <button
        type="button"
        className="button"
        aria-label="Open…"
        title="Opens scenario files (JSON)"
        onClick={() => input.current?.click()}
      >
        <Icon name="open" />
        <span className="word">Open…</span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="Scenario file (JSON)"
        onChange={(event) => void open(event.target.files?.[0])}
      />
      <button
        type="button"
        className="button"
        aria-label="Save…"
        title="Saves the scenario as JSON"
        onClick={() => download(commands.fileText())}
      >
        <Icon name="save" />
        <span className="word">Save…</span>
      </button>
    </span>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'scenario.json';
  link.click();
  // The download has begun once the click is handled; the text can go.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
