// What stands under the pointer: who does what, from when to when, why. Placed so that the lane stays in sight.

import { useLayoutEffect, useRef } from 'react';
import { formatInt } from '../../base/format.ts';
import { toText } from '../../explain/parts.ts';
import { stateLines } from '../../explain/state_text.ts';
import { useAppState, useTrace } from '../app_context.ts';
import { segmentAt } from './follow.ts';

const OFFSET_X_PX = 18;
/** So far below the pointer that the lane and its neighbour stay in sight. */
const OFFSET_Y_PX = 46;
const MARGIN_PX = 8;

export function Tooltip() {
  const trace = useTrace();
  const hover = useAppState((s) => s.hover);
  const box = useRef<HTMLDivElement>(null);

  // Runs after every render: the text decides the size, the size decides the place.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || hover === undefined) return;
    const { width, height } = element.getBoundingClientRect();
    const below = hover.yPx + OFFSET_Y_PX;
    const fitsBelow = below + height + MARGIN_PX < window.innerHeight;
    element.style.left = `${Math.max(MARGIN_PX, Math.min(hover.xPx + OFFSET_X_PX, window.innerWidth - width - MARGIN_PX))}px`;
    element.style.top = `${fitsBelow ? below : Math.max(MARGIN_PX, hover.yPx - OFFSET_Y_PX - height)}px`;
  });

  const segment = trace === undefined ? undefined : segmentAt(trace, hover);
  if (trace === undefined || hover === undefined || segment === undefined) return null;
  const lines = stateLines(trace, segment).map(toText);
  const first = hover.count > 1 ? `${formatInt(hover.count)} segments, mostly ${lines[0] ?? ''}` : lines[0];
  return (
    <div className="tooltip" ref={box} role="tooltip">
      <p>{first}</p>
      {lines.slice(1).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
