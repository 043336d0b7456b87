// A scenario file dropped anywhere on the page opens, as if it were chosen under "Open…".

import type { DragEvent } from 'react';
import { useApp } from '../app_context.ts';

export function useFileDrop() {
  const { commands } = useApp();
  return {
    onDragOver(event: DragEvent) {
      // Without this the browser would leave the page for the file.
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      const file = event.dataTransfer.files[0];
      if (file === undefined) return;
      event.preventDefault();
      void commands.openFile(file.name, file.size, () => file.text());
    },
  };
}
