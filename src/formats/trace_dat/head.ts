// The first bytes of the file, the same in both versions up to the page size.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { ByteReader } from './byte_reader.ts';
import type { FileHead } from './container.ts';
import { isPageSize } from './container.ts';
import type { FormatProblem } from './problem.ts';
import { CUT_SHORT, problemAt } from './problem.ts';

const MAGIC = [0x17, 0x08, 0x44, 0x74, 0x72, 0x61, 0x63, 0x69, 0x6e, 0x67];

export function readHead(bytes: Uint8Array): Result<FileHead, FormatProblem> {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) {
    const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return err(
      problemAt(
        0,
        'This is not a trace.dat file: it does not begin with the bytes 17 08 44 and "tracing".',
        gzip ? 'The file is packed with gzip. Unpack it first.' : 'Choose a file that trace-cmd wrote.',
      ),
    );
  }
  const start = new ByteReader(bytes, true, MAGIC.length);
  const version = start.zeroEnded();
  const endian = start.u8();
  const longBytes = start.u8();
  if (start.failedAt !== undefined)
    return err(problemAt(start.failedAt, 'The file ends in its first line.', CUT_SHORT));
  if (version !== '6' && version !== '7') {
    return err(
      problemAt(
        MAGIC.length,
        `The file has version "${version.slice(0, 8)}"; versions 6 and 7 can be read.`,
        'Convert it with "trace-cmd convert".',
      ),
    );
  }
  if (endian > 1 || (longBytes !== 4 && longBytes !== 8)) {
    return err(
      problemAt(start.pos - 2, `Byte order ${endian} or length ${longBytes} of a long is unknown.`, CUT_SHORT),
    );
  }
  const little = endian === 0;
  const r = new ByteReader(bytes, little, start.pos);
  const pageBytes = r.u32();
  let compression = 'none';
  if (version === '7') {
    compression = r.zeroEnded();
    r.zeroEnded();
  }
  if (r.failedAt !== undefined) return err(problemAt(r.failedAt, 'The file ends in its first line.', CUT_SHORT));
  if (!isPageSize(pageBytes)) {
    return err(problemAt(start.pos, `Pages of ${pageBytes} bytes do not exist.`, CUT_SHORT));
  }
  return ok({
    version: version === '6' ? 6 : 7,
    little,
    longBytes,
    pageBytes,
    compression: compression === '' ? 'none' : compression,
    bodyAt: r.pos,
  });
}
