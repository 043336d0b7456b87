// Where lanes scroll, the locks stay in sight at the foot of the window: what all the others are about.

import type { Row } from '../../view/api.ts';

/** Rows of the window, placed from its top. */
export interface PlacedRows {
  /** For the drawing: those that scroll, then the pinned ones. */
  readonly placed: readonly Row[];
  /** Index of the first pinned row in `rows`; their number where none is pinned. */
  readonly pinnedFrom: number;
  readonly pinnedPx: number;
}

/** Pinned rows take at most this part of the window. */
const MOST_OF_WINDOW = 0.4;
/** A row of which only this much would show beside the pinned ones is left out: its bar is not seen. */
const AIR_PX = 8;

/** @param isLock whether a row is the head of the locks or the lane of one */
export function placeRows(
  rows: readonly Row[],
  heightPx: number,
  windowPx: number,
  scrollPx: number,
  isLock: (row: Row) => boolean,
): PlacedRows {
  const first = heightPx > windowPx + 1 ? rows.findIndex(isLock) : -1;
  const firstRow = rows[first];
  const pinnedPx = firstRow === undefined ? 0 : heightPx - firstRow.yPx;
  if (firstRow === undefined || pinnedPx > windowPx * MOST_OF_WINDOW)
    return { placed: rows.map((row) => moved(row, -scrollPx)), pinnedFrom: rows.length, pinnedPx: 0 };
  const pinnedY = windowPx - pinnedPx;
  const scrolling = rows
    .slice(0, first)
    .map((row) => moved(row, -scrollPx))
    .filter((row) => row.yPx + AIR_PX < pinnedY);
  const pinned = rows.slice(first).map((row) => ({ ...moved(row, pinnedY - firstRow.yPx), pinned: true }));
  return { placed: [...scrolling, ...pinned], pinnedFrom: first, pinnedPx };
}

function moved(row: Row, byPx: number): Row {
  return { ...row, yPx: row.yPx + byPx };
}
