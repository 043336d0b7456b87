// The run in characters: a line a CPU and a line a thread, a column a stretch of time, each showing what took most of it.
// CPU lines name threads by letter; a small letter spins. Thread lines show states.

import type { Window } from '../analysis/window.ts';
import { overlapNs } from '../analysis/window.ts';
import { formatMs } from '../base/format.ts';
import type { Ns } from '../base/units.ts';
import { plain } from '../explain/parts.ts';
import type { TaskInfo } from '../trace/meta.ts';
import type { SegmentRows } from '../trace/segment_rows.ts';
import { type LaneInfo, SegKind } from '../trace/segments.ts';
import { harmless } from './problems_text.ts';

export interface AsciiTimeline {
  readonly window: Window;
  readonly columns: number;
  /** By lane; undefined for lanes that are not drawn. */
  readonly lanes: (LaneCells | undefined)[];
}

interface LaneCells {
  startNs: Ns;
  symbol: string;
  /** By column: time of each symbol. */
  readonly cells: Map<string, Ns>[];
}

/** An empty drawing of `window` (finite) in `columns` columns. */
export function createAsciiTimeline(window: Window, columns: number): AsciiTimeline {
  return { window, columns, lanes: [] };
}

/** Takes over settled rows; O(rows + columns they touch). */
export function addTimelineRows(timeline: AsciiTimeline, rows: SegmentRows, lanes: readonly LaneInfo[]): void {
  for (let i = 0; i < rows.count; i++) {
    const id = rows.lane[i]!;
    const lane = lanes[id]!;
    if (lane.kind !== 'cpu' && lane.kind !== 'thread') continue;
    const cells = laneCells(timeline, id);
    paint(timeline, cells, rows.startNs[i]!);
    cells.startNs = rows.startNs[i]!;
    cells.symbol =
      lane.kind === 'cpu' ? cpuSymbol(rows.kind[i]!, rows.who[i]!) : (THREAD_SYMBOLS.get(rows.kind[i]!) ?? ' ');
  }
}

/** The drawing, ruler first, legend last. `endNs`: where the run ended. */
export function timelineText(
  timeline: AsciiTimeline,
  lanes: readonly LaneInfo[],
  tasks: readonly TaskInfo[],
  endNs: Ns,
): string {
  for (const cells of timeline.lanes) if (cells !== undefined) paint(timeline, cells, endNs);
  const label = (lane: LaneInfo): string =>
    lane.kind === 'cpu'
      ? `CPU ${lane.subject}`
      : `${letterOf(lane.subject)} ${harmless(tasks[lane.subject]?.name ?? '')}`;
  const drawn = lanes.filter((lane) => timeline.lanes[lane.id] !== undefined);
  const width = Math.max(...drawn.map((lane) => label(lane).length));
  const lines = drawn.map(
    (lane) => `${label(lane).padEnd(width)} |${timeline.lanes[lane.id]!.cells.map(dominant).join('')}|`,
  );
  const symbols = new Set(
    drawn.filter((lane) => lane.kind === 'thread').flatMap((lane) => timeline.lanes[lane.id]!.cells.map(dominant)),
  );
  return [rulerText(timeline, width), ...lines, legendText(symbols, width), ''].join('\n');
}

function laneCells(timeline: AsciiTimeline, id: number): LaneCells {
  const known = timeline.lanes[id];
  if (known !== undefined) return known;
  const cells: LaneCells = {
    startNs: 0,
    symbol: ' ',
    cells: Array.from({ length: timeline.columns }, () => new Map<string, Ns>()),
  };
  timeline.lanes[id] = cells;
  return cells;
}

/** Adds the open stretch of a lane up to `untilNs` to the columns that it touches. */
function paint({ window, columns }: AsciiTimeline, lane: LaneCells, untilNs: Ns): void {
  if (overlapNs(window, lane.startNs, untilNs) === 0) return;
  const columnNs = (window.toNs - window.fromNs) / columns;
  const first = Math.max(0, Math.floor((lane.startNs - window.fromNs) / columnNs));
  const last = Math.min(columns - 1, Math.floor((untilNs - window.fromNs) / columnNs));
  for (let column = first; column <= last; column++) {
    const fromNs = window.fromNs + column * columnNs;
    const partNs = overlapNs({ fromNs, toNs: fromNs + columnNs }, lane.startNs, untilNs);
    const cell = lane.cells[column]!;
    if (partNs > 0) cell.set(lane.symbol, (cell.get(lane.symbol) ?? 0) + partNs);
  }
}

function dominant(cell: ReadonlyMap<string, Ns>): string {
  let best = ' ';
  let bestNs = 0;
  for (const [symbol, ns] of cell) {
    if (ns <= bestNs) continue;
    best = symbol;
    bestNs = ns;
  }
  return best;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Letters repeat after Z: the drawing is for a few threads. */
function letterOf(task: number): string {
  return LETTERS[task % LETTERS.length]!;
}

function cpuSymbol(kind: number, who: number): string {
  if (who < 0) return ' ';
  return kind === SegKind.spin ? letterOf(who).toLowerCase() : letterOf(who);
}

const THREAD_SYMBOLS: ReadonlyMap<number, string> = new Map([
  [SegKind.run, '#'],
  [SegKind.spin, '/'],
  [SegKind.runnable, '.'],
  [SegKind.blocked, 'x'],
  [SegKind.sleep, '-'],
  [SegKind.throttled, '='],
]);

const SYMBOL_WORDS: readonly (readonly [string, string])[] = [
  ['#', 'running'],
  ['/', 'spinning'],
  ['.', 'runnable'],
  ['x', 'blocked'],
  ['-', 'sleeping'],
  ['=', 'throttled'],
];

function rulerText({ window, columns }: AsciiTimeline, width: number): string {
  const from = plain(formatMs(window.fromNs));
  const to = plain(formatMs(window.toNs));
  return `${' '.repeat(width + 2)}${from.padEnd(Math.max(from.length + 1, columns - to.length))}${to}`;
}

function legendText(symbols: ReadonlySet<string>, width: number): string {
  const words = SYMBOL_WORDS.filter(([symbol]) => symbols.has(symbol)).map(([symbol, word]) => `${symbol} ${word}`);
  return `${' '.repeat(width + 2)}${words.join('  ')}  On CPUs: the thread's letter, small when it spins`;
}
