// Levels of detail of one lane: a pyramid of sums over blocks of rows. It follows rows, not a grid of
// times, so a burst inside an idle hour has as much detail as anything else. Built as rows arrive.

import { NONE } from './ids.ts';
import { PRIO_NONE } from './prio.ts';
import { type LaneKind, SegKind, type SegmentColumns } from './segments.ts';

/** Rows below a node of the lowest level are 1 << LEAF_SHIFT. */
export const LEAF_SHIFT = 3;
/** Nodes of one level below a node of the next are 1 << FANOUT_SHIFT. */
export const FANOUT_SHIFT = 2;

/** Sums of a node, in this order, as ns in float32: for drawing, good to seven digits. */
export const NODE_SUMS = 4;
export const KEY_NS = 0;
export const BUSY_NS = 1;
export const SPIN_NS = 2;
export const RT_NS = 3;

/**
 * The nodes of one level: node k covers rows [k << shift, (k + 1) << shift), shift = LEAF_SHIFT + level * FANOUT_SHIFT.
 * 20 bytes a node, 3.3 bytes a row over all levels.
 */
export interface PyramidLevel {
  count: number;
  /** What the node's rows mostly are: see keyOf. NONE: none of them has a key. */
  key: Int32Array<ArrayBuffer>;
  /** NODE_SUMS a node: time of `key` (above the lowest level a lower bound), busy, spinning, busy in the real-time class. */
  sums: Float32Array<ArrayBuffer>;
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

/** Takes in the rows that came since the last call. A node is built once its last row has an end. */
export function extendPyramid(pyramid: LanePyramid, cols: SegmentColumns): void {
  const leaves = pyramid.levels[0]!;
  const from = leaves.count;
  // The row after a leaf's last one ends it.
  const to = Math.max(from, (cols.count - 1) >> LEAF_SHIFT);
  if (to === from) return;
  reserve(leaves, to);
  buildLeaves(pyramid.laneKind, leaves, cols, to);
  for (let level = 1; ; level++) {
    const below = pyramid.levels[level - 1]!;
    const count = below.count >> FANOUT_SHIFT;
    if (count === 0) return;
    if (level === pyramid.levels.length) pyramid.levels.push(createLevel(4));
    const nodes = pyramid.levels[level]!;
    if (nodes.count === count) return;
    reserve(nodes, count);
    buildNodes(nodes, below, count);
  }
}

/**
 * What counts when rows are merged: on CPU lanes the running task, on lock lanes the holder (idle and free
 * rows have none), on thread and wait lanes the SegKind (absent has none on wait lanes).
 */
export function keyOf(laneKind: LaneKind, kind: number, who: number): number {
  if (laneKind === 'thread') return kind;
  if (laneKind === 'lockWait') return kind === SegKind.absent ? NONE : kind;
  return BUSY[kind] === 1 ? who : NONE;
}

const ALL_KINDS = 16;

/** By SegKind: 1 where a CPU or thread lane is on a CPU or a lock is held. */
const BUSY = new Uint8Array(ALL_KINDS);
for (const kind of [SegKind.run, SegKind.spin, SegKind.irq, SegKind.held]) BUSY[kind] = 1;
/** By SegKind: 1 where a wait lane waits. */
const WAITS = new Uint8Array(ALL_KINDS).fill(1);
WAITS[SegKind.absent] = 0;
/** By prio + 1: 1 for the real-time class. */
const RT = new Uint8Array(PRIO_NONE + 2);
for (let prio = 0; prio < 100; prio++) RT[prio + 1] = 1;

/** By SegKind, what is busy on such a lane: CPU and thread lanes on a CPU, lock lanes held, wait lanes waiting. */
export function busyTable(laneKind: LaneKind): Uint8Array<ArrayBuffer> {
  return laneKind === 'lockWait' ? WAITS : BUSY;
}

/** By prio + 1: 1 for the real-time class. */
export function rtTable(): Uint8Array<ArrayBuffer> {
  return RT;
}

// Time by key + 1 within the node that is being summed; entry 0 takes what has no key. All zero in between.
let keyTime = new Float64Array(256);

/** The shared table of times by key + 1, all zero, with room for `key`. Whoever writes to it clears it. */
export function keyTimes(key: number): Float64Array<ArrayBuffer> {
  if (key + 1 >= keyTime.length) keyTime = new Float64Array(Math.max(key + 2, keyTime.length * 2));
  return keyTime;
}

const leafKeys = new Int32Array(1 << LEAF_SHIFT);

function buildLeaves(laneKind: LaneKind, level: PyramidLevel, cols: SegmentColumns, toLeaf: number): void {
  const { startNs, kind, who, prio } = cols;
  const { key, sums } = level;
  const busyOf = busyTable(laneKind);
  const byKind = laneKind === 'thread' || laneKind === 'lockWait';
  let times = keyTime;
  const rows = 1 << LEAF_SHIFT;
  let row = level.count << LEAF_SHIFT;
  let fromNs = startNs[row]!;
  for (let leaf = level.count; leaf < toLeaf; leaf++) {
    let busyNs = 0;
    let spinNs = 0;
    let rtNs = 0;
    let bestNs = 0;
    let bestKey = 0;
    for (let i = 0; i < rows; i++, row++) {
      const toNs = startNs[row + 1]!;
      const ns = toNs - fromNs;
      fromNs = toNs;
      const k = kind[row]!;
      const busy = busyOf[k]!;
      busyNs += busy * ns;
      if (k === SegKind.spin) spinNs += ns;
      rtNs += busy * RT[prio[row]! + 1]! * ns;
      const slot = byKind ? (laneKind === 'thread' ? k + 1 : busy * (k + 1)) : busy * (who[row]! + 1);
      if (slot >= times.length) times = regrow(times, slot);
      leafKeys[i] = slot;
      const sum = times[slot]! + ns;
      times[slot] = sum;
      if (sum > bestNs && slot > 0) {
        bestNs = sum;
        bestKey = slot;
      }
    }
    for (let i = 0; i < rows; i++) times[leafKeys[i]!] = 0;
    key[leaf] = bestKey - 1;
    const at = leaf * NODE_SUMS;
    sums[at + KEY_NS] = bestNs;
    sums[at + BUSY_NS] = busyNs;
    sums[at + SPIN_NS] = spinNs;
    sums[at + RT_NS] = rtNs;
  }
  level.count = toLeaf;
}

/** A larger table in the middle of a node: what was summed so far is kept. */
function regrow(times: Float64Array<ArrayBuffer>, slot: number): Float64Array<ArrayBuffer> {
  const bigger = keyTimes(slot);
  bigger.set(times);
  times.fill(0);
  return bigger;
}

function buildNodes(level: PyramidLevel, below: PyramidLevel, toNode: number): void {
  const { key, sums } = level;
  const fanout = 1 << FANOUT_SHIFT;
  for (let node = level.count; node < toNode; node++) {
    const first = node << FANOUT_SHIFT;
    let bestKey = NONE;
    let bestNs = 0;
    let busyNs = 0;
    let spinNs = 0;
    let rtNs = 0;
    for (let i = first; i < first + fanout; i++) {
      const from = i * NODE_SUMS;
      busyNs += below.sums[from + BUSY_NS]!;
      spinNs += below.sums[from + SPIN_NS]!;
      rtNs += below.sums[from + RT_NS]!;
      const candidate = below.key[i]!;
      if (candidate === NONE) continue;
      let ns = 0;
      for (let j = first; j < first + fanout; j++)
        if (below.key[j] === candidate) ns += below.sums[j * NODE_SUMS + KEY_NS]!;
      if (ns > bestNs) {
        bestNs = ns;
        bestKey = candidate;
      }
    }
    key[node] = bestKey;
    const at = node * NODE_SUMS;
    sums[at + KEY_NS] = bestNs;
    sums[at + BUSY_NS] = busyNs;
    sums[at + SPIN_NS] = spinNs;
    sums[at + RT_NS] = rtNs;
  }
  level.count = toNode;
}

function createLevel(capacity: number): PyramidLevel {
  return { count: 0, key: new Int32Array(capacity), sums: new Float32Array(capacity * NODE_SUMS) };
}

function reserve(level: PyramidLevel, count: number): void {
  if (count <= level.key.length) return;
  const bigger = createLevel(Math.max(count, Math.ceil(level.key.length * 1.5)));
  bigger.key.set(level.key);
  bigger.sums.set(level.sums);
  level.key = bigger.key;
  level.sums = bigger.sums;
}
