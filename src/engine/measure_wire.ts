// How many bytes of a run cross from the worker to the page, and what packing them costs. Called by the benchmark.

import type { Simulation } from '../sim/api.ts';
import type { TraceChunk } from '../trace/chunks.ts';
import type { RecordColumns } from '../trace/records.ts';
import { addTasks, createSegmenter, feedRecords, type Segmenter, settle } from '../trace/segmenter.ts';
import { type Chunker, chunkBytes, createChunker, gatherRecords, sealChunk } from './chunker.ts';
import { DEFAULT_CHUNK_SIZES } from './pump.ts';
import { type PackedChunk, packChunk, unpackChunk } from './wire/packed_chunk.ts';

/** What crosses from the worker to the page. */
export interface WireRun {
  readonly decisions: number;
  readonly chunks: readonly TraceChunk[];
  readonly packed: readonly PackedChunk[];
  /** Of all columns of records, operands and segments, before and after they are packed. */
  readonly columnBytes: number;
  readonly packedBytes: number;
  readonly values: number;
}

/** Hears all records of a run, piece by piece; pieces are small, so that chunks get the size of the host's. */
export type Through = (see: (taken: RecordColumns, sim: Simulation, decisions: number) => void) => void;

/** The chunks of a run as the worker makes them, of full size, and what is sent of them. */
export function wireRunOf(through: Through): WireRun {
  const chunks: TraceChunk[] = [];
  let decisions = 0;
  let chunker: Chunker | undefined;
  let segmenter: Segmenter | undefined;
  through((taken, sim, more) => {
    segmenter ??= createSegmenter(sim.meta);
    const tables = { lanes: segmenter.lanes, tasks: sim.tasks, texts: sim.texts };
    chunker ??= createChunker(segmenter.rows, tables, sim.meta.tasks.length);
    addTasks(segmenter, sim.tasks);
    feedRecords(segmenter, taken);
    settle(segmenter, sim.nowNs);
    gatherRecords(chunker, taken);
    decisions += more;
    const rows = Math.max(segmenter.rows.count, chunker.records.count);
    if (rows >= DEFAULT_CHUNK_SIZES.maxRows) chunks.push(sealChunk(chunker, sim.nowNs));
  });
  chunks.push(sealChunk(chunker!, 0));
  const packed = chunks.map(packChunk);
  const columnBytes = sum(chunks.map(chunkBytes));
  const packedBytes = sum(packed.map(({ bytes }) => bytes.length));
  const values = sum(chunks.map((c) => c.segments.count * 9 + c.records.count * 8 + c.records.operands.count * 2));
  return { decisions, chunks, packed, columnBytes, packedBytes, values };
}

/** Packs every chunk once more. */
export function packAgain({ chunks }: WireRun): { readonly bytes: number } {
  return { bytes: sum(chunks.map((chunk) => packChunk(chunk).bytes.length)) };
}

/** Unpacks every chunk once more. */
export function unpackAgain({ packed }: WireRun): { readonly rows: number } {
  return { rows: sum(packed.map((chunk) => unpackChunk(chunk)!.records.count)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, n) => all + n, 0);
}
