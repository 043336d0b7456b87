// A priority queue of numbered slots. Each slot (a timer, a tick, a CPU's next boundary) holds at most
// one pending instant, so re-arming and cancelling need no stale entries. Plain data: it clones.
// Order: time, then class of the slot, then order of arming.

import type { Ns } from './units.ts';

/** Pending instants of slots. `heap` holds slot numbers; `position[slot]` is its index in `heap`, -1 when not pending. */
export interface IndexedHeap {
  size: number;
  heap: number[];
  position: number[];
  whenNs: number[];
  /** Order at one instant: lower first. Fixed per slot. */
  slotClass: number[];
  seq: number[];
  nextSeq: number;
}

export function createHeap(): IndexedHeap {
  // An array that has held a fraction stays one of doubles: instants don't change its kind in mid-run.
  const whenNs = [0.5];
  whenNs.pop();
  return { size: 0, heap: [], position: [], whenNs, slotClass: [], seq: [], nextSeq: 0 };
}

/** Adds a slot that is not pending and returns its number. */
export function addSlot(h: IndexedHeap, slotClass: number): number {
  const slot = h.position.length;
  h.position.push(-1);
  h.whenNs.push(0);
  h.slotClass.push(slotClass);
  h.seq.push(0);
  h.heap.push(-1);
  return slot;
}

export function isPending(h: IndexedHeap, slot: number): boolean {
  return h.position[slot]! >= 0;
}

/** Makes `slot` due at `whenNs`. Re-arming for the same instant keeps its place in the order. O(log pending). */
export function arm(h: IndexedHeap, slot: number, whenNs: Ns): void {
  const at = h.position[slot]!;
  if (at >= 0) {
    const old = h.whenNs[slot]!;
    if (old === whenNs) return;
    h.whenNs[slot] = whenNs;
    h.seq[slot] = h.nextSeq++;
    if (whenNs < old) siftUp(h, at);
    else siftDown(h, at);
    return;
  }
  h.whenNs[slot] = whenNs;
  h.seq[slot] = h.nextSeq++;
  h.heap[h.size] = slot;
  h.position[slot] = h.size;
  siftUp(h, h.size++);
}

/** Forgets a pending instant; nothing happens when there is none. O(log pending). */
export function cancel(h: IndexedHeap, slot: number): void {
  const at = h.position[slot]!;
  if (at < 0) return;
  h.position[slot] = -1;
  const last = h.heap[--h.size]!;
  if (last === slot) return;
  h.heap[at] = last;
  h.position[last] = at;
  siftUp(h, at);
  siftDown(h, h.position[last]!);
}

/** The slot due first, or -1. */
export function peek(h: IndexedHeap): number {
  return h.size > 0 ? h.heap[0]! : -1;
}

/** Takes the slot due first off the queue. The queue must not be empty. */
export function pop(h: IndexedHeap): number {
  const slot = h.heap[0]!;
  h.position[slot] = -1;
  const last = h.heap[--h.size]!;
  if (last !== slot) {
    h.heap[0] = last;
    h.position[last] = 0;
    siftDown(h, 0);
  }
  return slot;
}

/** Order at one instant: class of the slot, then order of arming. */
function beforeAtOnce(h: IndexedHeap, a: number, b: number): boolean {
  const c = h.slotClass[a]! - h.slotClass[b]!;
  return c !== 0 ? c < 0 : h.seq[a]! < h.seq[b]!;
}

function siftUp(h: IndexedHeap, from: number): void {
  const { heap, position, whenNs } = h;
  const slot = heap[from]!;
  const when = whenNs[slot]!;
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const other = heap[parent]!;
    const otherWhen = whenNs[other]!;
    if (when > otherWhen || (when === otherWhen && !beforeAtOnce(h, slot, other))) break;
    heap[at] = other;
    position[other] = at;
    at = parent;
  }
  heap[at] = slot;
  position[slot] = at;
}

function siftDown(h: IndexedHeap, from: number): void {
  const { heap, position, whenNs, size } = h;
  const slot = heap[from]!;
  const when = whenNs[slot]!;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    let other = heap[child]!;
    let otherWhen = whenNs[other]!;
    if (child + 1 < size) {
      const right = heap[child + 1]!;
      const rightWhen = whenNs[right]!;
      if (rightWhen < otherWhen || (rightWhen === otherWhen && beforeAtOnce(h, right, other))) {
        child++;
        other = right;
        otherWhen = rightWhen;
      }
    }
    if (when < otherWhen || (when === otherWhen && !beforeAtOnce(h, other, slot))) break;
    heap[at] = other;
    position[other] = at;
    at = child;
  }
  heap[at] = slot;
  position[slot] = at;
}
