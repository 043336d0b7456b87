// How high the lanes may be without taking the tables' least height: measured, because the bars above them wrap.

import { type RefObject, useEffect, useState } from 'react';

/** Height of the column that `section` stands in, less that of what stands beside the lanes in it; undefined before it is known. */
export function useLanesRoom(section: RefObject<HTMLElement | null>): number | undefined {
  const [roomPx, setRoomPx] = useState<number>();
  useEffect(() => {
    const column = section.current?.parentElement;
    if (column === null || column === undefined) return;
    const measure = (): void => setRoomPx(Math.max(0, column.clientHeight - paddingPx(column) - besideLanesPx(column)));
    const observer = new ResizeObserver(measure);
    observer.observe(column);
    measure();
    return () => observer.disconnect();
  }, [section]);
  return roomPx;
}

/** Overview, ruler and strip, transport and tables, whose flex basis is their least height. */
function besideLanesPx(column: HTMLElement): number {
  const heightOf = (selector: string): number => column.querySelector<HTMLElement>(selector)?.offsetHeight ?? 0;
  const tables = column.querySelector('.tables');
  const basisPx = tables === null ? 0 : Number.parseFloat(getComputedStyle(tables).flexBasis);
  // On a phone the tables are a bar of their own height, and the folded sheet stands below the lanes.
  const leastPx = Number.isFinite(basisPx) ? basisPx : heightOf('.tables');
  const sheetPx = Number.parseFloat(getComputedStyle(column.querySelector('.timeline') ?? column).marginBottom);
  return heightOf('.overview-row') + heightOf('.axis-row') + heightOf('.transport') + leastPx + sheetPx;
}

/** On a tablet the folded sheet stands over the column's foot. */
function paddingPx(column: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(column).paddingBottom);
}
