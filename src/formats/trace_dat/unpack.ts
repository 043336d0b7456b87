// Compressed parts of version 7: { u32 packed bytes, u32 unpacked bytes, data }.

import { Decompress } from 'fzstd';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { ByteReader } from './byte_reader.ts';
import type { FormatProblem } from './problem.ts';
import { CUT_SHORT, problemAt } from './problem.ts';

/** Zstandard's longest run: 128 KiB from four bytes, and the frame's head. No honest length is beyond it. */
const MOST_PER_BYTE = 32_768;
const LEAST_BUDGET_BYTES = 268_435_456;
const BUDGET_PER_BYTE = 64;

/** How many bytes a file may become when it is unpacked: 64 times its length, at least 256 MiB, at most 2 GiB. */
export class UnpackBudget {
  leftBytes: number;

  constructor(fileBytes: number) {
    this.leftBytes = Math.min(Math.max(LEAST_BUDGET_BYTES, fileBytes * BUDGET_PER_BYTE), 2_147_483_648);
  }
}

/** A chunk as it lies in the file. */
export interface PackedChunk {
  readonly at: number;
  readonly packed: Uint8Array;
  readonly unpackedBytes: number;
}

/** The next chunk's head and data, its size taken from the budget. */
export function readChunk(r: ByteReader, budget: UnpackBudget): Result<PackedChunk, FormatProblem> {
  const at = r.pos;
  const packedBytes = r.u32();
  const unpackedBytes = r.u32();
  const packed = r.take(packedBytes);
  if (r.failedAt !== undefined) return err(problemAt(at, 'A compressed part ends after the file does.', CUT_SHORT));
  if (unpackedBytes > packedBytes * MOST_PER_BYTE || unpackedBytes > budget.leftBytes) {
    return err(
      problemAt(
        at,
        `A compressed part of ${packedBytes} bytes says that it holds ${unpackedBytes}, which is too much.`,
        'The file is damaged, or too large to unpack here. Convert it with "trace-cmd convert --compression none".',
      ),
    );
  }
  budget.leftBytes -= unpackedBytes;
  return ok({ at, packed, unpackedBytes });
}

/** The largest window that a reader must offer (RFC 8878). A frame that wants more would cost memory before any data. */
const MOST_WINDOW_BYTES = 8_388_608;
const FRAME_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

const LENGTH_BYTES = [0, 2, 4, 8];
const DICTIONARY_BYTES = [0, 1, 2, 4];
const RUN_BLOCK = 1;

/**
 * The window that the data ask for, or undefined unless they are exactly one frame: a second one could ask for
 * any window, and the library would allocate it.
 */
function windowOf(packed: Uint8Array): number | undefined {
  if (!FRAME_MAGIC.every((byte, i) => packed[i] === byte)) return undefined;
  const descriptor = packed[4] ?? 0;
  const single = (descriptor & 0x20) !== 0;
  let at = single ? 5 : 6;
  at += DICTIONARY_BYTES[descriptor & 3]!;
  const lengthBytes = descriptor >> 6 === 0 && single ? 1 : LENGTH_BYTES[descriptor >> 6]!;
  let content = lengthBytes === 2 ? 256 : 0;
  let scale = 1;
  for (let i = 0; i < lengthBytes; i++, scale *= 256) content += (packed[at + i] ?? 0) * scale;
  at += lengthBytes;
  for (let last = false; !last; ) {
    if (at + 3 > packed.length) return undefined;
    const head = packed[at]! | (packed[at + 1]! << 8) | (packed[at + 2]! << 16);
    last = (head & 1) !== 0;
    at += 3 + (((head >> 1) & 3) === RUN_BLOCK ? 1 : head >> 3);
  }
  if (at + ((descriptor & 4) !== 0 ? 4 : 0) !== packed.length) return undefined;
  if (single) return content;
  const code = packed[5]!;
  const exponent = 10 + (code >> 3);
  if (exponent > 23) return undefined;
  const base = 1 << exponent;
  return base + (base >> 3) * (code & 7);
}

class TooLong extends Error {}

/** Unpacks a chunk into `into`, which is as long as the chunk says it is. */
export function unpackInto(chunk: PackedChunk, into: Uint8Array): FormatProblem | undefined {
  const window = windowOf(chunk.packed);
  let written = 0;
  if (window !== undefined && window <= Math.max(MOST_WINDOW_BYTES, into.length)) {
    try {
      const stream = new Decompress((part) => {
        if (written + part.length > into.length) throw new TooLong();
        into.set(part, written);
        written += part.length;
      });
      stream.push(chunk.packed, true);
    } catch {
      // The library reports every fault of the data by throwing; for us all are one kind.
      written = -1;
    }
  }
  if (window !== undefined && written === chunk.unpackedBytes) return undefined;
  return problemAt(chunk.at, 'A compressed part cannot be unpacked.', CUT_SHORT);
}

/** One whole part. */
export function unpackPart(r: ByteReader, budget: UnpackBudget): Result<Uint8Array, FormatProblem> {
  const chunk = readChunk(r, budget);
  if (!chunk.ok) return chunk;
  const into = new Uint8Array(chunk.value.unpackedBytes);
  const problem = unpackInto(chunk.value, into);
  return problem === undefined ? ok(into) : err(problem);
}
