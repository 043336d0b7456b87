// Where each CPU's pages lie. Lengths are the file's own words, so they are checked before anything is read.

import { ByteReader } from './byte_reader.ts';
import type { CpuPages } from './container.ts';
import type { FormatProblem } from './problem.ts';
import { CUT_SHORT, problemAt } from './problem.ts';
import type { PackedChunk, UnpackBudget } from './unpack.ts';
import { readChunk, unpackInto } from './unpack.ts';

/** Compressed data begin with their number of chunks, which their size does not count. */
const COUNT_BYTES = 4;

/** Collects CPUs' pages. No byte of the file is counted twice: a short file cannot promise endless data. */
export class CpuDataReader {
  readonly problems: FormatProblem[];
  private readonly bytes: Uint8Array;
  private readonly little: boolean;
  private readonly budget: UnpackBudget;
  private leftBytes: number;

  constructor(bytes: Uint8Array, little: boolean, budget: UnpackBudget, problems: FormatProblem[]) {
    this.bytes = bytes;
    this.little = little;
    this.budget = budget;
    this.problems = problems;
    this.leftBytes = bytes.length;
  }

  /** Pages at `offset`, `size` bytes in the file; undefined where there are none. */
  read(cpu: number, offset: number, size: number, compressed: boolean): CpuPages | undefined {
    if (size === 0) return undefined;
    if (offset >= this.bytes.length) {
      this.problems.push({
        place: `CPU ${cpu}, byte ${offset}`,
        reason: `The data of CPU ${cpu} begin after the end of the file.`,
        hint: CUT_SHORT,
      });
      return undefined;
    }
    const there = Math.min(compressed ? size + COUNT_BYTES : size, this.bytes.length - offset);
    if (there < size) {
      this.problems.push({
        place: `CPU ${cpu}, byte ${this.bytes.length}`,
        reason: `The data of CPU ${cpu} are ${size} bytes long; the file has ${there} of them.`,
        hint: CUT_SHORT,
      });
    }
    if (there > this.leftBytes) {
      this.problems.push({
        place: `CPU ${cpu}, byte ${offset}`,
        reason: `The data of CPU ${cpu} overlap those of others.`,
        hint: CUT_SHORT,
      });
      return undefined;
    }
    this.leftBytes -= there;
    const pages = compressed ? this.unpack(offset, offset + there) : this.bytes.subarray(offset, offset + there);
    return pages.length === 0 ? undefined : { cpu, bytes: pages };
  }

  /** All chunks up to the first that cannot be read. */
  private unpack(from: number, to: number): Uint8Array {
    const r = new ByteReader(this.bytes, this.little, from, to);
    const chunks: PackedChunk[] = [];
    let total = 0;
    for (let left = r.u32(); left > 0; left--) {
      const chunk = readChunk(r, this.budget);
      if (!chunk.ok) {
        this.problems.push(chunk.error);
        break;
      }
      chunks.push(chunk.value);
      total += chunk.value.unpackedBytes;
    }
    if (r.failedAt !== undefined && chunks.length === 0 && this.problems.length === 0) {
      this.problems.push(problemAt(from, 'Compressed data have no first part.', CUT_SHORT));
    }
    const all = new Uint8Array(total);
    let done = 0;
    for (const chunk of chunks) {
      const problem = unpackInto(chunk, all.subarray(done, done + chunk.unpackedBytes));
      if (problem !== undefined) {
        this.problems.push(problem);
        break;
      }
      done += chunk.unpackedBytes;
    }
    return all.subarray(0, done);
  }
}
