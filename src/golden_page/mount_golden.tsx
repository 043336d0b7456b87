// Mounts this page.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { GoldenPage } from './GoldenPage.tsx';

export function mountGolden(element: HTMLElement): void {
  document.title = 'Recorded and simulated – Spinlane';
  createRoot(element).render(
    <StrictMode>
      <GoldenPage />
    </StrictMode>,
  );
}
