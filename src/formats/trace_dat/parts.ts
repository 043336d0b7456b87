// Parts that are built alike in both versions.

import type { ByteReader } from './byte_reader.ts';
import { allText } from './byte_reader.ts';
import type { RawFormat } from './container.ts';

/** "header_page" and "header_event"; the first one's text. */
export function readHeaderInfo(r: ByteReader): string {
  r.zeroEnded();
  const page = allText(r.take(r.u64()));
  r.zeroEnded();
  r.take(r.u64());
  return page;
}

/** The tracer's own events. A wrong count ends with the bytes. */
export function readFtraceFormats(r: ByteReader, into: RawFormat[]): void {
  for (let left = r.u32(); left > 0 && r.failedAt === undefined; left--) {
    const text = allText(r.take(r.u64()));
    if (r.failedAt === undefined) into.push({ system: 'ftrace', text });
  }
}

/** The events of each system. */
export function readEventFormats(r: ByteReader, into: RawFormat[]): void {
  for (let systems = r.u32(); systems > 0 && r.failedAt === undefined; systems--) {
    const system = r.zeroEnded();
    for (let left = r.u32(); left > 0 && r.failedAt === undefined; left--) {
      const text = allText(r.take(r.u64()));
      if (r.failedAt === undefined) into.push({ system, text });
    }
  }
}
