// Dense stretches: segments narrower than 3 px are merged into bins of 2.5 px. A bin keeps the share of its time
// in each state and the thread with most of it, so that a hang stays a solid block and a duty of 4 % a low line.
// Bins stand at fixed instants (multiples of their length), so that they travel with the data when the view moves.

import { NONE } from '../trace/ids.ts';
import { BUSY_NS, KEY_NS, NODE_SUMS, type PyramidLevel, RT_NS, SPIN_NS } from '../trace/lod.ts';
import { SegFlag, SegKind } from '../trace/segments.ts';
import { type LaneContext, xOf } from './lane_context.ts';

/** Bins of one lane, from left to right; used again lane by lane. Shares are 0..1 of the time the bin covers. */
export interface BinList {
  count: number;
  x0: Int32Array<ArrayBuffer>;
  x1: Int32Array<ArrayBuffer>;
  /** Task with most busy time, else NONE. */
  who: Int32Array<ArrayBuffer>;
  run: Float32Array<ArrayBuffer>;
  spin: Float32Array<ArrayBuffer>;
  wait: Float32Array<ArrayBuffer>;
  block: Float32Array<ArrayBuffer>;
  sleep: Float32Array<ArrayBuffer>;
  /** Of the busy or waiting time. */
  realTime: Float32Array<ArrayBuffer>;
  boosted: Float32Array<ArrayBuffer>;
  holds: Float32Array<ArrayBuffer>;
}

export function createBins(capacity = 4096): BinList {
  return {
    count: 0,
    x0: new Int32Array(capacity),
    x1: new Int32Array(capacity),
    who: new Int32Array(capacity),
    run: new Float32Array(capacity),
    spin: new Float32Array(capacity),
    wait: new Float32Array(capacity),
    block: new Float32Array(capacity),
    sleep: new Float32Array(capacity),
    realTime: new Float32Array(capacity),
    boosted: new Float32Array(capacity),
    holds: new Float32Array(capacity),
  };
}

function grow(bins: BinList): void {
  const bigger = createBins(bins.x0.length * 2);
  bigger.x0.set(bins.x0);
  bigger.x1.set(bins.x1);
  bigger.who.set(bins.who);
  bigger.run.set(bins.run);
  bigger.spin.set(bins.spin);
  bigger.wait.set(bins.wait);
  bigger.block.set(bins.block);
  bigger.sleep.set(bins.sleep);
  bigger.realTime.set(bins.realTime);
  bigger.boosted.set(bins.boosted);
  bigger.holds.set(bins.holds);
  const { count, ...columns } = bigger;
  void count;
  Object.assign(bins, columns);
}

/** Appends a bin whose shares are still 0 and gives its place. */
export function pushBin(bins: BinList, x0: number, x1: number, who: number): number {
  if (bins.count === bins.x0.length) grow(bins);
  const at = bins.count++;
  bins.x0[at] = x0;
  bins.x1[at] = Math.max(x0 + 1, x1);
  bins.who[at] = who;
  bins.run[at] = 0;
  bins.spin[at] = 0;
  bins.wait[at] = 0;
  bins.block[at] = 0;
  bins.sleep[at] = 0;
  bins.realTime[at] = 0;
  bins.boosted[at] = 0;
  bins.holds[at] = 0;
  return at;
}

// --- the bin that is being filled ---

const MOST_TASKS = 24;
const open = {
  index: Number.NaN,
  fromNs: 0,
  toNs: 0,
  run: 0,
  spin: 0,
  wait: 0,
  block: 0,
  sleep: 0,
  realTime: 0,
  boosted: 0,
  holds: 0,
  tasks: 0,
};
const taskIds = new Int32Array(MOST_TASKS);
const taskNs = new Float64Array(MOST_TASKS);

/** Adds the time [startNs, endNs) of a row to the bins it touches. */
export function addToBins(c: LaneContext, row: number, startNs: number, endNs: number): void {
  const binNs = c.metrics.binPx / c.pxPerNs;
  let fromNs = startNs;
  // At most two bins: a narrow segment is shorter than two of them.
  for (let index = Math.floor(startNs / binNs); fromNs < endNs; index++) {
    const toNs = Math.min(endNs, (index + 1) * binNs);
    if (toNs <= fromNs) continue;
    turnTo(c, index, fromNs, toNs);
    count(c, row, toNs - fromNs);
    fromNs = toNs;
  }
}

/** Makes the bin of `index` the one that is being filled and lets it reach to `toNs`. */
function turnTo(c: LaneContext, index: number, fromNs: number, toNs: number): void {
  if (index !== open.index || fromNs > open.toNs) {
    closeBin(c);
    open.index = index;
    open.fromNs = fromNs;
  }
  open.toNs = toNs;
}

/** Adds a node of the lane's pyramid, which covers [startNs, endNs) from `row` on; spread evenly over its length. */
export function addBlockToBins(
  c: LaneContext,
  level: PyramidLevel,
  node: number,
  row: number,
  startNs: number,
  endNs: number,
): void {
  const binNs = c.metrics.binPx / c.pxPerNs;
  let fromNs = startNs;
  for (let index = Math.floor(startNs / binNs); fromNs < endNs; index++) {
    const toNs = Math.min(endNs, (index + 1) * binNs);
    if (toNs <= fromNs) continue;
    turnTo(c, index, fromNs, toNs);
    countBlock(c, level, node, row, (toNs - fromNs) / (endNs - startNs), toNs - fromNs);
    fromNs = toNs;
  }
}

function countBlock(c: LaneContext, level: PyramidLevel, node: number, row: number, share: number, ns: number): void {
  const at = node * NODE_SUMS;
  const spinNs = level.sums[at + SPIN_NS]! * share;
  const busyNs = level.sums[at + BUSY_NS]! * share;
  const keyNs = level.sums[at + KEY_NS]! * share;
  const key = level.key[node]!;
  open.spin += spinNs;
  open.run += Math.max(0, busyNs - spinNs);
  open.realTime += level.sums[at + RT_NS]! * share;
  if (c.kind === 'thread') countKind(key, keyNs, Math.max(0, ns - busyNs));
  else if (key !== NONE) countTask(key, keyNs);
  // A node knows no edges; its first row speaks for it.
  const flag = c.columns.flags[row]!;
  if ((flag & SegFlag.boosted) !== 0) open.boosted += ns;
  if ((flag & SegFlag.holdsLock) !== 0) open.holds += ns;
}

/** Of the time that was not busy a node knows only the kind it had most of. */
function countKind(kind: number, keyNs: number, quietNs: number): void {
  const ns = Math.min(keyNs, quietNs);
  if (kind === SegKind.runnable) open.wait += ns;
  else if (kind === SegKind.blocked || kind === SegKind.throttled) open.block += ns;
  else open.sleep += quietNs;
}

function count(c: LaneContext, row: number, ns: number): void {
  const { kind, flags, who } = c.columns;
  const state = kind[row]!;
  switch (state) {
    case SegKind.run:
    case SegKind.held:
      open.run += ns;
      countTask(who[row]!, ns);
      break;
    case SegKind.spin:
      open.spin += ns;
      countTask(who[row]!, ns);
      break;
    case SegKind.runnable:
      open.wait += ns;
      break;
    case SegKind.blocked:
    case SegKind.throttled:
      open.block += ns;
      break;
    case SegKind.sleep:
      open.sleep += ns;
      break;
  }
  const flag = flags[row]!;
  if ((flag & SegFlag.rt) !== 0 && isActive(state)) open.realTime += ns;
  if ((flag & SegFlag.boosted) !== 0) open.boosted += ns;
  if ((flag & SegFlag.holdsLock) !== 0) open.holds += ns;
}

function isActive(state: number): boolean {
  return state === SegKind.run || state === SegKind.spin || state === SegKind.runnable;
}

function countTask(task: number, ns: number): void {
  for (let i = 0; i < open.tasks; i++) {
    if (taskIds[i] !== task) continue;
    taskNs[i] = taskNs[i]! + ns;
    return;
  }
  if (open.tasks === MOST_TASKS) return;
  taskIds[open.tasks] = task;
  taskNs[open.tasks] = ns;
  open.tasks++;
}

/** Ends the bin that is being filled; call where a wide segment begins and at the end of the lane. */
export function closeBin(c: LaneContext): void {
  const ns = open.toNs - open.fromNs;
  if (!Number.isNaN(open.index) && ns > 0) {
    const at = pushBin(c.bins, Math.round(xOf(c, open.fromNs)), Math.round(xOf(c, open.toNs)), dominantTask());
    const b = c.bins;
    b.run[at] = open.run / ns;
    b.spin[at] = open.spin / ns;
    b.wait[at] = open.wait / ns;
    b.block[at] = open.block / ns;
    b.sleep[at] = open.sleep / ns;
    const active = open.run + open.spin + open.wait;
    b.realTime[at] = active > 0 ? open.realTime / active : 0;
    b.boosted[at] = open.boosted / ns;
    b.holds[at] = open.holds / ns;
  }
  open.index = Number.NaN;
  open.run = 0;
  open.spin = 0;
  open.wait = 0;
  open.block = 0;
  open.sleep = 0;
  open.realTime = 0;
  open.boosted = 0;
  open.holds = 0;
  open.tasks = 0;
}

function dominantTask(): number {
  let best = NONE;
  let bestNs = 0;
  for (let i = 0; i < open.tasks; i++) {
    if (taskNs[i]! <= bestNs) continue;
    best = taskIds[i]!;
    bestNs = taskNs[i]!;
  }
  return best;
}
