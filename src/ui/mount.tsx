// Mounts the page, and says on the root element how the simulation and the playhead stand. Those attributes are a
// contract with tests and hand-outs, so they follow the store at once and not with React's next render.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type AppState, createApp } from '../store/index.ts';
import { App } from './App.tsx';
import { AppContext } from './app_context.ts';

/** What the page can't do without; younger than the oldest browsers that read its scripts. */
const NEEDED = ['Worker', 'CompressionStream', 'DecompressionStream', 'ResizeObserver'] as const;

export function mount(element: HTMLElement): void {
  const missing = NEEDED.filter((name) => !(name in globalThis));
  if (missing.length > 0) {
    element.role = 'alert';
    element.textContent = `Spinlane needs a newer browser: this one has no ${missing.join(', ')}.`;
    return;
  }
  const app = createApp();
  const root = document.documentElement;
  mirror(root, app.store.getState());
  app.store.subscribe((state) => mirror(root, state));
  createRoot(element).render(
    <StrictMode>
      <AppContext value={app}>
        <App />
      </AppContext>
    </StrictMode>,
  );
}

function mirror(root: HTMLElement, { status, play, summary }: AppState): void {
  if (root.dataset.status !== status) root.dataset.status = status;
  if (root.dataset.play !== play) root.dataset.play = play;
  const hash = status === 'done' ? summary?.hash : undefined;
  if (hash === undefined) delete root.dataset.hash;
  else if (root.dataset.hash !== hash) root.dataset.hash = hash;
}
