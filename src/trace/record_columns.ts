// Appends whole chunks of records. Apart from records.ts, whose rows come one by one.

import { moveInto } from '../base/columns.ts';
import type { OperandChunk, RecordChunk } from './chunks.ts';
import { nextCapacity } from './lane_columns.ts';
import { operandsBefore } from './operands.ts';
import { createOperands, createRecords, type OperandColumns, type RecordColumns } from './records.ts';

/**
 * Appends all rows of a chunk. Amortised O(rows).
 *
 * @param progress how much of the trace has come with this chunk, 0..1; 0: unknown
 */
export function appendRecords(r: RecordColumns, chunk: RecordChunk, progress = 0): void {
  const at = r.count;
  const { count } = chunk;
  if (at + count > r.kind.length) growTo(r, nextCapacity(r.kind.length, at + count, progress));
  // A chunk's columns may have room to spare.
  r.tsNs.set(chunk.tsNs.subarray(0, count), at);
  r.kind.set(chunk.kind.subarray(0, count), at);
  r.reason.set(chunk.reason.subarray(0, count), at);
  r.cpu.set(chunk.cpu.subarray(0, count), at);
  r.task.set(chunk.task.subarray(0, count), at);
  r.a.set(chunk.a.subarray(0, count), at);
  r.b.set(chunk.b.subarray(0, count), at);
  r.c.set(chunk.c.subarray(0, count), at);
  r.count = at + count;
  appendOperands(r.operands, chunk.operands, progress);
}

function appendOperands(o: OperandColumns, chunk: OperandChunk, progress: number): void {
  const at = o.count;
  const { count } = chunk;
  if (at + count > o.x.length) moveInto(o, createOperands(nextCapacity(o.x.length, at + count, progress)));
  o.x.set(chunk.x.subarray(0, count), at);
  o.y.set(chunk.y.subarray(0, count), at);
  o.count = at + count;
}

/** Rows [from, to) as a chunk of its own. O(to). */
export function copyRecords(r: RecordColumns, from: number, to: number): RecordChunk {
  const fromPair = operandsBefore(r.kind, 0, from);
  const toPair = to === r.count ? r.operands.count : fromPair + operandsBefore(r.kind, from, to);
  return {
    count: to - from,
    tsNs: r.tsNs.slice(from, to),
    kind: r.kind.slice(from, to),
    reason: r.reason.slice(from, to),
    cpu: r.cpu.slice(from, to),
    task: r.task.slice(from, to),
    a: r.a.slice(from, to),
    b: r.b.slice(from, to),
    c: r.c.slice(from, to),
    operands: {
      count: toPair - fromPair,
      x: r.operands.x.slice(fromPair, toPair),
      y: r.operands.y.slice(fromPair, toPair),
    },
  };
}

function growTo(r: RecordColumns, capacity: number): void {
  moveInto(r, createRecords(capacity));
}
