// Levels of detail of one lane: a pyramid of sums over blocks of rows. It follows rows, not a grid of
// times, so a burst inside an idle hour has as much detail as anything else. Built as rows arrive.

import { NONE } from './ids.ts';
import { isRtPrio } from './prio.ts';
import { type LaneKind, type SegmentColumns, SegKind } from './segments.ts';

/** Rows below a node of the lowest level. A power of two, as FANOUT. */
export const LEAF_ROWS = 8;
/** Nodes of one level below a node of the next. */
export const FANOUT = 4;

/**
 * Sums of the nodes of one level: node k covers rows [k * span, (k + 1) * span), span = LEAF_ROWS * FANOUT^level.
 * 20 bytes a node, 3.3 bytes a row over all levels. Times in ns as float32: sums for drawing, good to seven digits.
 */
export interface PyramidLevel {
  count: number;
  /** What the node's rows mostly are: see keyOf. NONE: none of them has a key. */
  key: Int32Array<ArrayBuffer>;
  /** Time of `key`; a lower bound above the lowest level. */
  keyNs: Float32Array<ArrayBuffer>;
  busyNs: Float32Array<ArrayBuffer>;
  spinNs: Float32Array<ArrayBuffer>;
  rtNs: Float32Array<ArrayBuffer>;
}

/** Pyramid over the rows of one lane. Rows that fill no node yet are read from the columns themselves. */
export interface LanePyramid {
  readonly laneKind: LaneKind;
  /** Lowest first. */
  readonly levels: PyramidLevel[];
}

export function createPyramid(laneKind: LaneKind): LanePyramid {
  return { laneKind, levels: [createLevel(16)] };
}

/**
 * Takes in the rows that came since the last call. A node is built once its last row has an end.
 * About 10 ns a row.
 */
export function extendPyramid(pyramid: LanePyramid, cols: SegmentColumns): void {
  const leaves = pyramid.levels[0]!;
  while ((leaves.count + 1) * LEAF_ROWS < cols.count) {
    buildLeaf(pyramid.laneKind, leaves, cols);
    for (let level = 1, built = leaves.count; built % FANOUT === 0; level++) {
      if (level === pyramid.levels.length) pyramid.levels.push(createLevel(4));
      buildNode(pyramid.levels[level]!, pyramid.levels[level - 1]!);
      built = pyramid.levels[level]!.count;
    }
  }
}

/**
 * What counts when rows are merged: on CPU lanes the running task, on lock lanes the holder (idle and free
 * rows have none), on thread and wait lanes the SegKind.
 */
export function keyOf(laneKind: LaneKind, kind: number, who: number): number {
  if (laneKind === 'thread') return kind;
  if (laneKind === 'lockWait') return kind === SegKind.absent ? NONE : kind;
  return isBusy(kind) ? who : NONE;
}

/** CPU and thread lanes: on a CPU. Lock lanes: held. Wait lanes: waiting. */
export function isBusy(kind: number): boolean {
  return kind === SegKind.run || kind === SegKind.spin || kind === SegKind.held || kind === SegKind.irq;
}

/** As isBusy, for a lane of this kind. */
export function isBusyOn(laneKind: LaneKind, kind: number): boolean {
  return laneKind === 'lockWait' ? kind !== SegKind.absent : isBusy(kind);
}

const leafKeys = new Int32Array(LEAF_ROWS);
const leafNs = new Float64Array(LEAF_ROWS);

function buildLeaf(laneKind: LaneKind, level: PyramidLevel, cols: SegmentColumns): void {
  const from = level.count * LEAF_ROWS;
  let keys = 0;
  let busyNs = 0;
  let spinNs = 0;
  let rtNs = 0;
  let startNs = cols.startNs[from]!;
  for (let row = from; row < from + LEAF_ROWS; row++) {
    const endNs = cols.startNs[row + 1]!;
    const ns = endNs - startNs;
    startNs = endNs;
    const kind = cols.kind[row]!;
    if (isBusyOn(laneKind, kind)) {
      busyNs += ns;
      if (kind === SegKind.spin) spinNs += ns;
      if (isRtPrio(cols.prio[row]!)) rtNs += ns;
    }
    const key = keyOf(laneKind, kind, cols.who[row]!);
    if (key === NONE) continue;
    let k = 0;
    while (k < keys && leafKeys[k] !== key) k++;
    if (k === keys) {
      leafKeys[keys++] = key;
      leafNs[k] = ns;
    } else {
      leafNs[k]! += ns;
    }
  }
  pushNode(level, keys, busyNs, spinNs, rtNs);
}

function buildNode(level: PyramidLevel, below: PyramidLevel): void {
  const from = level.count * FANOUT;
  let keys = 0;
  let busyNs = 0;
  let spinNs = 0;
  let rtNs = 0;
  for (let node = from; node < from + FANOUT; node++) {
    busyNs += below.busyNs[node]!;
    spinNs += below.spinNs[node]!;
    rtNs += below.rtNs[node]!;
    const key = below.key[node]!;
    if (key === NONE) continue;
    let k = 0;
    while (k < keys && leafKeys[k] !== key) k++;
    if (k === keys) {
      leafKeys[keys++] = key;
      leafNs[k] = below.keyNs[node]!;
    } else {
      leafNs[k]! += below.keyNs[node]!;
    }
  }
  pushNode(level, keys, busyNs, spinNs, rtNs);
}

function pushNode(level: PyramidLevel, keys: number, busyNs: number, spinNs: number, rtNs: number): void {
  let best = -1;
  for (let k = 0; k < keys; k++) if (best < 0 || leafNs[k]! > leafNs[best]!) best = k;
  if (level.count === level.key.length) growLevel(level);
  const node = level.count++;
  level.key[node] = best < 0 ? NONE : leafKeys[best]!;
  level.keyNs[node] = best < 0 ? 0 : leafNs[best]!;
  level.busyNs[node] = busyNs;
  level.spinNs[node] = spinNs;
  level.rtNs[node] = rtNs;
}

function createLevel(capacity: number): PyramidLevel {
  return {
    count: 0,
    key: new Int32Array(capacity),
    keyNs: new Float32Array(capacity),
    busyNs: new Float32Array(capacity),
    spinNs: new Float32Array(capacity),
    rtNs: new Float32Array(capacity),
  };
}

function growLevel(level: PyramidLevel): void {
  const bigger = createLevel(Math.ceil(level.key.length * 1.5));
  bigger.key.set(level.key);
  bigger.keyNs.set(level.keyNs);
  bigger.busyNs.set(level.busyNs);
  bigger.spinNs.set(level.spinNs);
  bigger.rtNs.set(level.rtNs);
  const { count, ...columns } = bigger;
  void count;
  Object.assign(level, columns);
}
