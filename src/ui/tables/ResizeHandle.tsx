// The line between drawing and tables: dragged, or moved by the arrow keys; a double click gives the default back.

import { type PointerEvent, useState } from 'react';

const MIN_PX = 110;
const KEY_STEP_PX = 24;

/** Height of the tables in px as the reader chose it; undefined: as the screen allows. */
export function useTablesHeight(): readonly [number | undefined, (heightPx: number | undefined) => void] {
  const [heightPx, setHeightPx] = useState<number>();
  return [heightPx, (next) => setHeightPx(next === undefined ? undefined : bounded(next))];
}

interface ResizeHandleProps {
  readonly heightPx: number | undefined;
  onResize(heightPx: number | undefined): void;
}

export function ResizeHandle({ heightPx, onResize }: ResizeHandleProps) {
  function drag(event: PointerEvent<HTMLDivElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onResize(window.innerHeight - event.clientY);
  }

  function press(key: string, current: number): void {
    if (key === 'ArrowUp') onResize(current + KEY_STEP_PX);
    if (key === 'ArrowDown') onResize(current - KEY_STEP_PX);
  }

  return (
    <div
      className="resize-handle"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of the tables"
      aria-valuenow={Math.round(heightPx ?? 0)}
      aria-valuemin={MIN_PX}
      aria-valuemax={window.innerHeight}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => onResize(undefined)}
      onKeyDown={(event) => press(event.key, heightPx ?? event.currentTarget.parentElement?.clientHeight ?? MIN_PX)}
    />
  );
}

/** Never so high that the drawing is gone. */
function bounded(heightPx: number): number {
  return Math.min(Math.max(heightPx, MIN_PX), Math.max(MIN_PX, window.innerHeight - 420));
}
