// Dense stretches: segments narrower than 3 px are merged into bins of 3 px. A bin keeps the share of its time in
// each state and the thread with most of it, so that a hang stays a solid block and a duty of 4 % a low line.
// A bin holds the segments that begin between two fixed instants (multiples of its length), so bins travel with the
// data when the view moves, and their edges are edges of segments.

import { NONE } from '../trace/ids.ts';

/** Bins of one lane, from left to right; used again lane by lane. Shares are 0..1 of the time the bin covers. */
export interface BinList {
  count: number;
  /** Some bin has time with an edge: real-time, boosted, holding a lock. */
  edged: boolean;
  x0: Int32Array<ArrayBuffer>;
  x1: Int32Array<ArrayBuffer>;
  /** Task with most busy time, else NONE. */
  who: Int32Array<ArrayBuffer>;
  /** The task with most after it, else NONE, and its part, 0..1, of what the two had. */
  next: Int32Array<ArrayBuffer>;
  nextPart: Float32Array<ArrayBuffer>;
  /** SHARES values a bin, in the order of the places below. */
  shares: Float32Array<ArrayBuffer>;
}

/** Places of the shares of a bin. OTHER takes what a bin does not show: idle, absent. */
export const RUN = 0;
export const SPIN = 1;
export const WAIT = 2;
export const BLOCK = 3;
export const SLEEP = 4;
export const OTHER = 5;
/** Of the time it ran, spun or waited. */
export const REAL_TIME = 6;
export const BOOSTED = 7;
export const HOLDS = 8;
export const SHARES = 9;

export function createBins(capacity = 4096): BinList {
  return {
    count: 0,
    edged: false,
    x0: new Int32Array(capacity),
    x1: new Int32Array(capacity),
    who: new Int32Array(capacity),
    next: new Int32Array(capacity),
    nextPart: new Float32Array(capacity),
    shares: new Float32Array(capacity * SHARES),
  };
}

/** Appends a bin over [x0, x1) device px from sums of time by place and, last, its length; at least 1 px wide. */
export function pushBin(bins: BinList, x0: number, x1: number, sums: Float64Array): void {
  if (bins.count === bins.x0.length) grow(bins);
  const at = bins.count++;
  bins.x0[at] = x0;
  bins.x1[at] = x1 > x0 ? x1 : x0 + 1;
  rankTasks();
  bins.who[at] = firstTask;
  bins.next[at] = secondTask;
  bins.nextPart[at] = secondNs > 0 ? secondNs / (firstNs + secondNs) : 0;
  const { shares } = bins;
  const perNs = 1 / sums[SHARES]!;
  const from = at * SHARES;
  for (let place = 0; place < SHARES; place++) shares[from + place] = sums[place]! * perNs;
  const realTime = sums[REAL_TIME]!;
  if (realTime > 0) shares[from + REAL_TIME] = realTime / (sums[RUN]! + sums[SPIN]! + sums[WAIT]!);
  if (realTime > 0 || sums[BOOSTED]! > 0 || sums[HOLDS]! > 0) bins.edged = true;
}

function grow(bins: BinList): void {
  const bigger = createBins(bins.x0.length * 2);
  bigger.x0.set(bins.x0);
  bigger.x1.set(bins.x1);
  bigger.who.set(bins.who);
  bigger.next.set(bins.next);
  bigger.nextPart.set(bins.nextPart);
  bigger.shares.set(bins.shares);
  bins.x0 = bigger.x0;
  bins.x1 = bigger.x1;
  bins.who = bigger.who;
  bins.next = bigger.next;
  bins.nextPart = bigger.nextPart;
  bins.shares = bigger.shares;
}

// --- which thread has most of the bin that is being filled ---

/** A bin with more threads than this looks like noise whatever is drawn. */
const MOST_TASKS = 24;
const taskIds = new Int32Array(MOST_TASKS);
const taskNs = new Float64Array(MOST_TASKS);
let tasks = 0;

export function forgetTasks(): void {
  tasks = 0;
}

export function countTask(task: number, ns: number): void {
  for (let i = 0; i < tasks; i++) {
    if (taskIds[i] !== task) continue;
    taskNs[i] = taskNs[i]! + ns;
    return;
  }
  if (tasks === MOST_TASKS) return;
  taskIds[tasks] = task;
  taskNs[tasks] = ns;
  tasks++;
}

let firstTask = NONE;
let firstNs = 0;
let secondTask = NONE;
let secondNs = 0;

/** Finds the two with most time. */
function rankTasks(): void {
  firstTask = NONE;
  firstNs = 0;
  secondTask = NONE;
  secondNs = 0;
  for (let i = 0; i < tasks; i++) {
    const ns = taskNs[i]!;
    if (ns > firstNs) {
      secondTask = firstTask;
      secondNs = firstNs;
      firstTask = taskIds[i]!;
      firstNs = ns;
    } else if (ns > secondNs) {
      secondTask = taskIds[i]!;
      secondNs = ns;
    }
  }
}
