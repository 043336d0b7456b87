// All CPUs' events in the order of time.

import type { CpuStream } from './cpu_stream.ts';

/** Clock units since time zero as nanoseconds since time zero. */
export type TicksToNs = (ticks: number) => number;

/** Where records say which event they are, and how long a record of each event is at least (-1: unknown event). */
export interface RecordHead {
  readonly idAt: number;
  readonly idBytes: 2 | 4;
  readonly leastBytes: Int32Array;
}

/**
 * Walks over the events of a buffer. `next` goes on by one; the other members then speak of that event. Events of
 * one instant come by CPU number. A cursor allocates nothing per event.
 */
export class EventCursor {
  /** Nanoseconds since the trace's `startNs`. */
  tsNs = 0;
  cpu = 0;
  /** The event's number, a key of the trace's `formats`. */
  id = 0;
  /** Events of this CPU that were lost before this one; -1: nobody knows how many. */
  lost = 0;
  /** Bytes of the current record: `view`, from `at`, `length` of them. For field readers. */
  view: DataView;
  at = 0;
  length = 0;
  /** Records that were skipped: of an event without a format, or shorter than their format. */
  skipped = 0;

  private readonly streams: readonly CpuStream[];
  private readonly head: RecordHead;
  private readonly little: boolean;
  private readonly toNs: TicksToNs | undefined;
  /** A heap of streams by (time, CPU). */
  private readonly heap: CpuStream[] = [];
  private begun = false;

  constructor(streams: readonly CpuStream[], head: RecordHead, little: boolean, toNs: TicksToNs | undefined) {
    this.streams = streams;
    this.head = head;
    this.little = little;
    this.toNs = toNs;
    this.view = streams[0]?.view ?? new DataView(new ArrayBuffer(0));
  }

  /** False after the last event. */
  next(): boolean {
    const { heap, head } = this;
    if (!this.begun) this.begin();
    else this.advanceTop();
    while (heap.length > 0) {
      const top = heap[0]!;
      if (top.length >= head.idAt + head.idBytes) {
        const at = top.at + head.idAt;
        const id = head.idBytes === 2 ? top.view.getUint16(at, this.little) : top.view.getUint32(at, this.little);
        const least = head.leastBytes[id] ?? -1;
        if (least >= 0 && top.length >= least) {
          this.id = id;
          this.view = top.view;
          this.at = top.at;
          this.length = top.length;
          this.cpu = top.cpu;
          this.lost = top.lost;
          this.tsNs = this.toNs === undefined ? top.ticks : this.toNs(top.ticks);
          return true;
        }
      }
      this.skipped += 1;
      this.advanceTop();
    }
    return false;
  }

  /** Pages with something that no kernel writes, by CPU. */
  damage(): { readonly cpu: number; readonly pages: number; readonly cutShort: boolean }[] {
    return this.streams
      .filter((s) => s.damagedPages > 0)
      .map((s) => ({ cpu: s.cpu, pages: s.damagedPages, cutShort: s.cutShort }));
  }

  private begin(): void {
    this.begun = true;
    for (const stream of this.streams) if (stream.next()) this.heap.push(stream);
    this.heap.sort((x, y) => x.ticks - y.ticks || x.cpu - y.cpu);
  }

  private advanceTop(): void {
    const { heap } = this;
    const top = heap[0];
    if (top === undefined) return;
    if (!top.next()) {
      const last = heap.pop()!;
      if (heap.length === 0) return;
      heap[0] = last;
    }
    this.sink();
  }

  private sink(): void {
    const { heap } = this;
    const moved = heap[0]!;
    const count = heap.length;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= count) break;
      if (child + 1 < count && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, moved)) break;
      heap[hole] = heap[child]!;
      hole = child;
    }
    heap[hole] = moved;
  }
}

function isBefore(x: CpuStream, y: CpuStream): boolean {
  return x.ticks < y.ticks || (x.ticks === y.ticks && x.cpu < y.cpu);
}
