// The lanes: a treegrid that scrolls, with gutter rows of DOM and a canvas as large as the window, never as the lanes.
// Rows outside of the scrolled window do not exist.

import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { accessibleText } from '../../explain/state_text.ts';
import type { TraceStore } from '../../trace/trace_store.ts';
import type { Band, Row, ThemeName } from '../../view/api.ts';
import { useApp, useAppState } from '../app_context.ts';
import { useSelectedSegment } from '../why/use_selected_segment.ts';
import { LaneRow } from './LaneRow.tsx';
import { LanesPlot } from './LanesPlot.tsx';
import { placeRows } from './pinned_rows.ts';
import { useTimelineKeys } from './use_timeline_keys.ts';

interface LanesProps {
  readonly trace: TraceStore | undefined;
  readonly rows: readonly Row[];
  /** Of all rows together. */
  readonly heightPx: number;
  readonly theme: ThemeName;
  readonly phone: boolean;
  readonly bands: readonly Band[];
  readonly axis: RefObject<SVGSVGElement | null>;
  onWhy(): void;
  onHelp(): void;
}

/** Rows this far outside of the window are kept, so that scrolling finds them there. */
const ROW_MARGIN_PX = 200;

export function Lanes({ trace, rows, heightPx, theme, phone, bands, axis, onWhy, onHelp }: LanesProps) {
  const { store } = useApp();
  const [scrollPx, setScrollPx] = useState(0);
  const [windowPx, setWindowPx] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const activeLaneId = useAppState((s) => s.activeLaneId);
  const onKeyDown = useTimelineKeys({ trace, rows, onWhy, onHelp });
  const id = useId();
  const rowId = (row: Row): string => `${id}-${row.row === 'head' ? row.key : row.laneId}`;
  useHeightOf(scroller, setWindowPx);
  const isLock = (row: Row): boolean =>
    row.row === 'head' ? row.key === 'locks' : trace?.lanes[row.laneId]?.kind === 'lock';
  // biome-ignore lint/correctness/useExhaustiveDependencies: which rows are locks changes with the rows
  const { placed, pinnedFrom, pinnedPx } = useMemo(
    () => placeRows(rows, heightPx, windowPx, scrollPx, isLock),
    [rows, heightPx, windowPx, scrollPx],
  );
  useActiveRowInSight(scroller, rows, activeLaneId, pinnedFrom, pinnedPx);
  const active = rows.find((row) => row.row === 'lane' && row.laneId === activeLaneId);

  return (
    <div
      ref={scroller}
      className="lanes"
      role="treegrid"
      aria-label="Lanes"
      aria-rowcount={rows.length}
      aria-activedescendant={active === undefined ? undefined : rowId(active)}
      aria-keyshortcuts="Space , . W A S D Y"
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) => setScrollPx(event.currentTarget.scrollTop)}
    >
      <div className="lanes-content" role="presentation" style={{ height: Math.max(heightPx, windowPx) }}>
        <LanesPlot trace={trace} theme={theme} rows={placed} heightPx={windowPx} bands={bands} axis={axis} />
        {trace !== undefined && (
          <GutterRows
            trace={trace}
            rows={rows}
            toRow={pinnedFrom}
            fromPx={scrollPx - ROW_MARGIN_PX}
            toPx={scrollPx + windowPx + ROW_MARGIN_PX}
            narrow={phone}
            bands={bands}
            rowId={rowId}
            onPick={store.getState().setActiveLane}
          />
        )}
        {trace !== undefined && pinnedPx > 0 && (
          <div className="pinned-rows" role="presentation" style={{ top: windowPx - pinnedPx, bottom: pinnedPx }}>
            <GutterRows
              trace={trace}
              rows={rows}
              fromRow={pinnedFrom}
              offsetPx={-(rows[pinnedFrom]?.yPx ?? 0)}
              narrow={phone}
              bands={bands}
              rowId={rowId}
              onPick={store.getState().setActiveLane}
            />
          </div>
        )}
      </div>
    </div>
  );
}

interface GutterRowsProps {
  readonly trace: TraceStore;
  readonly rows: readonly Row[];
  /** Rows [fromRow, toRow) only. */
  readonly fromRow?: number;
  readonly toRow?: number;
  /** What lies outside of this stretch does not exist. */
  readonly fromPx?: number;
  readonly toPx?: number;
  /** Added to every top. */
  readonly offsetPx?: number;
  readonly narrow: boolean;
  readonly bands: readonly Band[];
  rowId(row: Row): string;
  onPick(laneId: number): void;
}

function GutterRows({ trace, rows, narrow, bands, rowId, onPick, ...part }: GutterRowsProps) {
  const { fromRow = 0, toRow = rows.length, fromPx = Number.NEGATIVE_INFINITY, toPx = Number.POSITIVE_INFINITY } = part;
  const { offsetPx = 0 } = part;
  const activeLaneId = useAppState((s) => s.activeLaneId);
  const segment = useSelectedSegment();
  const said = useMemo(() => (segment === undefined ? '' : accessibleText(trace, segment)), [trace, segment]);
  const marked = useMemo(() => markedLanes(bands), [bands]);
  return rows.map((row, index) =>
    index < fromRow || index >= toRow || row.yPx + row.heightPx < fromPx || row.yPx > toPx ? null : (
      <LaneRow
        key={rowId(row)}
        id={rowId(row)}
        row={row}
        offsetPx={offsetPx}
        index={index}
        trace={trace}
        active={row.row === 'lane' && row.laneId === activeLaneId}
        marked={row.row === 'lane' ? marked.get(row.laneId) : undefined}
        narrow={narrow}
        said={row.row === 'lane' && segment?.lane === row.laneId ? said : ''}
        onPick={onPick}
      />
    ),
  );
}

/** Tone of the bar at the left of each lane that is party to a finding; the worst counts. */
function markedLanes(bands: readonly Band[]): ReadonlyMap<number, Band['tone']> {
  const tones = new Map<number, Band['tone']>();
  for (const band of [...bands].reverse()) for (const laneId of band.laneIds) tones.set(laneId, band.tone);
  return tones;
}

function useHeightOf(element: RefObject<HTMLElement | null>, onHeight: (heightPx: number) => void): void {
  useEffect(() => {
    const node = element.current;
    if (node === null) return;
    const observer = new ResizeObserver(() => onHeight(node.clientHeight));
    observer.observe(node);
    return () => observer.disconnect();
  }, [element, onHeight]);
}

/** Arrow keys may choose a lane that is scrolled away. */
function useActiveRowInSight(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  activeLaneId: number | undefined,
  pinnedFrom: number,
  pinnedPx: number,
): void {
  useEffect(() => {
    const node = scroller.current;
    const row = rows.find((one) => one.row === 'lane' && one.laneId === activeLaneId);
    if (node === null || row === undefined || rows.indexOf(row) >= pinnedFrom) return;
    const windowPx = node.clientHeight - pinnedPx;
    if (row.yPx < node.scrollTop) node.scrollTop = row.yPx;
    else if (row.yPx + row.heightPx > node.scrollTop + windowPx) node.scrollTop = row.yPx + row.heightPx - windowPx;
  }, [scroller, rows, activeLaneId, pinnedFrom, pinnedPx]);
}
